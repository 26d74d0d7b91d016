//! Line charts, optionally with a second vertical scale on the right.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, Ranged, ValueFormatter};
use plotters::prelude::*;

/// The size of a chart, without its legend.
const SIZE: (u32, u32) = (760, 434);
/// The legend below the chart: the height of a row, its left edge, and the space around it.
const LEGEND_ROW: u32 = 18;
const LEGEND_START: u32 = 70;
const LEGEND_MARGIN: u32 = 8;
/// Distance between two entries of the legend, without the name.
const LEGEND_STROKE: u32 = 48;

/// Colours that are distinguishable with colour vision deficiency.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points from left to right; those that are not numbers are left out.
    pub points: Vec<(f64, f64)>,
    /// Whether it uses the scale on the right.
    pub right: bool,
}

/// A chart of some lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the left scale.
    pub left: String,
    /// The label of the right scale, if there is one.
    pub right: String,
    /// Whether the horizontal axis is logarithmic. If so, points at or below 0 are left out.
    pub log_x: bool,
    /// The lines.
    pub lines: Vec<Line>,
}

impl LineChart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        self.draw(&mut svg).expect("drawing into memory");
        svg
    }

    /// Width and height of the picture.
    pub fn size(&self) -> (u32, u32) {
        let last_row = self.name_places().last().map_or(0, |(_, y)| *y);
        (SIZE.0, SIZE.1 + last_row + LEGEND_ROW + LEGEND_MARGIN)
    }

    /// The position of each name in the legend, row by row.
    fn name_places(&self) -> Vec<(u32, u32)> {
        let (mut x, mut y) = (LEGEND_START, 0);
        let mut places = Vec::new();
        for line in &self.lines {
            // No font metrics are available; characters are about seven pixels wide.
            let width = LEGEND_STROKE + 7 * line.name.chars().count() as u32;
            if x > LEGEND_START && x + width > SIZE.0 {
                (x, y) = (LEGEND_START, y + LEGEND_ROW);
            }
            places.push((x, y));
            x += width;
        }
        places
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let root = SVGBackend::with_string(svg, self.size()).into_drawing_area();
        root.fill(&WHITE)?;
        let x = Scale {
            range: self.range(|_| true, |point| point.0),
            log: self.log_x,
        };
        let left = self.range(|line| !line.right, |point| point.1);
        let right = self.range(|line| line.right, |point| point.1);
        let has_right = self.lines.iter().any(|line| line.right);
        // The legend is below the chart, where it hides no point.
        let (upper, lower) = root.split_vertically(SIZE.1);
        self.draw_names(&lower)?;
        let mut chart = ChartBuilder::on(&upper)
            .caption(&self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .right_y_label_area_size(if has_right { 56 } else { 12 })
            .build_cartesian_2d(x.clone(), left)?
            .set_secondary_coord(x, right);
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(&self.x)
            .y_desc(&self.left)
            .y_label_formatter(&|value| short(*value))
            .draw()?;
        if has_right {
            chart
                .configure_secondary_axes()
                .y_desc(&self.right)
                .y_label_formatter(&|value| short(*value))
                .draw()?;
        }
        for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            let points = self.points(line);
            let series = LineSeries::new(points, colour.stroke_width(2)).point_size(3);
            match line.right {
                true => chart.draw_secondary_series(series)?,
                false => chart.draw_series(series)?,
            };
        }
        root.present()?;
        Ok(())
    }

    fn draw_names(
        &self,
        area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error + '_>> {
        let colours = COLOURS.iter().cycle();
        for ((line, (x, y)), colour) in self.lines.iter().zip(self.name_places()).zip(colours) {
            let (x, y) = (x as i32, y as i32);
            let stroke = [(x, y + 10), (x + 18, y + 10)];
            let drawn = area.draw(&PathElement::new(stroke, colour.stroke_width(2)));
            drawn.map_err(|error| error.to_string())?;
            let name = Text::new(line.name.clone(), (x + 24, y + 5), ("sans-serif", 12));
            area.draw(&name).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// The points of a line in drawing coordinates.
    fn points(&self, line: &Line) -> Vec<(f64, f64)> {
        let place = |x: f64| if self.log_x { x.log10() } else { x };
        let points = line.points.iter().map(|(x, y)| (place(*x), *y));
        points
            .filter(|(x, y)| x.is_finite() && y.is_finite())
            .collect()
    }

    /// From the smallest to the largest value, never empty.
    fn range(&self, of: impl Fn(&Line) -> bool, value: impl Fn(&(f64, f64)) -> f64) -> Range<f64> {
        let points = self.lines.iter().filter(|line| of(line));
        let values = points.flat_map(|line| self.points(line));
        let (low, high) = values
            .map(|point| value(&point))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        match low.is_finite() {
            false => 0.0..1.0,
            true if low == high => low - 0.5..high + 0.5,
            true => low..high + 0.02 * (high - low),
        }
    }
}

/// Several charts below each other in one SVG.
pub fn stack(charts: &[LineChart]) -> String {
    let height: u32 = charts.iter().map(|chart| chart.size().1).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{height}\">\n",
        SIZE.0
    );
    let mut y = 0;
    for chart in charts {
        svg += &format!("<g transform=\"translate(0 {y})\">\n{}</g>\n", chart.svg());
        y += chart.size().1;
    }
    svg + "</svg>\n"
}

