//! Parameters of clustering by description length.

/// The parameters of [`cluster`](crate::mdl::cluster).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MdlParams {
    /// What the description includes. Default [`Cost::Delta`].
    pub cost: Cost,
    /// Which paths of a page are essential. Default [`ModeRule::IgnoreSingletons`].
    pub mode_rule: ModeRule,
    /// Adds empty rows to a template matrix that would be more than half full. In such a matrix the
    /// zeros cost bits, so pages would remain separate *because* they are alike: a few pages of one
    /// template with little content of their own. Default true.
    pub room: bool,
    /// How pairs to merge are found. Default [`Search::Auto`].
    pub search: Search,
    /// Up to this many pages [`Search::Auto`] is exact; above, it hashes. Default 300. The work
    /// grows with the third power of it.
    pub exact_limit: usize,
    /// Length of a MinHash signature; a multiple of `bands`, at most 1024. Default 128. Raising it
    /// improves estimates with its square root, and makes everything slower.
    pub hashes: usize,
    /// Number of bands of a signature; two pages are a candidate pair if any band is equal. Default
    /// 32, so a band has 4 numbers and pages that share 42 % of their paths are found with a
    /// probability of one half. Raising it finds pairs that are less alike.
    pub bands: usize,
}

/// What the description of a clustering includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cost {
    /// The templates and their assignment to pages, as printed in the paper. While no more than
    /// half of the cells are ones, no merge makes this longer, so all pages end up in one cluster.
    Seed,
    /// Also the differences of each page from its template: the matrix with entries +1 and −1,
    /// without which templates do not describe pages. The paper's formula still mentions the −1.
    Delta,
}

/// Which paths determine the threshold for the essential paths of a page. The threshold is the most
/// frequent number of pages that a path is on, or the smallest of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModeRule {
    /// All paths, as in the paper. Most texts are on one page only, so if there is much text, the
    /// threshold is 1 and everything is essential.
    Literal,
    /// Paths on two pages or more.
    IgnoreSingletons,
    /// Paths of elements.
    Elements,
}

/// How the pairs of clusters to merge are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Search {
    /// [`Search::Exact`] up to [`MdlParams::exact_limit`] pages, else [`Search::Lsh`].
    Auto,
    /// All pairs; merges the one that shortens the description most.
    Exact,
    /// Only pairs of pages whose MinHash signatures agree in a band.
    Lsh,
    /// Lengths are estimated from the signatures (Kim and Shim's extended MinHash).
    Estimate,
}

impl Default for MdlParams {
    fn default() -> Self {
        MdlParams {
            cost: Cost::Delta,
            mode_rule: ModeRule::IgnoreSingletons,
            room: true,
            search: Search::Auto,
            exact_limit: 300,
            hashes: 128,
            bands: 32,
        }
    }
}

impl MdlParams {
    /// Maximum number of hashes in a signature.
    pub const MOST_HASHES: usize = 1024;

    /// The published version: the paper's cost, threshold and matrices, and all pairs. Nearly
    /// everything ends up in one cluster; see [`Cost::Seed`].
    pub fn kim_shim() -> MdlParams {
        MdlParams {
            cost: Cost::Seed,
            mode_rule: ModeRule::Literal,
            room: false,
            search: Search::Exact,
            ..MdlParams::default()
        }
    }

    /// Fails if `hashes` is not a multiple of `bands`, both 1 or more, or is over
    /// [`MdlParams::MOST_HASHES`].
    pub fn check(&self) -> Result<(), BadMdlParams> {
        let &MdlParams { hashes, bands, .. } = self;
        let whole = bands > 0 && hashes > 0 && hashes.is_multiple_of(bands);
        match whole && hashes <= MdlParams::MOST_HASHES {
            true => Ok(()),
            false => Err(BadMdlParams { hashes, bands }),
        }
    }
}

/// A signature that cannot be divided into bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{hashes} hashes in {bands} bands: hashes must be a multiple of bands, from 1 to {}",
    MdlParams::MOST_HASHES
)]
pub struct BadMdlParams {
    /// The length of a signature.
    pub hashes: usize,
    /// The number of bands.
    pub bands: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_divide_hashes() {
        let check = |hashes, bands| {
            let params = MdlParams {
                hashes,
                bands,
                ..MdlParams::default()
            };
            params.check().is_ok()
        };
        for (hashes, bands, fine) in [
            (128, 32, true),
            (1, 1, true),
            (1024, 256, true),
            (128, 0, false),
            (0, 0, false),
            (0, 1, false),
            (128, 33, false),
            (2048, 32, false),
        ] {
            assert_eq!(check(hashes, bands), fine, "{hashes} {bands}");
        }
        assert!(MdlParams::kim_shim().check().is_ok());
    }
}
