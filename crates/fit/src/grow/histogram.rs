//! Gradient histograms by leaf and bin, and the gain of each split.

use super::bins::{LANES, Lane, Octet};
use super::boost::GrowParams;
use super::tree::Leaf;

/// Few enough that the sums of an octet stay in the cache.
pub(super) const MAX_BINS: usize = 64;

/// First and second derivative of the loss, summed over rows.
pub(super) type Sums = [f64; 2];

/// A split of one leaf, and its gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) feature: usize,
    /// The octet and the lane that hold the feature's bins.
    pub(super) octet: usize,
    pub(super) lane: usize,
    /// Rows of higher bins are above.
    pub(super) bin: usize,
    /// The gain, times the feature's penalty.
    pub(super) ranked: f64,
    pub(super) gain: f64,
}

impl Candidate {
    /// True if a row is above the threshold.
    pub(super) fn is_above(&self, octets: &[Octet], row: usize) -> bool {
        usize::from(octets[self.octet].bins[row][self.lane]) > self.bin
    }

    /// The one that ranks higher; of equals the first.
    pub(super) fn better(first: Option<Candidate>, next: Option<Candidate>) -> Option<Candidate> {
        match (first, next) {
            (Some(first), Some(next)) if next.ranked > first.ranked => Some(next),
            (None, next) => next,
            (first, _) => first,
        }
    }
}

/// The sums of one octet in all leaves of a tree.
pub(super) struct Histograms<'a> {
    octet: &'a Octet,
    number: usize,
    n_bins: usize,
    /// By leaf, lane and bin.
    sums: Vec<Sums>,
}

impl<'a> Histograms<'a> {
    pub(super) fn new(number: usize, octet: &'a Octet) -> Self {
        let bins = octet.lanes.iter().map(|lane| lane.thresholds.len() + 1);
        Self {
            octet,
            number,
            n_bins: bins.max().unwrap_or(1),
            sums: Vec::new(),
        }
    }

    /// The histograms of the root.
    pub(super) fn start(&mut self, rows: &[u32], gradients: &[[f32; 2]]) {
        self.sums.resize(LANES * self.n_bins, [0.0; 2]);
        add_up(
            &self.octet.bins,
            rows,
            gradients,
            self.n_bins,
            &mut self.sums,
        );
    }

    /// The histograms of all leaves after a level is split, whose results are the highest bit of a leaf's
    /// number. Only the smaller of two children is summed; the other is the difference.
    pub(super) fn descend(&mut self, leaves: &[Leaf], rows: &[u32], gradients: &[[f32; 2]]) {
        let size = LANES * self.n_bins;
        let half = leaves.len() / 2;
        self.sums.resize(leaves.len() * size, [0.0; 2]);
        let (low, high) = self.sums.split_at_mut(half * size);
        let pairs = low.chunks_mut(size).zip(high.chunks_mut(size));
        for (at, (low, high)) in pairs.enumerate() {
            let swapped = leaves[at + half].rows.len() > leaves[at].rows.len();
            let smaller = if swapped { at } else { at + half };
            let range = leaves[smaller].rows.clone();
            // A leaf that was not split keeps its sums.
            if leaves[at + half].rows.is_empty() {
                continue;
            }
            let (rows, gradients) = (&rows[range.clone()], &gradients[range]);
            add_up(&self.octet.bins, rows, gradients, self.n_bins, high);
            for (low, high) in low.iter_mut().zip(high) {
                let rest = [low[0] - high[0], low[1] - high[1]];
                *low = if swapped { *high } else { rest };
                if swapped {
                    *high = rest;
                }
            }
        }
    }

    /// The best split of each leaf by a feature of this octet; of equals the first.
    pub(super) fn best(&self, leaves: &[Leaf], params: &GrowParams) -> Vec<Option<Candidate>> {
        let by_leaf = self.sums.chunks(LANES * self.n_bins);
        let best = leaves.iter().zip(by_leaf).map(|(leaf, sums)| {
            let lanes = self.octet.lanes.iter().zip(sums.chunks(self.n_bins));
            let bins = lanes
                .enumerate()
                .map(|(at, (lane, bins))| self.best_bin(at, lane, leaf, bins, params));
            bins.fold(None, Candidate::better)
        });
        best.collect()
    }

    /// The best split of a leaf by one feature, if any gains.
    fn best_bin(
        &self,
        at: usize,
        lane: &Lane,
        leaf: &Leaf,
        bins: &[Sums],
        params: &GrowParams,
    ) -> Option<Candidate> {
        let (all, l2) = (leaf.sums, f64::from(params.l2));
        let least = params.least(all[1], leaf.rows.len());
        let unsplit = score(all, l2);
        let penalty = params.penalty_of(lane.feature);
        let mut best: Option<Candidate> = None;
        let mut low = [0.0; 2];
        for (bin, sums) in bins[..lane.thresholds.len()].iter().enumerate() {
            low = [low[0] + sums[0], low[1] + sums[1]];
            let high = [all[0] - low[0], all[1] - low[1]];
            if low[1] < least || high[1] < least {
                continue;
            }
            let gain = score(low, l2) + score(high, l2) - unsplit;
            if gain * penalty > best.map_or(0.0, |best| best.ranked) {
                best = Some(Candidate {
                    feature: lane.feature,
                    octet: self.number,
                    lane: at,
                    bin,
                    ranked: gain * penalty,
                    gain,
                });
            }
        }
        best
    }
}

/// Replaces `out` with the histograms of the rows: `n_bins` sums for each lane.
fn add_up(
    bins: &[[u8; LANES]],
    rows: &[u32],
    gradients: &[[f32; 2]],
    n_bins: usize,
    out: &mut [Sums],
) {
    // The remainder below changes nothing; it saves a bounds check.
    let mut sums = [[[0.0_f64; 2]; MAX_BINS]; LANES];
    // Bins are fetched for 32 rows at a time, so that loads overlap.
    let mut fetched = [[0; LANES]; 32];
    for (rows, gradients) in rows.chunks(32).zip(gradients.chunks(32)) {
        for (fetched, row) in fetched.iter_mut().zip(rows) {
            *fetched = bins[*row as usize];
        }
        for (bins, [first, second]) in fetched.iter().zip(gradients) {
            let (first, second) = (f64::from(*first), f64::from(*second));
            for (sums, bin) in sums.iter_mut().zip(bins) {
                let sum = &mut sums[usize::from(*bin) % MAX_BINS];
                *sum = [sum[0] + first, sum[1] + second];
            }
        }
    }
    for (out, sums) in out.chunks_mut(n_bins).zip(&sums) {
        out.copy_from_slice(&sums[..n_bins]);
    }
}

/// Sums of second derivatives below this are rounding errors.
const NOTHING: f64 = 1e-9;

/// Twice the loss reduction of a leaf with these sums.
fn score([gradient, hessian]: Sums, l2: f64) -> f64 {
    if hessian > NOTHING {
        gradient * gradient / (hessian + l2)
    } else {
        0.0
    }
}

/// The Newton step of a leaf.
pub(super) fn newton([gradient, hessian]: Sums, l2: f64) -> f64 {
    if hessian > NOTHING {
        -gradient / (hessian + l2)
    } else {
        0.0
    }
}
