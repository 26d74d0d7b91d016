//! The measures of the chunk papers (Ma et al. 2003; Ma, Goharian, Chowdhury, Chung, CIKM 2003).

use std::time::Duration;

/// The numbers of template tokens and of all tokens on one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenCount {
    /// Tokens in template chunks.
    pub template: u64,
    /// All tokens.
    pub all: u64,
}

/// Average template fraction, *atf = t / p*: the mean number of template tokens per page over the
/// mean number of tokens per page. `None` if there are no tokens.
pub fn average_template_fraction(pages: &[TokenCount]) -> Option<f64> {
    let template: u64 = pages.iter().map(|page| page.template).sum();
    let all: u64 = pages.iter().map(|page| page.all).sum();
    (all > 0).then(|| template as f64 / all as f64)
}

/// Template table discovery ratio, *ttdr = nd / nt*: found template tables over actual ones,
/// counting occurrences. It is 1 if all were found, less if some were missed, more if others were
/// mistaken for template; a miss can be offset by a false positive. `None` if there are none.
pub fn discovery_ratio(discovered: u64, actual: u64) -> Option<f64> {
    (actual > 0).then(|| discovered as f64 / actual as f64)
}

/// Number of pages to inspect by hand so that a share is known within `error` at a level of
/// `confidence`: *n = Z²S²/D²*, rounded up, where S, the standard `deviation`, is at most 0.5 for a
/// share. `None` unless 0 < confidence < 1 and the others are positive numbers.
///
/// ```
/// assert_eq!(unframe_eval::sample_size(0.9, 0.5, 0.05), Some(271));
/// ```
pub fn sample_size(confidence: f64, deviation: f64, error: f64) -> Option<u64> {
    let z = two_sided(confidence)?;
    let size = (z * deviation / error).powi(2).ceil();
    (deviation > 0.0 && error > 0.0 && size.is_finite()).then_some(size as u64)
}

/// The maximum error of a share after inspecting `size` pages: *D = Z·S/√n*.
pub fn sample_error(confidence: f64, deviation: f64, size: u64) -> Option<f64> {
    let z = two_sided(confidence)?;
    (deviation > 0.0 && size > 0).then(|| z * deviation / (size as f64).sqrt())
}

/// Unit execution time: milliseconds per 1000 bytes of page. `None` if there are no bytes.
pub fn unit_time(elapsed: Duration, bytes: u64) -> Option<f64> {
    (bytes > 0).then(|| elapsed.as_secs_f64() * 1e6 / bytes as f64)
}

/// The quantile of the normal distribution at 1 − α/2, where α is 1 − `confidence`.
fn two_sided(confidence: f64) -> Option<f64> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    // Beyond 9 a double cannot represent the difference from certainty.
    let (mut low, mut high) = (0.0, 9.0);
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        match within(middle) < confidence {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(f64::midpoint(low, high))
}

/// The probability that a normal variable is within `z` standard deviations of its mean, by the
/// series 2φ(z)·(z + z³/3 + z⁵/(3·5) + …), all of whose terms are positive.
fn within(z: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term > sum * 1e-16 {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    2.0 * density * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64, by: f64) {
        assert!((found.unwrap() - expected).abs() < by, "{found:?}");
    }

    #[test]
    fn numbers_of_the_papers() {
        // cnnfn: 53 MB of 248 MB are template.
        let cnnfn = TokenCount {
            template: 53,
            all: 248,
        };
        close(average_template_fraction(&[cnnfn]), 0.2137, 5e-5);
        let ratios = [34.1, 17.8, 18.1, 19.3, 22.5, 54.1, 19.3, 29.3];
        close(Some(ratios.iter().sum::<f64>() / 8.0), 26.8125, 1e-9);
        // NBA: 6 of 7 map entries; the 200 pages of cnnfn.
        close(discovery_ratio(6, 7), 0.86, 0.005);
        close(sample_error(0.9, 0.5, 200), 0.05815, 5e-6);
        assert_eq!(sample_size(0.9, 0.5, 0.05), Some(271));
        assert_eq!(sample_size(0.9, 0.5, 0.058), Some(202));
        // eBay: 10655 ms for 2370 kB.
        close(
            unit_time(Duration::from_millis(10_655), 2_370_000),
            4.5,
            0.05,
        );
    }

    #[test]
    fn pages_weigh_by_their_tokens() {
        let page = |template, all| TokenCount { template, all };
        assert_eq!(
            average_template_fraction(&[page(1, 2), page(1, 6)]),
            Some(0.25)
        );
        assert_eq!(average_template_fraction(&[page(0, 0)]), None);
        assert_eq!(average_template_fraction(&[]), None);
        assert_eq!(discovery_ratio(3, 2), Some(1.5));
        assert_eq!(discovery_ratio(3, 0), None);
        assert_eq!(unit_time(Duration::from_secs(1), 0), None);
    }

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (confidence, z) in [
            (0.5, 0.674_489_750_2),
            (0.9, 1.644_853_627_0),
            (0.95, 1.959_963_984_5),
            (0.99, 2.575_829_303_5),
            (0.999_999, 4.891_638_475_7),
        ] {
            close(two_sided(confidence), z, 1e-9);
        }
        for wrong in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(two_sided(wrong), None);
        }
        assert_eq!(sample_size(0.9, 0.5, 0.0), None);
        assert_eq!(sample_size(0.9, -0.5, 0.1), None);
    }
}
