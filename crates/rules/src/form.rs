//! The steps of a path, and the simple selectors that fit them.
//!
//! Only names that people chose count: hashed classes and generated ids are different after the next
//! deploy.

use std::fmt;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::{TypePosition, escape_name, is_stable_id, stable_class};

/// Classes that are kept of one element.
const MOST_CLASSES: usize = 8;

/// Positions among siblings of the same name that are told apart.
const MOST_POSITIONS: u32 = 4;

/// Elements that say by themselves what they are for.
const TELLING: [&str; 16] = [
    "main", "article", "nav", "aside", "footer", "header", "form", "button", "select", "fieldset",
    "dialog", "menu", "search", "h1", "address", "label",
];

/// Elements whose position among their siblings can tell what they hold, as in layouts of tables.
const POSITIONED: [&str; 12] = [
    "table", "tbody", "tr", "td", "div", "p", "ul", "center", "dl", "font", "section", "h2",
];

/// Elements of lines, lists and rows, which are parts of the content at most.
const PARTS: [&str; 14] = [
    "a", "b", "em", "font", "i", "label", "li", "p", "small", "span", "strong", "time", "tr", "u",
];

/// Elements that hold others, but do not say what for.
const CONTAINERS: [&str; 7] = ["div", "section", "table", "tbody", "tr", "td", "center"];

/// Classes of layouts and states. Others say more of an element.
const VAGUE: [&str; 32] = [
    "row",
    "container",
    "container-fluid",
    "wrapper",
    "wrap",
    "clearfix",
    "inner",
    "outer",
    "left",
    "right",
    "active",
    "current",
    "open",
    "hidden",
    "visible",
    "first",
    "last",
    "odd",
    "even",
    "fixed",
    "sticky",
    "show",
    "collapse",
    "fade",
    "block",
    "box",
    "group",
    "column",
    "columns",
    "clear",
    "cf",
    "center",
];

/// Elements of old layouts, and the attributes that give them their looks.
const STYLED: [&str; 5] = ["table", "tr", "td", "font", "div"];
const LOOKS: [&str; 4] = ["width", "bgcolor", "size", "color"];

/// Parts of classes that say how an element looks, not what it is.
const LAYOUT: [&str; 10] = [
    "justify",
    "align",
    "flex",
    "hover",
    "float",
    "items-",
    "center",
    "underline",
    "color",
    "size",
];

/// What a selector can say of one element of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) tag: String,
    pub(crate) id: Option<String>,
    pub(crate) classes: Vec<Class>,
    pub(crate) role: Option<String>,
    /// Attributes that give an element its looks, if it has no other distinction: as in old layouts.
    pub(crate) looks: Vec<(String, String)>,
    /// The position among siblings of its name, if it has no other distinction; 0 if it is not recorded.
    pub(crate) nth: u32,
}

/// A class that a person chose.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Class {
    pub(crate) name: String,
    /// A build tool adds a hash to it.
    pub(crate) is_hashed: bool,
}

impl Step {
    /// Of an element of a page.
    pub(crate) fn of(dom: &Dom, element: NodeId, position: TypePosition) -> Step {
        let tag = dom.node(element).tag;
        let mut step = Step {
            tag: dom.tag_name(tag).to_ascii_lowercase(),
            ..Step::default()
        };
        // The styling of these names the kind of the page.
        if matches!(tag, Tag::HTML | Tag::BODY) {
            return step;
        }
        let [id, class, role] = ["id", "class", "role"].map(|name| dom.attribute(element, name));
        step.id = id.filter(|id| is_chosen_id(id)).map(str::to_string);
        for token in class.unwrap_or_default().split_ascii_whitespace() {
            if let Some(class) = Class::of(token)
                && step.classes.len() < MOST_CLASSES
                && !step.classes.contains(&class)
            {
                step.classes.push(class);
            }
        }
        let is_name =
            |role: &&str| !role.is_empty() && role.bytes().all(|b| b.is_ascii_alphabetic());
        step.role = role.filter(is_name).map(str::to_string);
        let is_plain = step.id.is_none() && step.classes.is_empty() && step.role.is_none();
        if is_plain && STYLED.contains(&&*step.tag) {
            let looks = LOOKS.into_iter().filter_map(|name| {
                let value = dom.attribute(element, name)?;
                let is_short = (1..=12).contains(&value.len());
                let is_written = value
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"#%+-".contains(&b));
                (is_short && is_written).then(|| (name.to_string(), value.to_string()))
            });
            step.looks = looks.collect();
        }
        let is_positioned = POSITIONED.contains(&&*step.tag) && position.number <= MOST_POSITIONS;
        if is_plain && is_positioned {
            step.nth = position.number;
        }
        step
    }

    /// True if nothing but its kind and position is known.
    pub(crate) fn is_plain(&self) -> bool {
        let has_name = self.id.is_some() || !self.classes.is_empty() || self.role.is_some();
        !has_name && self.looks.is_empty()
    }
}

