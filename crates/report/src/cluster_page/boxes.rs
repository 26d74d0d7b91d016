//! Approximate layout of the blocks of a page, for its sketch.
//!
//! Style sheets are ignored: blocks are stacked, table cells and side bars are placed side by side, and
//! texts fill lines. All walks are loops, so deep nesting cannot overflow the stack.

use unframe::dom::{Dom, NodeId, Tag};
use unframe::page::{normalise, visible_texts};

use super::treemap::Rect;

/// Maximum number of boxes; the rest of the page is not drawn.
const MOST_BOXES: usize = 3_000;

/// The width of the sketch, and the dimensions of text in it.
pub const WIDTH: f64 = 160.0;
const LETTER: f64 = 1.15;
pub const LINE: f64 = 3.4;
/// Above this many lines, height grows logarithmically, so that a long text leaves room for the rest.
const MANY_LINES: f64 = 9.0;
const GAP: f64 = 1.6;
const PADDING: f64 = 1.4;
/// Boxes nested deeper have no padding.
const PADDED_DEPTH: u16 = 7;
const SIDE_BAR: f64 = 0.27;

/// The kind of a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// An element; whether its path is in the template.
    Element {
        template: bool,
    },
    /// A run of text, entirely in the template or not at all.
    Text {
        template: bool,
        letters: f64,
        heading: bool,
    },
    Image {
        height: f64,
    },
}

/// A box with its position.
#[derive(Clone, Debug)]
pub struct Box {
    pub kind: Kind,
    /// The first box is its own parent.
    pub parent: usize,
    pub children: Vec<usize>,
    pub rect: Rect,
    tag: Tag,
    depth: u16,
    /// Boxes of one parent with the same value are placed side by side.
    row: usize,
    side_bar: bool,
    /// Number of characters in it.
    letters: f64,
}

/// The boxes of a page, parents before children; the first is the whole sketch. `template` tells
/// whether the path of a node is in the template.
pub fn boxes(dom: &Dom, template: impl Fn(NodeId) -> bool) -> Vec<Box> {
    let mut boxes = gather(dom, template);
    for at in (1..boxes.len()).rev() {
        let (parent, letters) = (boxes[at].parent, boxes[at].letters);
        boxes[parent].letters += letters;
    }
    set_rows(&mut boxes);
    set_widths(&mut boxes);
    set_heights(&mut boxes);
    set_places(&mut boxes);
    boxes
}

fn gather(dom: &Dom, template: impl Fn(NodeId) -> bool) -> Vec<Box> {
    let mut boxes = vec![Box::new(Kind::Element { template: false }, 0, Tag::BODY, 0)];
    let mut texts = visible_texts(dom).peekable();
    // Open elements: the node after them, and their box.
    let mut open: Vec<(NodeId, usize)> = vec![(dom.nodes().len() as NodeId, 0)];
    let mut normal = String::new();
    let last_text = visible_texts(dom).last().unwrap_or(0);
    let mut skip_to = 0;
    for (id, node) in (0..).zip(dom.nodes()) {
        while open.last().is_some_and(|(end, _)| *end <= id) {
            open.pop();
        }
        if id < skip_to || boxes.len() >= MOST_BOXES || id > last_text && node.tag != Tag::IMG {
            continue;
        }
        let within = open.last().map_or(0, |(_, inside)| *inside);
        if texts.next_if_eq(&id).is_some() {
            let text = normalise(dom.text(id), &mut normal);
            let letters = text.chars().count() as f64 + 1.0;
            add_text(&mut boxes, within, template(id), letters);
        } else if dom.shows_no_text(id) {
            skip_to = node.end;
        } else if node.tag == Tag::IMG {
            let height = image_height(dom, id);
            push(
                &mut boxes,
                Box::new(Kind::Image { height }, within, Tag::IMG, 0),
            );
        } else if is_block(node.tag) {
            let kind = Kind::Element {
                template: template(id),
            };
            let depth = boxes[within].depth + 1;
            let mut made = Box::new(kind, within, node.tag, depth);
            made.side_bar = is_side_bar(dom, id);
            open.push((node.end, boxes.len()));
            push(&mut boxes, made);
        }
    }
    boxes
}

impl Box {
    fn new(kind: Kind, parent: usize, tag: Tag, depth: u16) -> Box {
        let letters = match kind {
            Kind::Text { letters, .. } => letters,
            Kind::Image { height } => 4.0 * height,
            Kind::Element { .. } => 0.0,
        };
        let rect = Rect {
            x: 0.0,
            y: 0.0,
            width: WIDTH,
            height: 0.0,
        };
        Box {
            kind,
            parent,
            children: Vec::new(),
            rect,
            tag,
            depth,
            row: 0,
            side_bar: false,
            letters,
        }
    }

    fn padding(&self) -> f64 {
        match self.kind {
            Kind::Element { .. } if self.children.len() > 1 && self.depth < PADDED_DEPTH => PADDING,
            _ => 0.0,
        }
    }
}

fn push(boxes: &mut Vec<Box>, made: Box) {
    let at = boxes.len();
    boxes[made.parent].children.push(at);
    boxes.push(made);
}

