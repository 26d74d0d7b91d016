//! The similarity of templates, as a tree that joins the most similar first.

use maud::{Markup, html};

use super::{ClusterReport, Tone, pattern, tenth};

/// Maximum number of clusters in the tree.
const MOST: usize = 24;
const WIDTH: f64 = 520.0;
const LABEL_WIDTH: f64 = 230.0;
const LEAF: f64 = 18.0;
const AXIS: f64 = 22.0;
/// Maximum characters of a label.
const MOST_LETTERS: usize = 30;

/// A join of two branches.
struct Join {
    /// Indices: leaves first, then joins in order.
    one: usize,
    other: usize,
    /// Average share of paths that templates of both branches have in common.
    shared: f64,
}

/// Draws the tree of the largest clusters that have a template, if there are three or more.
pub fn dendrogram(report: &ClusterReport<'_>) -> Option<Markup> {
    let found = report.found;
    let with_template = report.order.iter().copied();
    let with_template = with_template.filter(|group| !found.groups[*group].template.is_empty());
    let leaves: Vec<usize> = with_template.take(MOST).collect();
    if leaves.len() < 3 {
        return None;
    }
    let templates: Vec<&[u64]> = leaves
        .iter()
        .map(|group| &found.groups[*group].template[..])
        .collect();
    let joins = join(&templates);
    let order = order(leaves.len(), &joins);
    // The position of each branch: leaves in order, joins in the middle of their branches.
    let across = |shared: f64| LABEL_WIDTH + (WIDTH - LABEL_WIDTH - 16.0) * (1.0 - shared);
    let mut ends: Vec<(f64, f64)> = vec![(across(1.0), 0.0); leaves.len()];
    for (place, leaf) in order.iter().enumerate() {
        ends[*leaf].1 = LEAF * (place as f64 + 0.5);
    }
    let mut elbows = String::new();
    for join in &joins {
        let (one, other, x) = (ends[join.one], ends[join.other], across(join.shared));
        let [ax, ay, bx, by, x] = [one.0, one.1, other.0, other.1, x].map(tenth);
        elbows += &format!("M{ax} {ay}H{x}V{by}H{bx}");
        ends.push((x, (one.1 + other.1) / 2.0));
    }
    let bottom = LEAF * leaves.len() as f64;
    Some(html! {
        svg.dendrogram viewBox=(format!("0 0 {WIDTH} {}", bottom + AXIS)) role="group"
            aria-label="Similarity of templates" {
            @for share in [1.0, 0.5, 0.0] {
                @let x = tenth(across(share));
                path.grid d=(format!("M{x} 0V{bottom}")) {}
                text.soft x=(x) y=(bottom + 15.0) { (format!("{:.0} %", 100.0 * share)) }
            }
            path.elbow d=(elbows) {}
            @for leaf in &order {
                @let group = leaves[*leaf];
                @let y = ends[*leaf].1;
                a href=(format!("#c{group}")) {
                    title { (pattern(found, group)) }
                    circle.cell style=(Tone::of(found, group).style()) cx=(LABEL_WIDTH - 8.0) cy=(tenth(y)) r="5" {}
                    text.end x=(LABEL_WIDTH - 18.0) y=(tenth(y + 4.0)) { (label(report, group)) }
                }
            }
        }
    })
}

fn label(report: &ClusterReport<'_>, group: usize) -> String {
    let pattern = pattern(report.found, group);
    let letters = pattern.chars().count();
    match letters <= MOST_LETTERS {
        true => pattern,
        false => format!(
            "…{}",
            pattern
                .chars()
                .skip(letters - MOST_LETTERS)
                .collect::<String>()
        ),
    }
}

/// Repeatedly joins the two branches with the highest average share, until one is left.
fn join(templates: &[&[u64]]) -> Vec<Join> {
    let alike: Vec<Vec<f64>> = templates
        .iter()
        .map(|a| templates.iter().map(|b| shared(a, b)).collect())
        .collect();
    let between = |one: &[usize], other: &[usize]| {
        let pairs = one.iter().flat_map(|a| other.iter().map(|b| alike[*a][*b]));
        pairs.sum::<f64>() / (one.len() * other.len()) as f64
    };
    // The remaining branches: their number, and their leaves.
    let mut left: Vec<(usize, Vec<usize>)> =
        (0..templates.len()).map(|at| (at, vec![at])).collect();
    let mut joins = Vec::new();
    while left.len() > 1 {
        let mut best = (f64::NEG_INFINITY, 0, 1);
        for (at, (_, one)) in left.iter().enumerate() {
            for (bt, (_, other)) in left.iter().enumerate().skip(at + 1) {
                let shared = between(one, other);
                if shared > best.0 {
                    best = (shared, at, bt);
                }
            }
        }
        let (shared, at, bt) = best;
        let (other, leaves) = left.remove(bt);
        joins.push(Join {
            one: left[at].0,
            other,
            shared,
        });
        left[at].0 = templates.len() + joins.len() - 1;
        left[at].1.extend(leaves);
    }
    joins
}

/// The order of the leaves in which no branches cross.
fn order(leaves: usize, joins: &[Join]) -> Vec<usize> {
    let mut below: Vec<Vec<usize>> = (0..leaves).map(|leaf| vec![leaf]).collect();
    for join in joins {
        let mut both = std::mem::take(&mut below[join.one]);
        both.append(&mut below[join.other]);
        below.push(both);
    }
    below.pop().unwrap_or_default()
}

/// The share of paths that two templates have in common; the lists are sorted.
fn shared(a: &[u64], b: &[u64]) -> f64 {
    let both = a
        .iter()
        .filter(|path| b.binary_search(path).is_ok())
        .count();
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_are_joined_first() {
        let templates: [&[u64]; 4] = [&[1, 2, 3, 4], &[9, 10], &[1, 2, 3], &[9, 11]];
        let joins = join(&templates);
        let pairs: Vec<(usize, usize)> = joins.iter().map(|join| (join.one, join.other)).collect();
        assert_eq!(pairs, [(0, 2), (1, 3), (4, 5)]);
        let shared: Vec<f64> = joins.iter().map(|join| join.shared).collect();
        assert_eq!(shared, [0.75, 1.0 / 3.0, 0.0]);
        assert_eq!(order(4, &joins), [0, 2, 1, 3]);
    }
}
