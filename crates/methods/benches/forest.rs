//! The scores of a page's rows: 300 rows, 200 trees of depth 6, 330 features.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use unframe_methods::auto::{Forest, Split, Table, Tree};

const ROWS: usize = 300;
const FEATURES: usize = 330;
const DEPTH: usize = 6;

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
    let tree = |number: usize| Tree {
        splits: (1..1 << DEPTH)
            .map(|at| Split {
                feature: (noise(number * 31 + at) * FEATURES as f32) as u16,
                above: noise(number * 17 + at),
            })
            .collect(),
        leaves: (0..1 << DEPTH)
            .map(|at| noise(number * 99 + at) - 0.5)
            .collect(),
        covers: vec![1.0; 1 << DEPTH],
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
    criterion.bench_function("forest, contributions of one row", |bench| {
        bench.iter(|| black_box(forest.contributions(black_box(&table), 7, &groups, 1)));
    });
}

criterion_group!(benches, scores);
criterion_main!(benches);
