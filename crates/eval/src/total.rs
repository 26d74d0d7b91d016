//! Averages the columns of pages to means per site and per set.
//!
//! A column is averaged over the pages that have it, then over the sites that have it, so a site of
//! two pages counts as much as one of two hundred.

use serde::Serialize;

use crate::{Columns, Wholeness};

/// The means of one site's pages.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SiteTotal {
    /// The site's name.
    pub site: String,
    /// Number of labelled pages that are not lists, whether or not they have columns.
    pub pages: usize,
    /// The mean of each column over the pages that have it.
    #[serde(flatten)]
    pub columns: Columns,
    /// What cleaning broke on all pages that were cleaned, labelled or not; `None` if only the texts
    /// are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<Wholeness>,
}

impl SiteTotal {
    /// The total of the site called `site` from the columns of all of its scored pages.
    pub fn new(site: impl Into<String>, pages: &[Columns]) -> Self {
        Self {
            site: site.into(),
            pages: pages.len(),
            columns: mean(pages.iter()),
            whole: None,
        }
    }

    /// The same with what cleaning broke.
    pub fn with_wholeness(self, whole: Wholeness) -> Self {
        Self {
            whole: Some(whole),
            ..self
        }
    }
}

/// The means of one set's sites.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetTotal {
    /// The set's name.
    pub set: String,
    /// Number of scored pages of all sites.
    pub pages: usize,
    /// The mean of each column over the sites that have it.
    #[serde(flatten)]
    pub columns: Columns,
    /// The sum over the sites that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<Wholeness>,
    /// The sites that were averaged.
    pub sites: Vec<SiteTotal>,
}

impl SetTotal {
    /// The total of the set called `set` from the totals of all of its sites.
    pub fn new(set: impl Into<String>, sites: Vec<SiteTotal>) -> Self {
        Self {
            set: set.into(),
            pages: sites.iter().map(|site| site.pages).sum(),
            columns: mean(sites.iter().map(|site| &site.columns)),
            whole: sum(sites.iter().filter_map(|site| site.whole)),
            sites,
        }
    }
}

/// The mean of each column over those of `rows` that have it.
fn mean<'a>(rows: impl Iterator<Item = &'a Columns> + Clone) -> Columns {
    let of = |column: fn(&Columns) -> Option<f64>| {
        let (sum, count) = rows
            .clone()
            .filter_map(column)
            .fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
        (count > 0).then(|| sum / f64::from(count))
    };
    Columns {
        f1: of(|row| row.f1),
        f1t: of(|row| row.f1t),
        p: of(|row| row.p),
        r: of(|row| row.r),
        leak_t: of(|row| row.leak_t),
        leak_d: of(|row| row.leak_d),
        surv: of(|row| row.surv),
        kept: of(|row| row.kept),
    }
}

fn sum(all: impl Iterator<Item = Wholeness>) -> Option<Wholeness> {
    all.reduce(|mut sum, one| {
        sum += one;
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(f1: Option<f64>, leak_d: Option<f64>) -> Columns {
        Columns {
            f1,
            leak_d,
            ..Columns::default()
        }
    }

    #[test]
    fn sites_weigh_the_same_and_absent_columns_nothing() {
        let large = SiteTotal::new(
            "large",
            &[
                page(Some(1.0), None),
                page(Some(1.0), Some(0.5)),
                page(Some(1.0), None),
            ],
        );
        let small = SiteTotal::new("small", &[page(Some(0.0), None), page(None, None)]);
        let empty = SiteTotal::new("empty", &[]);
        let set = SetTotal::new("set", vec![large, small, empty]);
        assert_eq!(set.pages, 5);
        assert_eq!(set.columns, page(Some(0.5), Some(0.5)));
    }

    #[test]
    fn losses_are_summed() {
        let site = |pages| {
            let whole = Wholeness {
                pages,
                ..Wholeness::default()
            };
            SiteTotal::new("a", &[]).with_wholeness(whole)
        };
        let set = SetTotal::new("set", vec![site(2), SiteTotal::new("b", &[]), site(3)]);
        assert_eq!(set.whole.map(|whole| whole.pages), Some(5));
        assert_eq!(SetTotal::new("set", vec![]).whole, None);
    }

    #[test]
    fn json_is_flat_and_leaves_absent_columns_out() {
        let set = SetTotal::new("s", vec![SiteTotal::new("a", &[page(Some(0.5), None)])]);
        assert_eq!(
            serde_json::to_string(&set).unwrap(),
            r#"{"set":"s","pages":1,"f1":0.5,"sites":[{"site":"a","pages":1,"f1":0.5}]}"#
        );
    }
}
