//! How well a clustering agrees with the true one.

use std::collections::BTreeMap;

/// The adjusted Rand index of two clusterings of the same items (Hubert and Arabie, 1985): 1 if
/// they are the same apart from the labels, about 0 if they agree no more than by chance, below 0
/// if less.
///
/// Two trivial clusterings of the same kind, everything in one cluster or every item alone, are
/// equal and have 1.
///
/// ```
/// use unframe_eval::adjusted_rand_index;
///
/// assert_eq!(adjusted_rand_index(&[0, 0, 1, 1], &[7, 7, 3, 3]), 1.0);
/// assert!(adjusted_rand_index(&[0, 0, 1, 1], &[0, 1, 0, 1]) < 0.0);
/// ```
///
/// # Panics
/// If the two do not have the same length.
pub fn adjusted_rand_index(a: &[u32], b: &[u32]) -> f64 {
    assert_eq!(
        a.len(),
        b.len(),
        "both clusterings must have the same items"
    );
    let together = pairs_in(a.iter().zip(b));
    let (in_a, in_b, all) = (pairs_in(a), pairs_in(b), pairs(a.len() as u64));
    if all == 0.0 {
        return 1.0;
    }
    let by_chance = in_a * in_b / all;
    let most = (in_a + in_b) / 2.0;
    match most == by_chance {
        true => 1.0,
        false => (together - by_chance) / (most - by_chance),
    }
}

/// Number of pairs of items that are in the same cluster.
fn pairs_in<T: Ord>(names: impl IntoIterator<Item = T>) -> f64 {
    let mut sizes: BTreeMap<T, u64> = BTreeMap::new();
    for name in names {
        *sizes.entry(name).or_default() += 1;
    }
    sizes.into_values().map(pairs).sum()
}

fn pairs(things: u64) -> f64 {
    (things * things.saturating_sub(1) / 2) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (a, b, expected) in [
            (&[][..], &[][..], 1.0),
            (&[5], &[1], 1.0),
            (&[0, 0, 0], &[1, 1, 1], 1.0),
            (&[0, 1, 2], &[2, 1, 0], 1.0),
            (&[0, 0, 0], &[0, 1, 2], 0.0),
            // Computed by hand: 1 pair together, 2 and 2 in each, 6 in all.
            (&[0, 0, 1, 1], &[0, 0, 1, 2], 4.0 / 7.0),
            (&[0, 0, 1, 2], &[0, 0, 1, 1], 4.0 / 7.0),
            // 2 together, 3 and 2, 15 in all: (2 − .4)/(2.5 − .4).
            (&[0, 0, 1, 1, 2, 2], &[0, 0, 1, 1, 2, 3], 1.6 / 2.1),
        ] {
            let found = adjusted_rand_index(a, b);
            assert!((found - expected).abs() < 1e-12, "{a:?} {b:?} {found}");
        }
    }
}
