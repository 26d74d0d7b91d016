//! Formulas: the TeX source that a page has beside or instead of the rendered formula.

use std::ops::Range;

use unframe_dom::{Dom, NodeId, Tag};
use unframe_page::normalise;

/// Maximum length of a formula.
const MAX_TEX: usize = 20_000;
/// Maximum number of delimiters that begin no formula. Each needs a search of the following text, so a
/// page with more of them is treated as having no formulas in its text.
pub(super) const MAX_FALSE_SIGNS: u32 = 5_000;

/// A formula of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Formula {
    pub(super) tex: String,
    pub(super) display: bool,
}

impl Formula {
    /// True if it shows nothing. Stack Exchange keeps the formulas of posts apart with such.
    pub(super) fn is_invisible(&self) -> bool {
        matches!(self.tex.as_str(), "\\begingroup" | "\\endgroup")
    }

    fn new(tex: &str, display: bool) -> Option<Formula> {
        let mut out = String::new();
        let tex = normalise(tex, &mut out);
        let inner = tex
            .strip_prefix("{\\displaystyle ")
            .or(tex.strip_prefix("{\\textstyle "))
            .and_then(|tex| tex.strip_suffix('}'));
        let tex = inner.unwrap_or(tex).trim();
        // A dollar sign would end the formula, and a backslash would escape the sign at its end.
        let fits =
            !tex.is_empty() && tex.len() <= MAX_TEX && !tex.contains('$') && !tex.ends_with('\\');
        fits.then(|| Formula {
            tex: tex.to_string(),
            display,
        })
    }
}

/// The formula of an element: MathML with a TeX annotation, a `math/tex` script, or an image of a
/// formula with TeX as its `alt` text.
pub(super) fn of_element(dom: &Dom, id: NodeId) -> Option<Formula> {
    let node = dom.node(id);
    let is = |name, value: &str| {
        dom.attribute(id, name)
            .is_some_and(|stated| stated.trim().eq_ignore_ascii_case(value))
    };
    match node.tag {
        Tag::MATH => {
            let display = is("display", "block") || is("mode", "display") || in_display(dom, id);
            match annotation(dom, id).or_else(|| dom.attribute(id, "alttext").map(String::from)) {
                Some(tex) => Formula::new(&tex, display),
                None => None,
            }
        }
        Tag::SCRIPT => {
            let kind = dom.attribute(id, "type")?.trim().to_ascii_lowercase();
            let rest = kind.strip_prefix("math/tex")?;
            // The text of scripts is in the source, not in the tree.
            let inner = node.open.end as usize..node.close.start as usize;
            Formula::new(dom.source().get(inner)?, rest.contains("mode=display"))
        }
        Tag::IMG => {
            let alt = dom.attribute(id, "alt").filter(|alt| !alt.is_empty())?;
            let classes = dom.attribute(id, "class").unwrap_or_default();
            if !is_formula_image(dom, id, classes) {
                return None;
            }
            let display = classes.contains("display") || in_display(dom, id);
            Formula::new(alt, display)
        }
        _ => None,
    }
}

/// True for the rendering by a script of a formula whose TeX is also on the page; `class` is a class of
/// the element.
pub(super) fn is_drawing(dom: &Dom, id: NodeId, class: &str) -> bool {
    match class {
        "katex-html" => true,
        "MathJax_Preview" | "MathJax" | "MathJax_Display" | "MathJax_SVG" | "MathJax_CHTML" => {
            let parent = dom.node(id).parent;
            let scripts = dom.children(parent).take(200);
            let mut scripts = scripts.filter(|child| dom.node(*child).tag == Tag::SCRIPT);
            scripts.any(|script| of_element(dom, script).is_some())
        }
        _ => false,
    }
}

/// The text of a formula without TeX: its characters in order, with signs for powers and fractions.
pub(super) fn spelled(dom: &Dom, math: NodeId) -> String {
    let mut out = String::new();
    let mut between: Vec<(NodeId, &str)> = Vec::new();
    for id in dom.subtree(math) {
        let node = dom.node(id);
        while between.pop_if(|(at, _)| *at < id).is_some() {}
        if let Some((_, sign)) = between.pop_if(|(at, _)| *at == id) {
            out.push_str(sign);
        }
        if node.tag == Tag::TEXT {
            let mut normal = String::new();
            out.push_str(normalise(dom.text(id), &mut normal));
        } else if node.foreign {
            let sign = match dom.tag_name(node.tag) {
                "msup" | "mover" => "^",
                "msub" | "munder" => "_",
                "mfrac" => "/",
                "msqrt" => {
                    out.push('√');
                    continue;
                }
                _ => continue,
            };
            between.extend(dom.children(id).nth(1).map(|second| (second, sign)));
        }
    }
    out
}

