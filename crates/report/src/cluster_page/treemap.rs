//! Rectangles whose areas are shares of a whole, as square as can be (Bruls, Huizing, van Wijk,
//! *Squarified Treemaps*, 2000).

/// A rectangle; `y` grows downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    /// Shrunk by a margin on each side; never negative.
    pub fn inset(self, by: f64) -> Rect {
        Rect {
            x: self.x + by.min(self.width / 2.0),
            y: self.y + by.min(self.height / 2.0),
            width: (self.width - 2.0 * by).max(0.0),
            height: (self.height - 2.0 * by).max(0.0),
        }
    }

    /// Without a strip at the top.
    pub fn below(self, strip: f64) -> Rect {
        let strip = strip.min(self.height);
        Rect {
            y: self.y + strip,
            height: self.height - strip,
            ..self
        }
    }
}

/// A rectangle for each size, in order; sizes must be positive, and should be descending.
pub fn treemap(sizes: &[f64], whole: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().sum();
    let scale = whole.width * whole.height / total.max(f64::MIN_POSITIVE);
    let areas: Vec<f64> = sizes.iter().map(|size| size * scale).collect();
    let mut placed = Vec::with_capacity(areas.len());
    let (mut free, mut rest) = (whole, &areas[..]);
    while !rest.is_empty() {
        let side = free.width.min(free.height);
        let mut count = 1;
        while count < rest.len() && worst(&rest[..=count], side) <= worst(&rest[..count], side) {
            count += 1;
        }
        let (row, after) = rest.split_at(count);
        free = place_row(row, free, &mut placed);
        rest = after;
    }
    placed
}

/// The worst aspect ratio of some areas in a row; 1 is a square.
fn worst(row: &[f64], side: f64) -> f64 {
    let total: f64 = row.iter().sum();
    let thickness = total / side.max(f64::MIN_POSITIVE);
    let ratio = |area: &f64| {
        let length = area / thickness.max(f64::MIN_POSITIVE);
        (length / thickness).max(thickness / length)
    };
    row.iter().map(ratio).fold(1.0, f64::max)
}

/// Fills the shorter side of the free area with a row, and shrinks the free area.
fn place_row(row: &[f64], free: Rect, placed: &mut Vec<Rect>) -> Rect {
    let total: f64 = row.iter().sum();
    let upright = free.width >= free.height;
    let side = free.width.min(free.height).max(f64::MIN_POSITIVE);
    let thickness = total / side;
    let mut at = 0.0;
    for area in row {
        let length = area / thickness.max(f64::MIN_POSITIVE);
        placed.push(match upright {
            true => Rect {
                x: free.x,
                y: free.y + at,
                width: thickness,
                height: length,
            },
            false => Rect {
                x: free.x + at,
                y: free.y,
                width: length,
                height: thickness,
            },
        });
        at += length;
    }
    match upright {
        true => Rect {
            x: free.x + thickness,
            width: (free.width - thickness).max(0.0),
            ..free
        },
        false => free.below(thickness),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Rect = Rect {
        x: 10.0,
        y: 20.0,
        width: 600.0,
        height: 400.0,
    };

    #[test]
    fn areas_are_shares_and_nothing_overlaps() {
        for sizes in [
            vec![6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0],
            vec![1.0],
            vec![1000.0, 1.0, 1.0],
            (1..200).map(|n| 200.0 / f64::from(n)).collect(),
        ] {
            let placed = treemap(&sizes, WHOLE);
            let total: f64 = sizes.iter().sum();
            assert_eq!(placed.len(), sizes.len());
            for (rect, size) in placed.iter().zip(&sizes) {
                let share = rect.width * rect.height / (WHOLE.width * WHOLE.height);
                assert!((share - size / total).abs() < 1e-9, "{rect:?}");
                assert!(rect.x >= WHOLE.x - 1e-6 && rect.y >= WHOLE.y - 1e-6);
                assert!(rect.x + rect.width <= WHOLE.x + WHOLE.width + 1e-6);
                assert!(rect.y + rect.height <= WHOLE.y + WHOLE.height + 1e-6);
            }
            for (at, a) in placed.iter().enumerate() {
                for b in &placed[at + 1..] {
                    let wide = (a.x + a.width).min(b.x + b.width) - a.x.max(b.x);
                    let high = (a.y + a.height).min(b.y + b.height) - a.y.max(b.y);
                    assert!(wide < 1e-6 || high < 1e-6, "{a:?} {b:?}");
                }
            }
        }
        assert!(treemap(&[], WHOLE).is_empty());
    }

    #[test]
    fn rectangles_are_near_to_squares() {
        let placed = treemap(&[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], WHOLE);
        for rect in placed {
            let ratio = (rect.width / rect.height).max(rect.height / rect.width);
            assert!(ratio < 3.1, "{rect:?}");
        }
    }
}
