//! How long a segment is remembered (§2.4 of the paper).

/// `t = Tb·N / (1 + (N − 1)·e^−(df − 1))`: from Tb pages for a segment seen on one page up to Tb·N.
pub fn lifetime(df: u32, tb: f64, n: f64) -> f64 {
    let age = -(f64::from(df) - 1.0);
    tb * n / (1.0 + (n - 1.0) * libm::exp(age))
}

/// The first page at which a segment last seen on page `last` is dropped, because its lifetime has
/// passed.
pub(super) fn dropped_at(last: u64, df: u32, tb: f64, n: f64) -> u64 {
    last.saturating_add(lifetime(df, tb, n).floor() as u64)
        .saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_specification() {
        let dfs = [1, 2, 3, 4, 5, 6, 8, 10, 20];
        for (tb, n, expected) in [
            (
                10.0,
                10.0,
                [
                    10.0, 23.197, 45.085, 69.057, 85.849, 94.283, 99.186, 99.889, 100.0,
                ],
            ),
            (
                20.0,
                5.0,
                [
                    20.0, 40.461, 64.879, 83.393, 93.174, 97.376, 99.637, 99.951, 100.0,
                ],
            ),
            (
                50.0,
                20.0,
                [
                    50.0, 125.161, 280.005, 513.887, 741.841, 886.508, 982.969, 997.661, 1000.0,
                ],
            ),
            (
                100.0,
                100.0,
                [
                    100.0, 267.236, 694.532, 1686.648, 3554.610, 5998.596, 9171.987, 9879.299,
                    9999.994,
                ],
            ),
        ] {
            for (df, value) in dfs.iter().zip(expected) {
                let found = lifetime(*df, tb, n);
                assert!(
                    (found - value).abs() < 0.001,
                    "tb {tb} n {n} df {df}: {found}"
                );
            }
        }
    }

    #[test]
    fn bounds() {
        assert_eq!(lifetime(1, 7.0, 1.0), 7.0);
        assert_eq!(lifetime(1_000, 7.0, 1.0), 7.0);
        assert_eq!(lifetime(u32::MAX, 50.0, 20.0), 1000.0);
        // Tb = N = 10, df = 3, last seen on page 100: alive at page 145, dropped at 146.
        assert_eq!(dropped_at(100, 3, 10.0, 10.0), 146);
        assert_eq!(dropped_at(u64::MAX - 1, 3, 10.0, 10.0), u64::MAX);
    }
}