/// Whether an image shows a formula, with its TeX as the `alt` text: in MediaWiki, WordPress, Sphinx and
/// by the services that draw formulas. MediaWiki has the image beside the formula as MathML.
fn is_formula_image(dom: &Dom, id: NodeId, classes: &str) -> bool {
    let mut classes = classes.split_ascii_whitespace();
    let by_class = classes.any(|class| {
        let names = ["tex", "latex", "math", "mathtex", "ql-img-inline-formula"];
        names.contains(&class) || class.starts_with("mwe-math-fallback-image")
    });
    let src = || dom.attribute(id, "src").unwrap_or_default();
    let by_service = || {
        let (before, after) = src().split_once('?').unwrap_or_default();
        let services = ["/latex.php", "/mathtex.cgi", "/mimetex.cgi"];
        let is_service = services.iter().any(|service| before.ends_with(service));
        is_service || before.contains(".codecogs.com/") || after.contains("cht=tx")
    };
    let has_mathml = || {
        let siblings = dom.children(dom.node(id).parent).take(8);
        siblings
            .flat_map(|sibling| dom.subtree(sibling).take(3))
            .any(|near| dom.node(near).tag == Tag::MATH)
    };
    (by_class || by_service()) && !has_mathml()
}

fn annotation(dom: &Dom, math: NodeId) -> Option<String> {
    let is_tex = |id: &NodeId| {
        let encoding = dom.attribute(*id, "encoding").unwrap_or_default();
        matches!(encoding, "application/x-tex" | "TeX" | "LaTeX")
            && dom.tag_name(dom.node(*id).tag) == "annotation"
    };
    let found = dom.subtree(math).find(is_tex)?;
    Some(dom.subtree(found).map(|text| dom.text(text)).collect())
}

/// Whether an element is inside a display formula.
fn in_display(dom: &Dom, id: NodeId) -> bool {
    dom.ancestors(id).take(4).any(|above| {
        let class = dom.attribute(above, "class").unwrap_or_default();
        let is_block = dom.node(above).tag == Tag::DIV;
        class.contains("katex-display")
            || class.contains("mwe-math-element-block")
            || is_block && class.split_ascii_whitespace().any(|class| class == "math")
    })
}

/// Whether the page has formulas of its own.
pub(super) fn is_on(dom: &Dom) -> bool {
    let mut nodes = dom.nodes().iter().zip(0..);
    nodes.any(|(node, id)| match node.tag {
        Tag::MATH => true,
        Tag::SCRIPT | Tag::IMG => of_element(dom, id).is_some(),
        _ => false,
    })
}

/// Whether the page has a script that renders formulas between dollar signs.
pub(super) fn draws_dollars(dom: &Dom) -> bool {
    ["MathJax", "mathjax", "katex", "KaTeX"]
        .iter()
        .any(|name| dom.source().contains(name))
}

/// The first formula in a text, with its delimiters: `\(…\)`, `\[…\]`, `$$…$$`, `\begin{…}…\end{…}`, and
/// `$…$` and `\$…\$` if the page renders these. `false_signs` counts delimiters that begin no formula.
pub(super) fn in_text(
    text: &str,
    dollars: bool,
    false_signs: &mut u32,
) -> Option<(Range<usize>, Formula)> {
    let mut from = 0;
    while *false_signs < MAX_FALSE_SIGNS
        && let Some(found) = text[from..].find(['\\', '$'])
    {
        let at = from + found;
        let rest = &text[at..];
        let rest = &rest[..rest.floor_char_boundary(MAX_TEX)];
        let between = |open: &str, close: &str, display| {
            let inner = rest.strip_prefix(open)?;
            let length = inner.find(close)?;
            let end = at + open.len() + length + close.len();
            Some((at..end, Formula::new(&inner[..length], display)?))
        };
        let found = between("\\(", "\\)", false)
            .or_else(|| between("\\[", "\\]", true))
            .or_else(|| between("$$", "$$", true))
            .or_else(|| between("\\$", "\\$", false).filter(|_| dollars))
            .or_else(|| environment(rest, at))
            .or_else(|| {
                between("$", "$", false).filter(|(range, _)| dollars && is_tight(text, range))
            });
        if found.is_some() {
            return found;
        }
        *false_signs += 1;
        // Skip both dollar signs, so that the second does not begin a formula.
        from = at + if rest.starts_with("$$") { 2 } else { 1 };
    }
    None
}

/// Whether `$…$` encloses a formula; prices as in `$5 and $6` do not.
fn is_tight(text: &str, range: &Range<usize>) -> bool {
    let inner = &text[range.start + 1..range.end - 1];
    let spaced = inner.starts_with(char::is_whitespace) || inner.ends_with(char::is_whitespace);
    !spaced && !text[range.end..].starts_with(|c: char| c.is_ascii_digit())
}

fn environment(rest: &str, at: usize) -> Option<(Range<usize>, Formula)> {
    let name = rest.strip_prefix("\\begin{")?;
    let name = &name[..name.find('}').filter(|length| *length < 20)?];
    let close = format!("\\end{{{name}}}");
    let end = rest.find(&close)? + close.len();
    Some((at..at + end, Formula::new(&rest[..end], true)?))
}
