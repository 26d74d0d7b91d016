//! Sums of gradients by leaf and step, and the gain of each split.

use super::tree::Leaf;

/// Features whose steps lie side by side, so that one visit of a row serves all of them and their
/// sums do not wait for each other.
pub(super) const LANES: usize = 8;
/// Steps are bytes.
pub(super) const MAX_BINS: usize = 256;

/// First and second derivative of the loss, summed over rows.
pub(super) type Sums = [f64; 2];

/// A split of all leaves, and what it gains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) feature: usize,
    /// Rows of a higher step are above.
    pub(super) step: usize,
    /// The gain, times the feature's penalty.
    pub(super) ranked: f64,
    pub(super) gain: f64,
}

/// What is asked of a feature besides its gain.
#[derive(Clone, Copy)]
pub(super) struct Lane {
    pub(super) feature: usize,
    /// How many splits it allows: its number of thresholds.
    pub(super) splits: usize,
    pub(super) penalty: f64,
    /// 1: the score must not fall as the feature rises; −1: not rise; 0: free.
    pub(super) monotone: i8,
}

/// Some features of the rows of one tree, with their histograms in all leaves.
pub(super) struct Group {
    pub(super) lanes: Vec<Lane>,
    /// For each row the steps of the features.
    pub(super) steps: Vec<[u8; LANES]>,
    /// By leaf, lane and step.
    sums: Vec<Sums>,
    bins: usize,
}

impl Group {
    pub(super) fn new(lanes: Vec<Lane>, steps: Vec<[u8; LANES]>) -> Self {
        let bins = lanes.iter().map(|lane| lane.splits + 1).max().unwrap_or(1);
        Self {
            lanes,
            steps,
            sums: Vec::new(),
            bins,
        }
    }

    /// The histograms of the root.
    pub(super) fn start(&mut self, rows: &[u32], gradients: &[[f32; 2]]) {
        let size = LANES * self.bins;
        self.sums.resize(size, [0.0; 2]);
        add_up(&self.steps, rows, gradients, self.bins, &mut self.sums);
    }

    /// The histograms of all leaves after a split, whose answer is the highest bit of a leaf's
    /// number. Only the smaller of two new leaves is summed; the other is what is left.
    pub(super) fn descend(&mut self, leaves: &[Leaf], rows: &[u32], gradients: &[[f32; 2]]) {
        let size = LANES * self.bins;
        let half = leaves.len() / 2;
        self.sums.resize(leaves.len() * size, [0.0; 2]);
        let (low, high) = self.sums.split_at_mut(half * size);
        let pairs = low.chunks_mut(size).zip(high.chunks_mut(size));
        for (at, (low, high)) in pairs.enumerate() {
            let swapped = leaves[at + half].rows.len() > leaves[at].rows.len();
            let smaller = if swapped { at } else { at + half };
            let range = leaves[smaller].rows.clone();
            let (rows, gradients) = (&rows[range.clone()], &gradients[range]);
            add_up(&self.steps, rows, gradients, self.bins, high);
            for (low, high) in low.iter_mut().zip(high) {
                let rest = [low[0] - high[0], low[1] - high[1]];
                *low = if swapped { *high } else { rest };
                if swapped {
                    *high = rest;
                }
            }
        }
    }

    /// The best split of all leaves by a feature of this group; of equals the first.
    pub(super) fn best(&self, leaves: &[Leaf], l2: f64) -> Option<Candidate> {
        let unsplit: f64 = leaves.iter().map(|leaf| score(leaf.sums, l2)).sum();
        let mut best: Option<Candidate> = None;
        let mut scores = [0.0; MAX_BINS];
        for (number, lane) in self.lanes.iter().enumerate() {
            let scores = &mut scores[..lane.splits];
            scores.fill(0.0);
            let by_leaf = self.sums.chunks(LANES * self.bins);
            for (leaf, sums) in leaves.iter().zip(by_leaf) {
                if leaf.rows.is_empty() {
                    continue;
                }
                let steps = &sums[number * self.bins..][..self.bins];
                add_scores(leaf.sums, steps, lane.monotone, l2, scores);
            }
            for (step, score) in scores.iter().enumerate() {
                let gain = score - unsplit;
                let ranked = gain * lane.penalty;
                if ranked > best.map_or(0.0, |best| best.ranked) {
                    best = Some(Candidate {
                        feature: lane.feature,
                        step,
                        ranked,
                        gain,
                    });
                }
            }
        }
        best
    }
}

/// Replaces `out` with the histograms of the rows: `bins` sums for each lane.
fn add_up(
    steps: &[[u8; LANES]],
    rows: &[u32],
    gradients: &[[f32; 2]],
    bins: usize,
    out: &mut [Sums],
) {
    // As long as a byte can count, so that finding a sum needs no check.
    let mut sums = [[[0.0_f64; 2]; MAX_BINS]; LANES];
    for (row, gradient) in rows.iter().zip(gradients) {
        let steps = steps[*row as usize];
        let gradient = gradient.map(f64::from);
        for (sums, step) in sums.iter_mut().zip(steps) {
            let sum = &mut sums[usize::from(step)];
            *sum = [sum[0] + gradient[0], sum[1] + gradient[1]];
        }
    }
    for (out, sums) in out.chunks_mut(bins).zip(&sums) {
        out.copy_from_slice(&sums[..bins]);
    }
}

/// Adds for each split of a leaf what its two halves score. A split that would break the feature's
/// direction scores as if it were not there.
fn add_scores(all: Sums, steps: &[Sums], monotone: i8, l2: f64, scores: &mut [f64]) {
    let unsplit = score(all, l2);
    let mut low = [0.0; 2];
    for (total, sums) in scores.iter_mut().zip(steps) {
        low = [low[0] + sums[0], low[1] + sums[1]];
        let high = [all[0] - low[0], all[1] - low[1]];
        let rise = newton(high, l2) - newton(low, l2);
        *total += if f64::from(monotone) * rise < 0.0 {
            unsplit
        } else {
            score(low, l2) + score(high, l2)
        };
    }
}

/// Second derivatives below this are what rounding leaves of zero.
const NOTHING: f64 = 1e-9;

/// How much a leaf of its own for these rows lowers the loss, twice.
fn score([gradient, hessian]: Sums, l2: f64) -> f64 {
    if hessian > NOTHING {
        gradient * gradient / (hessian + l2)
    } else {
        0.0
    }
}

/// The step that lowers the loss of these rows most.
pub(super) fn newton([gradient, hessian]: Sums, l2: f64) -> f64 {
    if hessian > NOTHING {
        -gradient / (hessian + l2)
    } else {
        0.0
    }
}