/// Joins texts without a block between them.
fn add_text(boxes: &mut Vec<Box>, within: usize, is_template: bool, more: f64) {
    let last = boxes[within].children.last().copied();
    if let Some(last) = last
        && let Kind::Text {
            template, letters, ..
        } = &mut boxes[last].kind
        && *template == is_template
    {
        *letters += more;
        boxes[last].letters += more;
        return;
    }
    let heading = matches!(
        boxes[within].tag,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::TH | Tag::LEGEND | Tag::SUMMARY
    );
    let kind = Kind::Text {
        template: is_template,
        letters: more,
        heading,
    };
    push(boxes, Box::new(kind, within, Tag::TEXT, 0));
}

/// Places side bars beside their content, cells beside cells, and short links side by side.
fn set_rows(boxes: &mut [Box]) {
    for at in 0..boxes.len() {
        let children = boxes[at].children.clone();
        let mut row = 0;
        let mut before: Option<usize> = None;
        for (place, child) in children.iter().enumerate() {
            let beside = before.is_some_and(|before| is_beside(boxes, at, before, *child));
            if place > 0 && !beside {
                row += 1;
            }
            boxes[*child].row = row;
            before = Some(*child);
        }
    }
}

fn is_beside(boxes: &[Box], parent: usize, left: usize, right: usize) -> bool {
    let (parent, left, right) = (&boxes[parent], &boxes[left], &boxes[right]);
    let cells = parent.tag == Tag::TR;
    let bars = left.side_bar != right.side_bar
        && [left, right].iter().all(|side| {
            matches!(side.kind, Kind::Element { .. })
                && !matches!(side.tag, Tag::HEADER | Tag::FOOTER | Tag::NAV)
                && side.letters > 0.0
        });
    let links = parent.letters < 120.0
        && parent.children.len() > 2
        && left.tag == Tag::LI
        && right.tag == Tag::LI;
    let images =
        matches!(left.kind, Kind::Image { .. }) && matches!(right.kind, Kind::Image { .. });
    cells || bars || links || images
}

fn set_widths(boxes: &mut [Box]) {
    for at in 0..boxes.len() {
        let inner = boxes[at].rect.width - 2.0 * boxes[at].padding();
        for row in rows(boxes, at) {
            let room = (inner - GAP * (row.len() - 1) as f64).max(1.0);
            let weight = |child: &usize| (boxes[*child].letters + 6.0).sqrt();
            let bar = |child: &&usize| boxes[**child].side_bar && row.len() > 1;
            let bars = SIDE_BAR * row.iter().filter(bar).count().min(2) as f64;
            let others: f64 = row.iter().filter(|child| !bar(child)).map(weight).sum();
            let widths: Vec<f64> = row
                .iter()
                .map(|child| match bar(&child) {
                    true if others > 0.0 => room * SIDE_BAR,
                    true => room / row.len() as f64,
                    false => room * (1.0 - bars) * weight(child) / others,
                })
                .collect();
            for (child, width) in row.into_iter().zip(widths) {
                boxes[child].rect.width = width;
            }
        }
    }
}

fn set_heights(boxes: &mut [Box]) {
    for at in (0..boxes.len()).rev() {
        boxes[at].rect.height = match boxes[at].kind {
            Kind::Image { height } => height.min(boxes[at].rect.width),
            Kind::Text {
                letters, heading, ..
            } => {
                let scale = if heading { 1.5 } else { 1.0 };
                let lines = (letters * LETTER * scale / boxes[at].rect.width.max(1.0)).ceil();
                scale * LINE * damped(lines)
            }
            Kind::Element { .. } => {
                let rows = rows(boxes, at);
                let tallest = |row: &Vec<usize>| {
                    let heights = row.iter().map(|child| boxes[*child].rect.height);
                    heights.fold(0.0, f64::max)
                };
                let heights: Vec<f64> = rows.iter().map(tallest).filter(|h| *h > 0.0).collect();
                let gaps = GAP * heights.len().saturating_sub(1) as f64;
                let padding = 2.0 * boxes[at].padding();
                match heights.is_empty() {
                    true => 0.0,
                    false => heights.iter().sum::<f64>() + gaps + padding,
                }
            }
        };
    }
}

/// Width of the last line of a text in a box of some width.
pub fn last_line(letters: f64, width: f64) -> f64 {
    let rest = (letters * LETTER) % width.max(1.0);
    if rest < 2.0 { width } else { rest }
}

fn damped(lines: f64) -> f64 {
    match lines > MANY_LINES {
        true => MANY_LINES + 4.0 * (lines / MANY_LINES).log2(),
        false => lines,
    }
}

fn set_places(boxes: &mut [Box]) {
    for at in 0..boxes.len() {
        let (rect, padding) = (boxes[at].rect, boxes[at].padding());
        let mut y = rect.y + padding;
        for row in rows(boxes, at) {
            let mut x = rect.x + padding;
            let mut tallest = 0.0f64;
            for child in row {
                let child = &mut boxes[child].rect;
                (child.x, child.y) = (x, y);
                x += child.width + GAP;
                tallest = tallest.max(child.height);
            }
            if tallest > 0.0 {
                y += tallest + GAP;
            }
        }
    }
}

