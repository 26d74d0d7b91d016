//! Sets represented as ascending lists.

/// How many items two ascending lists have in common.
pub(crate) fn in_both(a: &[u32], b: &[u32]) -> usize {
    let (mut at, mut bt, mut both) = (0, 0, 0);
    while at < a.len() && bt < b.len() {
        let (x, y) = (a[at], b[bt]);
        both += usize::from(x == y);
        at += usize::from(x <= y);
        bt += usize::from(y <= x);
    }
    both
}
