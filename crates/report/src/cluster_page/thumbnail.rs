//! A sketch of a page's layout, which distinguishes template and content.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use unframe::dom::{Dom, NodeId};

use super::boxes::{self, Box, Kind, LINE, boxes};
use super::tenth;
use super::treemap::Rect;

/// Maximum height; longer pages are compressed.
const HEIGHT: f64 = 208.0;

/// Maximum number of rectangles, which bounds the size of the SVG.
const MOST_RECTANGLES: usize = 900;

/// Lines of text closer than this are drawn as one.
const FINEST: f64 = 1.7;

/// Layers of shapes, bottom up, named by their CSS class.
#[derive(Default)]
struct Layers {
    /// Template elements that contain only template, and only content.
    frame: Layer,
    slot: Layer,
    outline: Layer,
    image: Layer,
    /// Texts as lines, and texts too small for lines.
    frame_text: Layer,
    content_text: Layer,
    frame_blocks: Layer,
    content_blocks: Layer,
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

/// A drawing.
pub struct Thumbnail {
    /// Including the margin.
    pub height: f64,
    /// The contents of an SVG element, styled by the classes of the report.
    shapes: String,
}

impl Thumbnail {
    /// Including the margin.
    pub const WIDTH: f64 = boxes::WIDTH + 4.0;

    fn view_box(&self) -> String {
        format!("-2 -2 {} {}", Thumbnail::WIDTH, tenth(self.height))
    }

    /// The drawing, with an id by which it can be reused.
    pub fn svg(&self, name: &str, label: &str) -> Markup {
        html! {
            svg.thumb viewBox=(self.view_box()) role="img" aria-label=(label) {
                g id=(name) { (PreEscaped(&self.shapes)) }
            }
        }
    }

    /// Reuses the drawing with that id, as a sheet of paper inside another drawing; it is cropped at
    /// the bottom if it does not fit.
    pub fn again(&self, name: &str, place: Rect) -> Markup {
        let visible = self
            .height
            .min(Thumbnail::WIDTH * place.height / place.width);
        let high = tenth(place.width * visible / Thumbnail::WIDTH);
        let (x, y, wide) = (tenth(place.x), tenth(place.y), tenth(place.width));
        html! {
            rect.paper x=(x) y=(y) width=(wide) height=(high) rx="2" {}
            svg.thumb x=(x) y=(y) width=(wide) height=(high)
                viewBox=(format!("-2 -2 {} {}", Thumbnail::WIDTH, tenth(visible))) aria-hidden="true" {
                use href=(format!("#{name}")) {}
            }
        }
    }
}

/// Draws a page. `template` tells whether the path of a node is in the template.
pub fn thumbnail(dom: &Dom, template: impl Fn(NodeId) -> bool) -> Thumbnail {
    let boxes = boxes(dom, template);
    let natural = boxes[0].rect.height.max(1.0);
    let squeeze = (HEIGHT / natural).min(1.0);
    let regions = regions(&boxes);
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
            Kind::Element { .. } => match regions[at] {
                // The outermost one is enough.
                Some(_) if regions[at] == regions[one.parent] => (),
                Some(Region::Frame) => layers.frame.add(rect),
                Some(Region::Slot) => layers.slot.add(rect),
                None if one.children.len() > 1 && rect.height > 6.0 => layers.outline.add(rect),
                None => (),
            },
        }
    }
    Thumbnail {
        height: natural * squeeze + 4.0,
        shapes: layers.shapes(),
    }
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
    let scale = if heading { 1.5 } else { 1.0 };
    let pitch = LINE * scale * squeeze;
    let lines = (rect.height / pitch).round().max(1.0);
    let layer = match (template, pitch < FINEST) {
        (true, false) => &mut layers.frame_text,
        (false, false) => &mut layers.content_text,
        (true, true) => &mut layers.frame_blocks,
        (false, true) => &mut layers.content_blocks,
    };
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

/// What a template element contains.
#[derive(Clone, Copy, PartialEq)]
enum Region {
    /// All its texts are in the template.
    Frame,
    /// None is.
    Slot,
}

fn regions(boxes: &[Box]) -> Vec<Option<Region>> {
    // Characters of template and of content in each box.
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
    let region = |(one, (frame, content)): (&Box, (f64, f64))| match one.kind {
        Kind::Element { template: true } if content == 0.0 && frame > 0.0 => Some(Region::Frame),
        Kind::Element { template: true } if frame == 0.0 && content > 0.0 => Some(Region::Slot),
        _ => None,
    };
    boxes.iter().zip(sums).map(region).collect()
}

impl Layers {
    fn shapes(&self) -> String {
        let shapes = html! {
            @for (class, layer) in [
                ("fr", &self.frame), ("sl", &self.slot), ("ou", &self.outline),
                ("im", &self.image), ("ft", &self.frame_text), ("ct", &self.content_text),
                ("fb", &self.frame_blocks), ("cb", &self.content_blocks),
            ] {
                @if layer.count > 0 { path class=(class) d=(layer.path) {} }
            }
        };
        shapes.into_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unframe::Limits;
    use unframe::dom::{Tag, parse};

    fn picture(html: &str, template: &str) -> String {
        let dom = parse(html, &Limits::default());
        let drawn = thumbnail(&dom, |id| match dom.node(id).tag {
            Tag::TEXT => dom.text(id) == template,
            _ => true,
        });
        drawn.svg("t1", "a <page>").into_string()
    }

    #[test]
    fn template_and_slots_have_colours_of_their_own() {
        let svg = picture("<nav>Home</nav><main><p>Own text</main>", "Home");
        for class in [
            "class=\"fr\"",
            "class=\"sl\"",
            "class=\"ft\"",
            "class=\"ct\"",
        ] {
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