/// The children of a box, grouped by row.
fn rows(boxes: &[Box], at: usize) -> Vec<Vec<usize>> {
    let children = &boxes[at].children;
    let rows = children.chunk_by(|a, b| boxes[*a].row == boxes[*b].row);
    rows.map(<[usize]>::to_vec).collect()
}

/// Block elements.
fn is_block(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::ADDRESS
            | Tag::ARTICLE
            | Tag::ASIDE
            | Tag::BLOCKQUOTE
            | Tag::CAPTION
            | Tag::CENTER
            | Tag::DD
            | Tag::DETAILS
            | Tag::DIALOG
            | Tag::DIV
            | Tag::DL
            | Tag::DT
            | Tag::FIELDSET
            | Tag::FIGCAPTION
            | Tag::FIGURE
            | Tag::FOOTER
            | Tag::FORM
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::HEADER
            | Tag::HGROUP
            | Tag::LEGEND
            | Tag::LI
            | Tag::MAIN
            | Tag::MENU
            | Tag::NAV
            | Tag::OL
            | Tag::P
            | Tag::PRE
            | Tag::SEARCH
            | Tag::SECTION
            | Tag::SUMMARY
            | Tag::TABLE
            | Tag::TBODY
            | Tag::TD
            | Tag::TFOOT
            | Tag::TH
            | Tag::THEAD
            | Tag::TR
            | Tag::UL
    )
}

/// Whether an element is a side bar, by its tag, id or class.
fn is_side_bar(dom: &Dom, id: NodeId) -> bool {
    if dom.node(id).tag == Tag::ASIDE {
        return true;
    }
    let names = ["id", "class"].map(|name| dom.attribute(id, name).unwrap_or_default());
    names.iter().any(|names| {
        let names = names.to_ascii_lowercase();
        let mut words = names.split(|c: char| !c.is_ascii_alphanumeric());
        names.contains("sidebar")
            || names.contains("sidenav")
            || words.any(|word| {
                matches!(
                    word,
                    "side" | "aside" | "toc" | "left" | "right" | "leftcol" | "rightcol"
                )
            })
    })
}

fn image_height(dom: &Dom, id: NodeId) -> f64 {
    let pixels = dom
        .attribute(id, "height")
        .and_then(|text| text.parse::<f64>().ok());
    // The sketch is one sixth of the page width.
    pixels.map_or(9.0, |pixels| (pixels / 6.0).clamp(1.0, 40.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe::Limits;
    use unframe::dom::parse;

    fn laid_out(html: &str) -> Vec<Box> {
        boxes(&parse(html, &Limits::default()), |_| true)
    }

    #[test]
    fn blocks_stand_below_each_other_and_inside_their_parents() {
        let html = "<div><h1>Title</h1><p>one two three<p>four</div><table><tr><td>a<td>b</table>";
        let found = laid_out(html);
        assert!(found[0].rect.height > 0.0);
        for one in &found[1..] {
            let parent = found[one.parent].rect;
            assert!(one.rect.x >= parent.x - 1e-6 && one.rect.y >= parent.y - 1e-6);
            let right = one.rect.x + one.rect.width;
            assert!(right <= parent.x + parent.width + 1e-6, "{one:?}");
            let bottom = one.rect.y + one.rect.height;
            assert!(bottom <= parent.y + parent.height + 1e-6, "{one:?}");
        }
        let cells: Vec<&Box> = found.iter().filter(|b| b.tag == Tag::TD).collect();
        assert_eq!(cells[0].rect.y, cells[1].rect.y);
        assert!(cells[0].rect.x + cells[0].rect.width < cells[1].rect.x);
        let paragraphs: Vec<&Box> = found.iter().filter(|b| b.tag == Tag::P).collect();
        assert!(paragraphs[0].rect.y < paragraphs[1].rect.y);
    }

    #[test]
    fn a_side_bar_stands_beside() {
        let found = laid_out("<header>h</header><main>long text</main><aside>s</aside>");
        let place = |tag| found.iter().find(|b| b.tag == tag).unwrap().rect;
        assert_eq!(place(Tag::MAIN).y, place(Tag::ASIDE).y);
        assert!(place(Tag::MAIN).width > place(Tag::ASIDE).width);
        assert!(place(Tag::HEADER).y < place(Tag::MAIN).y);
    }

    #[test]
    fn hostile_pages_are_bounded() {
        let deep = "<div>".repeat(100_000) + "x";
        assert!(laid_out(&deep)[0].rect.height.is_finite());
        let many = "<p>x".repeat(50_000);
        assert_eq!(laid_out(&many).len(), MOST_BOXES);
        let wide = format!("<table><tr>{}</table>", "<td>x".repeat(5_000));
        assert!(laid_out(&wide).iter().all(|b| b.rect.width.is_finite()));
        assert_eq!(laid_out("").len(), 1);
    }
}