impl Class {
    pub(crate) fn of(token: &str) -> Option<Class> {
        let name = stable_class(token)?;
        let is_written = name.len() <= 40 && !name.contains(['"', '\'', '\\', '{', '}', '<', '>']);
        // `stable_class` leaves the underscores before a hash out.
        is_written.then(|| Class {
            name: name.to_string(),
            is_hashed: name.len() < token.len(),
        })
    }
}

/// True for an id that says what the element is. A number is usually a counter.
fn is_chosen_id(id: &str) -> bool {
    let is_counted = id.ends_with(|c: char| c.is_ascii_digit());
    is_stable_id(id) && !is_counted && !id.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// A simple selector.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Form {
    Id(String),
    Tag(String),
    TagClass(String, Class),
    Class(Class),
    TagClasses(String, Class, Class),
    Role(String, String),
    Looks(String, String, String),
    Nth(String, u32),
}

impl Form {
    /// The selectors that say something of the element itself.
    pub(crate) fn telling(step: &Step) -> Vec<Form> {
        let tag = || step.tag.clone();
        let mut forms: Vec<Form> = step.id.iter().cloned().map(Form::Id).collect();
        let is_telling = TELLING.contains(&&*step.tag) || step.tag.contains('-');
        forms.extend(is_telling.then(|| Form::Tag(tag())));
        forms.extend(step.role.clone().map(|role| Form::Role(tag(), role)));
        for (name, value) in &step.looks {
            forms.push(Form::Looks(tag(), name.clone(), value.clone()));
        }
        for (at, class) in step.classes.iter().enumerate() {
            forms.push(Form::TagClass(tag(), class.clone()));
            forms.push(Form::Class(class.clone()));
            for other in &step.classes[at + 1..] {
                forms.push(Form::TagClasses(tag(), class.clone(), other.clone()));
            }
        }
        forms
    }

    /// The selectors by which an element can stand before others in a chain.
    pub(crate) fn anchors(step: &Step) -> Vec<Form> {
        let telling = Form::telling(step).into_iter();
        let anchors = telling.filter(|form| {
            matches!(
                form,
                Form::Id(_) | Form::Tag(_) | Form::TagClass(..) | Form::Role(..) | Form::Looks(..)
            )
        });
        match step.id.is_some() {
            true => anchors.take(1).collect(),
            false => anchors.take(4).collect(),
        }
    }

    /// Whether elements with this step are meant, if their position is right.
    pub(crate) fn may_fit(&self, step: &Step) -> bool {
        let has = |class: &Class| step.classes.contains(class);
        match self {
            Form::Id(id) => step.id.as_ref() == Some(id),
            Form::Tag(tag) => step.tag == *tag,
            Form::TagClass(tag, class) => step.tag == *tag && has(class),
            Form::Class(class) => has(class),
            Form::TagClasses(tag, one, two) => step.tag == *tag && has(one) && has(two),
            Form::Role(tag, role) => step.tag == *tag && step.role.as_ref() == Some(role),
            Form::Looks(tag, name, value) => {
                let is_same = |look: &(String, String)| look.0 == *name && look.1 == *value;
                step.tag == *tag && step.looks.iter().any(is_same)
            }
            Form::Nth(tag, _) => step.tag == *tag,
        }
    }

