//! How long growing takes on made-up rows: `grow_speed [ROWS [FEATURES [TREES]]]`.

use std::time::Instant;

use unframe_fit::grow::{GrowParams, Rows, grow};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |default: usize| match arguments.next() {
        Some(word) => word.parse().expect("a number"),
        None => default,
    };
    let (count, features, trees) = (argument(400_000), argument(330), argument(200));
    let rows = rows(count, features);
    let params = GrowParams {
        trees,
        ..GrowParams::default()
    };
    let start = Instant::now();
    let (forest, _) = grow(&rows, &params);
    println!(
        "{count} rows × {features} features × {trees} trees of depth {} on {} threads: {:.1} s, \
         {} kB of text",
        params.depth,
        rayon::current_num_threads(),
        start.elapsed().as_secs_f64(),
        forest.to_text().len() / 1000,
    );
    let scores = forest.scores(&rows.table());
    let right = scores.iter().zip(&rows.target);
    let right = right.filter(|(s, t)| (**s > 0.0) == (**t > 0.5)).count();
    println!("{:.3} on the right side", right as f64 / count as f64);
}

/// A third of the features are yes or no, a third small counts, a third any number.
fn rows(count: usize, features: usize) -> Rows {
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let features: Vec<Vec<f32>> = (0..features)
        .map(|feature| {
            let mut value = || match feature % 3 {
                0 => f32::from(random() > 0.9),
                1 => (1.0 / (random() + 0.02)).floor(),
                _ => random(),
            };
            (0..count).map(|_| value()).collect()
        })
        .collect();
    // Each feature says a little, some more than others.
    let mut sums = vec![0.0_f32; count];
    for (feature, values) in features.iter().enumerate() {
        let mean = values.iter().sum::<f32>() / count as f32;
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += f32::from(*value > mean) / (1 + feature % 40) as f32 - 0.3 / 40.0;
        }
    }
    let mut sorted = sums.clone();
    sorted.sort_unstable_by(f32::total_cmp);
    let middle = sorted.get(count / 2).copied().unwrap_or_default();
    Rows {
        target: sums
            .iter()
            .map(|sum| f32::from(sum + random() > middle + 0.5))
            .collect(),
        weight: vec![1.0; count],
        features,
    }
}
