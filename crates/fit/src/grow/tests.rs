use unframe_methods::auto::Forest;

use super::random::Random;
use super::{GrowParams, Rows, grow};

/// Rows of weight 1 with random features between 0 and 1; the first two make the target.
fn rows(count: usize, features: usize, target: impl Fn(f32, f32) -> f32) -> Rows {
    let mut random = Random(7);
    let mut number = |_| (random.next() >> 40) as f32 / (1 << 24) as f32;
    let features: Vec<Vec<f32>> = (0..features)
        .map(|_| (0..count).map(&mut number).collect())
        .collect();
    Rows {
        target: (0..count)
            .map(|row| target(features[0][row], features[1][row]))
            .collect(),
        weight: vec![1.0; count],
        features,
    }
}

/// Few trees, all rows and features.
fn params() -> GrowParams {
    GrowParams {
        trees: 30,
        depth: 4,
        rate: 0.3,
        feature_share: 1.0,
        row_share: 1.0,
        ..GrowParams::default()
    }
}

fn probabilities(forest: &Forest, rows: &Rows) -> Vec<f32> {
    let scores = forest.scores(&rows.table());
    scores.iter().map(|s| 1.0 / (1.0 + (-s).exp())).collect()
}

/// The share of rows on the right side of one half.
fn right(forest: &Forest, rows: &Rows) -> f32 {
    let probabilities = probabilities(forest, rows);
    let right = probabilities.iter().zip(&rows.target);
    right.filter(|(c, t)| (**c > 0.5) == (**t > 0.5)).count() as f32 / probabilities.len() as f32
}

fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.unwrap().install(work)
}

#[test]
fn learns_that_one_of_two_holds() {
    let rows = rows(4000, 5, |a, b| f32::from((a > 0.4) != (b > 0.7)));
    let (forest, gains) = grow(&rows, &params());
    let right = right(&forest, &rows);
    assert!(right > 0.98, "{right}");
    let others: f64 = gains.by_feature[2..].iter().sum();
    assert!(gains.by_feature[0] > others && gains.by_feature[1] > others);
}

#[test]
fn learns_the_mean_of_soft_targets() {
    // Rows look alike but for a yes or no; the targets of those alike differ.
    let mut rows = rows(4000, 2, |a, b| {
        (if a > 0.5 { 0.3 } else { 0.8 }) + if b > 0.5 { 0.1 } else { -0.1 }
    });
    rows.features[0].iter_mut().for_each(|a| *a = a.round());
    rows.features[1].fill(0.0);
    let (forest, _) = grow(&rows, &params());
    for (chance, a) in probabilities(&forest, &rows).iter().zip(&rows.features[0]) {
        let mean = if *a == 1.0 { 0.3 } else { 0.8 };
        assert!((chance - mean).abs() < 0.01, "{chance} not {mean}");
    }
    // Without any feature the mean itself.
    let blind = GrowParams {
        allowed: Some(vec![false; 2]),
        ..params()
    };
    let (forest, _) = grow(&rows, &blind);
    assert!(forest.trees.is_empty());
    let mean = rows.target.iter().sum::<f32>() / rows.target.len() as f32;
    assert!((probabilities(&forest, &rows)[0] - mean).abs() < 1e-4);
}

#[test]
fn features_that_are_not_allowed_are_not_used() {
    let mut rows = rows(2000, 4, |a, _| f32::from(a > 0.5));
    rows.features[3] = rows.features[0].clone();
    let allowed = vec![false, true, true, true];
    let params = GrowParams {
        allowed: Some(allowed),
        ..params()
    };
    let (forest, gains) = grow(&rows, &params);
    assert!(!forest.used()[0] && forest.used()[3]);
    assert_eq!(gains.by_feature[0], 0.0);
}

#[test]
fn a_penalty_holds_a_feature_back() {
    let mut rows = rows(2000, 3, |a, _| f32::from(a > 0.5));
    rows.features[2] = rows.features[0].clone();
    let first = |penalty: [f32; 3]| {
        let params = GrowParams {
            penalty: Some(penalty.to_vec()),
            ..params()
        };
        grow(&rows, &params).0.trees[0].splits()[0].feature
    };
    // Of equals the first, unless it is held back.
    assert_eq!(first([1.0, 1.0, 1.0]), 0);
    assert_eq!(first([0.9, 1.0, 1.0]), 2);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let rows = rows(20_000, 40, |a, b| (a * b).sqrt());
    let params = GrowParams {
        trees: 12,
        depth: 6,
        ..GrowParams::default()
    };
    let one = on_threads(1, || grow(&rows, &params));
    let two = on_threads(2, || grow(&rows, &params));
    assert_eq!(one.0.trees.len(), 12);
    assert_eq!(one, two);
    let other = GrowParams { seed: 2, ..params };
    assert_ne!(one.0, grow(&rows, &other).0);
}