/// A number with as few digits as needed.
fn short(value: f64) -> String {
    let rounded = (value * 1e3).round() / 1e3;
    format!("{rounded}")
}

/// The horizontal axis. On a logarithmic axis, positions are exponents and labels their powers.
#[derive(Clone)]
struct Scale {
    range: Range<f64>,
    log: bool,
}

impl Ranged for Scale {
    type FormatOption = plotters::coord::ranged1d::NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let most = hint.max_num_points();
        if self.log {
            let powers = self.range.start.floor() as i32..=self.range.end.ceil() as i32;
            let steps = [1.0f64, 2.0, 5.0].map(f64::log10);
            let points = powers.flat_map(|power| steps.map(|step| f64::from(power) + step));
            let inside: Vec<f64> = points.filter(|at| self.range.contains(at)).collect();
            let every = inside.len().div_ceil(most.max(1)).max(1);
            return inside.into_iter().step_by(every).collect();
        }
        plotters::coord::types::RangedCoordf64::from(self.range.clone()).key_points(most)
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        short(if self.log { 10f64.powf(*value) } else { *value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, points: &[(f64, f64)], right: bool) -> Line {
        Line {
            name: name.into(),
            points: points.to_vec(),
            right,
        }
    }

    #[test]
    fn a_chart_has_its_words_and_its_lines() {
        let chart = LineChart {
            title: "Found & missed".into(),
            x: "pages".into(),
            left: "ttdr".into(),
            right: "ms".into(),
            log_x: false,
            lines: vec![
                line("tables", &[(1.0, 0.5), (2.0, 1.0), (3.0, f64::NAN)], false),
                line("time", &[(1.0, 20.0), (2.0, 40.0)], true),
            ],
        };
        let svg = chart.svg();
        for part in [
            "<svg",
            "</svg>",
            "Found &amp; missed",
            "pages",
            "ttdr",
            "tables",
            "time",
            "<polyline",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert!(!svg.contains("NaN"), "{svg}");
        assert_eq!(svg, chart.svg(), "the same chart is the same picture");
    }

    #[test]
    fn powers_are_labelled_on_a_logarithmic_axis() {
        let chart = LineChart {
            log_x: true,
            lines: vec![line("a", &[(0.0, 1.0), (1.0, 0.2), (1000.0, 0.9)], false)],
            ..LineChart::default()
        };
        let svg = chart.svg();
        for label in [">\n1\n<", ">\n10\n<", ">\n100\n<", ">\n1000\n<"] {
            assert!(svg.contains(label), "{label:?}: {svg}");
        }
    }

    #[test]
    fn names_that_do_not_fit_go_to_the_next_row() {
        let long = "a method with many settings";
        let lines: Vec<Line> = (0..7).map(|_| line(long, &[(1.0, 1.0)], false)).collect();
        let chart = |count: usize| LineChart {
            lines: lines[..count].to_vec(),
            ..LineChart::default()
        };
        let (one, many) = (chart(1).size(), chart(7).size());
        assert!(many.1 > one.1, "{one:?} {many:?}");
        let mut places = chart(7).name_places();
        places.dedup();
        assert_eq!(places.len(), 7);
        assert!(places.iter().all(|(x, _)| *x < SIZE.0 / 2 + LEGEND_START));
        let both = stack(&[chart(1), chart(7)]);
        assert!(both.contains(&format!("height=\"{}\"", one.1 + many.1)));
        assert_eq!(both.matches("<svg").count(), 3);
        assert_eq!(both.matches(long).count(), 8);
    }

    #[test]
    fn charts_without_points_are_drawn() {
        let empty = LineChart::default();
        assert!(empty.svg().contains("</svg>"));
        for points in [&[][..], &[(1.0, 1.0)], &[(f64::NAN, f64::INFINITY)]] {
            let chart = LineChart {
                lines: vec![line("a", points, false)],
                ..LineChart::default()
            };
            assert!(chart.svg().contains("</svg>"), "{points:?}");
        }
    }
}
