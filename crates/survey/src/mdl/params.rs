//! What can be chosen in clustering by description length.

/// The parameters of [`cluster`](crate::mdl::cluster).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MdlParams {
    /// What is counted as the description. Default [`Cost::Delta`].
    pub cost: Cost,
    /// Which paths of a page are essential. Default [`ModeRule::IgnoreSingletons`].
    pub mode_rule: ModeRule,
    /// Empty rows are added to a template matrix that would be more than half full. In such a
    /// matrix the zeros are what costs bits, and pages would stay alone *because* they are alike:
    /// a few pages of one template that say little of their own. Default true.
    pub room: bool,
    /// How pairs to merge are found. Default [`Search::Auto`].
    pub search: Search,
    /// Up to this many pages [`Search::Auto`] is exact; above, it hashes. Default 300. The work
    /// grows with the third power of it.
    pub exact_limit: usize,
    /// Length of a MinHash signature; a multiple of `bands`, at most 1024. Default 128. Raising
    /// it makes estimates better, as its square root, and everything slower.
    pub hashes: usize,
    /// Bands into which a signature is cut; two pages are a candidate pair if any band is the
    /// same. Default 32, so that 4 numbers are a band and pages that share 42 % of their paths are
    /// found with even odds. Raising it finds pairs that are less alike.
    pub bands: usize,
}

/// What is counted as the description of a clustering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cost {
    /// The templates and which page has which, as the paper prints it. While no
    /// more than half of the cells are ones no merge makes that longer, so all pages end in one
    /// cluster.
    Seed,
    /// Also what each page has beside its template or lacks of it: the matrix with entries +1 and
    /// −1 without which templates do not describe pages. The paper's formula still names the −1.
    Delta,
}

/// From which paths of a page the threshold for its essential paths is taken: the most frequent
/// number of pages that a path is on, the smallest of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModeRule {
    /// All paths, as the paper has it. Most texts are on one page only, so where there is much
    /// text the threshold is 1 and everything is essential.
    Literal,
    /// Paths that are on two pages or more.
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
    /// Of all pairs the one that shortens the description most.
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
    /// Most hashes that a signature may have.
    pub const MOST_HASHES: usize = 1024;

    /// The paper to the letter: its cost, its threshold, its matrices, all pairs. Nearly
    /// everything ends in one cluster; see [`Cost::Seed`].
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

/// A signature that cannot be cut into bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{hashes} hashes in {bands} bands: hashes must be a multiple of bands, from 1 to {}",
    MdlParams::MOST_HASHES
)]
pub struct BadMdlParams {
    /// The length of a signature.
    pub hashes: usize,
    /// The bands asked for.
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
