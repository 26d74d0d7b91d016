//! A small picture of how a page is built: what is of its template, and where its content goes.

use std::fmt::Write as _;

use unframe::{Dom, NodeId};

use super::boxes::{self, Box, Kind, LINE, WIDTH, boxes};
use super::treemap::Rect;

/// Height of the largest picture; longer pages are squeezed.
const HEIGHT: f64 = 208.0;

/// Rectangles of one picture, so that its size is bounded.
const MOST_RECTANGLES: usize = 900;

/// Lines of text nearer to each other than this are drawn as one.
const FINEST: f64 = 1.5;

/// What is drawn together, bottom up, by the class that gives it its colour.
#[derive(Default)]
struct Layers {
    /// Elements of the template that hold nothing but template, and nothing but content.
    frame: Layer,
    slot: Layer,
    outline: Layer,
    image: Layer,
    frame_text: Layer,
    content_text: Layer,
}

#[derive(Default)]
struct Layer {
    path: String,
    count: usize,
}

impl Layer {
    fn add(&mut self, rect: Rect) {
        if rect.width < 0.3 || rect.height < 0.15 || self.count >= MOST_RECTANGLES {
            return;
        }
        self.count += 1;
        let Rect {
            x,
            y,
            width,
            height,
        } = rect;
        let (x, y, width, height) = (tenth(x), tenth(y), tenth(width), tenth(height.max(0.3)));
        let _ = write!(self.path, "M{x} {y}h{width}v{height}h-{width}z");
    }
}

/// As SVG, with classes for the style of the page around it. `template` says of a node whether its
/// path is one of the template's; without a template nothing is of one.
pub fn thumbnail(dom: &Dom, label: &str, template: impl Fn(NodeId) -> bool) -> String {
    let boxes = boxes(dom, template);
    let natural = boxes[0].rect.height.max(1.0);
    let squeeze = (HEIGHT / natural).min(1.0);
    let letters = letters(&boxes);
    let mut layers = Layers::default();
    for (at, one) in boxes.iter().enumerate().skip(1) {
        let rect = Rect {
            y: one.rect.y * squeeze,
            height: one.rect.height * squeeze,
            ..one.rect
        };
        match one.kind {
            Kind::Image { .. } => layers.image.add(rect),
            Kind::Text { .. } => draw_text(&mut layers, one, rect, squeeze),
            Kind::Element { template } => {
                let region = |at: usize| match (template, letters[at]) {
                    (true, (some, 0.0)) if some > 0.0 => Some(true),
                    (true, (0.0, some)) if some > 0.0 => Some(false),
                    _ => None,
                };
                let above = matches!(boxes[one.parent].kind, Kind::Element { template: true })
                    .then(|| region(one.parent))
                    .flatten();
                match region(at) {
                    Some(true) if above.is_none() => layers.frame.add(rect),
                    Some(false) if above.is_none() => layers.slot.add(rect),
                    _ if one.children.len() > 1 && rect.height > 6.0 => layers.outline.add(rect),
                    _ => (),
                }
            }
        }
    }
    layers.svg(label, natural * squeeze)
}

fn draw_text(layers: &mut Layers, one: &Box, rect: Rect, squeeze: f64) {
    let Kind::Text {
        template,
        letters,
        heading,
    } = one.kind
    else {
        return;
    };
    let layer = match template {
        true => &mut layers.frame_text,
        false => &mut layers.content_text,
    };
    let scale = if heading { 1.5 } else { 1.0 };
    let pitch = LINE * scale * squeeze;
    let lines = (rect.height / pitch).round().max(1.0);
    if pitch < FINEST {
        layer.add(rect.inset(0.2));
        return;
    }
    let last = boxes::last_line(letters * scale, rect.width);
    for line in 0..lines as usize {
        let width = match line + 1 == lines as usize {
            true => last,
            false => rect.width,
        };
        layer.add(Rect {
            y: rect.y + (line as f64 + 0.22) * pitch,
            height: 0.56 * pitch,
            width,
            ..rect
        });
    }
}

/// Letters of the template's and of other texts in each box.
fn letters(boxes: &[Box]) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0); boxes.len()];
    for (at, one) in boxes.iter().enumerate().rev() {
        match one.kind {
            Kind::Text {
                template: true,
                letters,
                ..
            } => sums[at].0 += letters,
            Kind::Text { letters, .. } => sums[at].1 += letters,
            _ => (),
        }
        if at > 0 {
            let (frame, content) = sums[at];
            sums[one.parent].0 += frame;
            sums[one.parent].1 += content;
        }
    }
    sums
}

impl Layers {
    fn svg(&self, label: &str, height: f64) -> String {
        let page = maud::html! {
            svg.thumb viewBox=(format!("-2 -2 {} {}", WIDTH + 4.0, tenth(height + 4.0))) role="img"
                aria-label=(label) {
                @for (class, layer) in [
                    ("fr", &self.frame), ("sl", &self.slot), ("ou", &self.outline),
                    ("im", &self.image), ("ft", &self.frame_text), ("ct", &self.content_text),
                ] {
                    @if layer.count > 0 { path class=(class) d=(layer.path) {} }
                }
            }
        };
        page.into_string()
    }
}

/// A number to one decimal place, no longer than it must be.
fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe::{Limits, Tag, parse};

    fn picture(html: &str, template: &str) -> String {
        let dom = parse(html, &Limits::default());
        thumbnail(&dom, "a <page>", |id| match dom.node(id).tag {
            Tag::TEXT => dom.text(id) == template,
            _ => true,
        })
    }

    #[test]
    fn template_and_slots_have_colours_of_their_own() {
        let svg = picture("<nav>Home</nav><main><p>Own text</main>", "Home");
        for class in ["class=\"fr\"", "class=\"sl\"", "class=\"ft\"", "class=\"ct\""] {
            assert!(svg.contains(class), "{class}: {svg}");
        }
        assert!(svg.contains("a &lt;page&gt;"));
        let svg = picture("<p>Own text", "Home");
        assert!(!svg.contains("class=\"fr\"") && svg.contains("class=\"sl\""));
        assert!(picture("", "").starts_with("<svg"));
    }

    #[test]
    fn pictures_are_bounded() {
        let long = format!("<p>{}</p>", "many words ".repeat(500_000));
        assert!(picture(&long, "").len() < 10_000);
        let many = "<table><tr><td>a<td>b<td>c</table><p>x y z".repeat(20_000);
        assert!(picture(&many, "").len() < 80_000);
    }
}