    /// Whether its elements have a name of their own, or are of a kind that says what they are for.
    pub(crate) fn is_named(&self) -> bool {
        match self {
            Form::Tag(tag) => TELLING.contains(&&**tag) || tag.contains('-'),
            Form::Nth(..) => false,
            _ => true,
        }
    }

    /// Whether it names something that holds other elements, and not a kind of text.
    pub(crate) fn is_container(&self) -> bool {
        match self {
            // Any `div` would hold any text.
            Form::Tag(tag) => self.is_named() || matches!(&**tag, "td" | "center"),
            Form::Nth(tag, _) | Form::Looks(tag, ..) => CONTAINERS.contains(&&**tag),
            Form::TagClass(tag, _) | Form::TagClasses(tag, ..) | Form::Role(tag, _) => {
                !PARTS.contains(&&**tag)
            }
            Form::Id(_) | Form::Class(_) => true,
        }
    }

    /// Whether it names something that stands for itself, and not an item, a line or a link.
    pub(crate) fn names_a_whole(&self) -> bool {
        match self {
            Form::Id(_) => true,
            Form::Class(_) => false,
            Form::Tag(tag)
            | Form::TagClass(tag, _)
            | Form::TagClasses(tag, ..)
            | Form::Role(tag, _)
            | Form::Looks(tag, ..)
            | Form::Nth(tag, _) => {
                let is_whole =
                    TELLING.contains(&&**tag) && !matches!(&**tag, "button" | "label" | "h1");
                is_whole || CONTAINERS.contains(&&**tag) || matches!(&**tag, "ul" | "ol" | "dl")
            }
        }
    }

    /// How much a reader would rather have another one.
    pub(crate) fn cost(&self) -> f64 {
        let class_cost = |class: &Class| {
            let is_layout = LAYOUT.iter().any(|part| class.name.contains(part));
            // Scripts that measure or mark pages begin their names so.
            let is_layout = is_layout || class.name.starts_with('_');
            let is_vague = is_layout || VAGUE.contains(&&*class.name) || class.name.len() <= 2;
            let has_digit = class.name.contains(|c: char| c.is_ascii_digit());
            let vague = if is_vague || has_digit { 1.0 } else { 0.0 };
            let hashed = if class.is_hashed { 0.5 } else { 0.0 };
            // Long names of several words are often of one use.
            vague + hashed + class.name.len() as f64 / 200.0
        };
        match self {
            Form::Id(_) => 1.0,
            Form::Tag(tag) if TELLING.contains(&&**tag) => 1.0,
            Form::Tag(tag) if tag == "body" => 1.0,
            Form::Tag(_) => 2.0,
            Form::Role(..) => 1.2,
            Form::TagClass(_, class) => 1.1 + class_cost(class),
            Form::Class(class) => 1.3 + class_cost(class),
            Form::TagClasses(_, one, two) => 2.0 + class_cost(one) + class_cost(two),
            Form::Looks(..) => 1.8,
            Form::Nth(..) => 3.0,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_hashed {
            false => write!(f, ".{}", escape_name(&self.name)),
            true => write!(f, "[class*=\"{}__\"]", self.name),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Id(id) => write!(f, "#{}", escape_name(id)),
            Form::Tag(tag) => f.write_str(&escape_name(tag)),
            Form::TagClass(tag, class) => write!(f, "{}{class}", escape_name(tag)),
            Form::Class(class) => write!(f, "{class}"),
            Form::TagClasses(tag, one, two) => write!(f, "{}{one}{two}", escape_name(tag)),
            Form::Role(tag, role) => write!(f, "{}[role={role}]", escape_name(tag)),
            Form::Looks(tag, name, value) => {
                write!(f, "{}[{name}=\"{value}\"]", escape_name(tag))
            }
            Form::Nth(tag, nth) => write!(f, "{}:nth-of-type({nth})", escape_name(tag)),
        }
    }
}