#[test]
fn a_row_of_weight_two_is_two_rows() {
    let mut weighted = rows(600, 3, |a, b| 0.2 + 0.6 * a * b);
    let mut doubled = weighted.clone();
    for row in (0..600).step_by(3) {
        weighted.weight[row] = 2.0;
        for values in &mut doubled.features {
            values.push(values[row]);
        }
        doubled.target.push(doubled.target[row]);
        doubled.weight.push(1.0);
    }
    // Rows of weight 0 are none.
    for values in &mut weighted.features {
        values.push(0.123);
    }
    weighted.target.push(1.0);
    weighted.weight.push(0.0);
    let params = GrowParams {
        l2: 0.0,
        trees: 3,
        depth: 3,
        ..params()
    };
    let (a, b) = (grow(&weighted, &params).0, grow(&doubled, &params).0);
    for (a, b) in a.trees.iter().zip(&b.trees) {
        assert_eq!(a.splits(), b.splits());
    }
    for (a, b) in probabilities(&a, &doubled)
        .into_iter()
        .zip(probabilities(&b, &doubled))
    {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
    weighted.weight.fill(1.0);
    assert_ne!(a, grow(&weighted, &params).0);
}

#[test]
fn the_file_gives_the_same_scores_and_shares_add_up() {
    let rows = rows(3000, 10, |a, b| f32::from(a + b > 1.0));
    let (forest, _) = grow(&rows, &params());
    let read = Forest::parse(&forest.to_text()).unwrap();
    assert_eq!(read, forest);
    let table = rows.table();
    let scores = forest.scores(&table);
    assert_eq!(scores, read.scores(&table));
    let groups: Vec<u16> = (0..10).map(|feature| feature / 2).collect();
    for row in (0..3000).step_by(100) {
        let found = read
            .attributor()
            .attribute(&table, row, &read.early_exits, &groups, 5);
        let shares = found.groups;
        let sum = found.base + shares.iter().sum::<f32>();
        assert!((sum - scores[row]).abs() < 1e-4);
        // The group of the two features that matter moves it most.
        assert!(
            shares[1..]
                .iter()
                .all(|share| share.abs() < shares[0].abs())
        );
    }
}

#[test]
fn a_split_leaves_enough_on_both_sides() {
    // One row of fifty is alone on its side.
    let mut rows = rows(50, 2, |_, _| 0.0);
    rows.features[0] = (0..50).map(|row| row as f32).collect();
    rows.features[1].fill(0.0);
    rows.target[49] = 1.0;
    let first = |min_leaf, min_rows| {
        let params = GrowParams {
            trees: 1,
            depth: 1,
            min_leaf,
            min_rows,
            ..params()
        };
        grow(&rows, &params).0.trees[0].splits()[0].threshold
    };
    // Each row's second derivative is 0.02 · 0.98.
    assert_eq!(first(0.019, 0.0), 48.0);
    assert_eq!(first(0.038, 0.0), 47.5);
    assert_eq!(first(0.0, 4.9), 44.0);
}

#[test]
fn each_leaf_is_parted_by_its_own_question() {
    // The second feature counts where the first is high, the third where it is low.
    let mut rows = rows(4000, 3, |_, _| 0.0);
    for row in 0..4000 {
        let of = |feature: usize| rows.features[feature][row] > 0.5;
        rows.target[row] = f32::from(if of(0) { of(1) } else { of(2) });
    }
    let params = GrowParams {
        trees: 1,
        depth: 3,
        rate: 1.0,
        l2: 0.0,
        ..params()
    };
    let (forest, _) = grow(&rows, &params);
    assert!(right(&forest, &rows) > 0.95);
}

#[test]
fn no_rows_make_an_empty_forest() {
    let none = Rows {
        features: vec![Vec::new(); 3],
        ..Rows::default()
    };
    assert_eq!(grow(&none, &params()).0, Forest::default());
    let mut weightless = rows(10, 2, |a, _| a);
    weightless.weight.fill(0.0);
    assert_eq!(grow(&weightless, &params()).0, Forest::default());
}
