//! What kind of page it probably is.

use unframe_labels::PageKind;

/// The probability of each kind of page; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageKinds([f32; PageKind::ALL.len()]);

impl Default for PageKinds {
    fn default() -> Self {
        PageKinds::of([1.0; PageKind::ALL.len()])
    }
}

impl PageKinds {
    /// By probabilities that were found for each kind alone.
    pub(super) fn of(alone: [f32; PageKind::ALL.len()]) -> PageKinds {
        let sum: f32 = alone.iter().sum();
        PageKinds(alone.map(|probability| probability / sum))
    }

    /// The probability of a kind.
    pub fn probability(&self, kind: PageKind) -> f32 {
        self.0[kind as usize]
    }

    /// The most probable kind, with its probability.
    pub fn best(&self) -> (PageKind, f32) {
        let of = |kind: PageKind| (kind, self.probability(kind));
        let kinds = PageKind::ALL.into_iter().map(of);
        kinds.fold(of(PageKind::Other), |best, other| {
            if other.1 > best.1 { other } else { best }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up() {
        let kinds = PageKinds::of([0.9, 0.3, 0.0, 0.0, 0.0]);
        assert_eq!(kinds.best().0, PageKind::Article);
        assert!((kinds.best().1 - 0.75).abs() < 1e-6);
        assert!((kinds.probability(PageKind::Thread) - 0.25).abs() < 1e-6);
    }

    #[test]
    fn in_doubt_it_is_something_else() {
        assert_eq!(PageKinds::default().best().0, PageKind::Other);
    }
}
