//! The description length as clusters were merged.

use std::fmt::Write as _;

use maud::{Markup, html};
use unframe::survey::Heap;

use super::tenth;
use crate::numbers::{bits, grouped};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 170.0;
/// Margins of the curve: left, top, right, bottom.
const MARGIN: [f64; 4] = [6.0, 22.0, 88.0, 22.0];
/// Maximum number of points; more would not be visible.
const MOST_POINTS: usize = 300;

/// Draws the curve of a heap with at least one merge.
pub fn curve(heap: &Heap) -> Markup {
    let lengths: Vec<f64> = std::iter::once(heap.length_before)
        .chain(heap.lengths.iter().copied())
        .collect();
    let clusters = heap.pages - heap.lengths.len();
    let [left, top, right, bottom] = MARGIN;
    let (wide, high) = (WIDTH - left - right, HEIGHT - top - bottom);
    let last = (lengths.len() - 1).max(1) as f64;
    let most = lengths.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let place = |at: usize| {
        let x = left + wide * at as f64 / last;
        let y = top + high * (1.0 - lengths[at] / most);
        (tenth(x), tenth(y))
    };
    let step = lengths.len().div_ceil(MOST_POINTS).max(1);
    let mut points: Vec<usize> = (0..lengths.len()).step_by(step).collect();
    if points.last() != Some(&(lengths.len() - 1)) {
        points.push(lengths.len() - 1);
    }
    let mut line = String::new();
    for (number, at) in points.iter().enumerate() {
        let (x, y) = place(*at);
        let _ = write!(line, "{}{x} {y}", if number == 0 { 'M' } else { 'L' });
    }
    let (end_x, end_y) = place(lengths.len() - 1);
    let floor = tenth(top + high);
    let area = format!("{line}L{end_x} {floor}L{left} {floor}z");
    html! {
        svg.curve viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img"
            aria-label=(format!("Description length falls from {} to {}", bits(heap.length_before), bits(heap.length_after))) {
            path.area d=(area) {}
            path.line d=(line) {}
            circle cx=(end_x) cy=(end_y) r="3.5" {}
            text x=(left) y="14" { (bits(heap.length_before)) }
            text x=(end_x + 9.0) y=(end_y + 4.0) { (bits(heap.length_after)) }
            text.soft x=(left) y=(HEIGHT - 6.0) { (grouped(heap.pages as u64)) " pages, each separate" }
            text.soft.end x=(WIDTH - right) y=(HEIGHT - 6.0) {
                (grouped(clusters as u64)) @if clusters == 1 { " cluster" } @else { " clusters" }
            }
        }
    }
}
