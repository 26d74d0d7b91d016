//! The scores of a page's rows: 300 rows, 200 trees, 380 features.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use unframe_methods::auto::{EarlyExits, Forest, Split, Table, Tree};

const ROWS: usize = 300;
const FEATURES: usize = 380;

fn noise(at: usize) -> f32 {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)) >> 24 & 0xffff) as f32 / 65536.0
}

fn scores(criterion: &mut Criterion) {
    let mut table = Table::new(ROWS, FEATURES);
    for row in 0..ROWS {
        for (column, value) in table.row_mut(row).iter_mut().enumerate() {
            *value = noise(row * FEATURES + column);
        }
    }
    let tree = |number: usize| {
        let split = |at| Split {
            feature: (noise(number * 31 + at) * FEATURES as f32) as u16,
            threshold: noise(number * 17 + at),
        };
        let splits: Vec<Split> = (0..Tree::SPLITS).map(split).collect();
        let leaves: Vec<f32> = (0..Tree::LEAVES)
            .map(|at| noise(number * 99 + at) - 0.5)
            .collect();
        Tree::new(&splits, &leaves, &[1.0; Tree::LEAVES])
    };
    let forest = Forest {
        bias: 0.0,
        trees: (0..200).map(tree).collect(),
        ..Forest::default()
    };
    let groups = vec![0; FEATURES];
    criterion.bench_function("forest, scores of 300 rows", |bench| {
        bench.iter(|| black_box(forest.scores(black_box(&table))));
    });
    let explained = forest.attributor();
    criterion.bench_function("forest, shares of one row", |bench| {
        bench.iter(|| {
            black_box(explained.attribute(black_box(&table), 7, EarlyExits::NONE, &groups, 1))
        });
    });
}

criterion_group!(benches, scores);
criterion_main!(benches);
