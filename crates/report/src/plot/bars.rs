//! Grouped horizontal bars. Each label is above its group, so that long labels fit on narrow screens.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A group of bars with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct BarGroup {
    /// The label of the group.
    pub label: String,
    /// One value per series, with its text.
    pub values: Vec<(f64, String)>,
}

/// The colours of the series, in order; readable on light and dark backgrounds.
const COLOURS: [RGBColor; 4] = [
    RGBColor(0xd9, 0x7a, 0x2b),
    RGBColor(0x2b, 0x8c, 0xc4),
    RGBColor(0x5a, 0xa4, 0x55),
    RGBColor(0x9a, 0x6f, 0xc0),
];
const GREY: RGBColor = RGBColor(0x77, 0x77, 0x77);

/// Font size in CSS pixels; the backend divides its argument by 1.24.
const FONT: i32 = 13;
const FONT_HERE: f64 = FONT as f64 * 1.24;
const LINE: i32 = 20;
const BAR: i32 = 15;
const GAP: i32 = 10;

/// Draws groups of bars on a common scale that starts at 0, as an SVG of this width in pixels; at most
/// four series.
///
/// ```
/// use unframe_report::plot::{BarGroup, bars};
///
/// let group = BarGroup {
///     label: "home".into(),
///     values: vec![(200.0, "200".into()), (3.0, "3".into())],
/// };
/// let svg = bars(360, &["before", "after"], &[group]);
/// assert!(svg.starts_with("<svg") && svg.contains("home"));
/// ```
pub fn bars(width: u32, series: &[&str], groups: &[BarGroup]) -> String {
    let group_height = LINE + series.len() as i32 * BAR + GAP;
    let height = LINE + GAP + groups.len() as i32 * group_height;
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, (width, height as u32)).into_drawing_area();
    let drawn = draw(&root, width as i32, series, groups);
    drawn.expect("drawing into a string cannot fail");
    drop(root);
    svg
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn draw<'a>(root: &Area<'a>, width: i32, series: &[&str], groups: &[BarGroup]) -> Drawn<'a> {
    let style = ("sans-serif", FONT_HERE).into_font().color(&GREY);
    let style = style.pos(Pos::new(HPos::Left, VPos::Center));
    let mut x = 0;
    for (name, colour) in series.iter().zip(COLOURS) {
        let mark = Rectangle::new([(x, 4), (x + 12, 16)], colour.filled());
        root.draw(&mark)?;
        root.draw(&Text::new(name.to_string(), (x + 18, LINE / 2), &style))?;
        x += 18 + text_width(name) + 20;
    }
    let lengths = groups.iter().flat_map(|group| &group.values);
    let (mut longest, mut written) = (0.0_f64, 0);
    for (length, text) in lengths {
        longest = longest.max(*length);
        written = written.max(text_width(text));
    }
    let room = f64::from((width - written - 8).max(10));
    let mut y = LINE + GAP;
    for group in groups {
        let label = shortened(&group.label, width);
        root.draw(&Text::new(label, (0, y + LINE / 2), &style))?;
        y += LINE;
        for ((length, text), colour) in group.values.iter().zip(COLOURS) {
            let share = if longest > 0.0 { length / longest } else { 0.0 };
            // A value above 0 is always visible.
            let least = i32::from(*length > 0.0);
            let end = ((room * share).round() as i32).max(least);
            let bar = Rectangle::new([(0, y + 1), (end, y + BAR - 1)], colour.filled());
            root.draw(&bar)?;
            root.draw(&Text::new(text.clone(), (end + 5, y + BAR / 2), &style))?;
            y += BAR;
        }
        y += GAP;
    }
    root.present()
}

/// Approximate width of a text, as no font metrics are available. From hangul on, characters are square.
fn text_width(text: &str) -> i32 {
    let units: i32 = text
        .chars()
        .map(|c| if c < '\u{1100}' { 6 } else { 10 })
        .sum();
    units * FONT / 10
}

fn shortened(label: &str, width: i32) -> String {
    if text_width(label) <= width {
        return label.to_string();
    }
    let mut short = String::new();
    for c in label.chars() {
        if text_width(&short) + 2 * FONT > width {
            break;
        }
        short.push(c);
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(label: &str, values: &[f64]) -> BarGroup {
        BarGroup {
            label: label.into(),
            values: values.iter().map(|v| (*v, v.to_string())).collect(),
        }
    }

    fn widths(svg: &str) -> Vec<i32> {
        let rects = svg.split("<rect ").skip(1);
        let width = |rect: &str| {
            rect.split("width=\"")
                .nth(1)?
                .split('"')
                .next()?
                .parse()
                .ok()
        };
        rects.map(|rect| width(rect).expect("a width")).collect()
    }

    #[test]
    fn bars_are_as_long_as_their_values() {
        let groups = [group("a", &[100.0, 50.0]), group("b", &[0.0, 0.001])];
        let svg = bars(400, &["before", "after"], &groups);
        let widths = widths(&svg);
        // Two marks of the legend, then the bars.
        let [a, b, c, d] = widths[2..] else {
            panic!("{widths:?}")
        };
        assert!((a - 2 * b).abs() <= 1, "{widths:?}");
        assert_eq!((c, d), (0, 1));
        assert!(a < 400);
    }

    #[test]
    fn labels_are_escaped_and_shortened() {
        let long = "x".repeat(500);
        let svg = bars(300, &["n"], &[group("<b>&", &[1.0]), group(&long, &[1.0])]);
        assert!(
            svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"),
            "{svg}"
        );
        assert!(svg.contains("x…") && !svg.contains(&long));
    }

    #[test]
    fn nothing_to_draw_is_no_error() {
        assert!(bars(300, &["n"], &[]).starts_with("<svg"));
    }
}
