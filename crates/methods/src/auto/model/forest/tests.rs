use super::{EarlyExit, EarlyExits, Forest, Split, Table, Tree};

/// Numbers between 0 and 1 that look random and are the same in every run.
fn noise(at: usize) -> f32 {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)) >> 24 & 0xffff) as f32 / 65536.0
}

fn table(rows: usize, columns: usize) -> Table {
    let mut table = Table::new(rows, columns);
    for row in 0..rows {
        for (column, value) in table.row_mut(row).iter_mut().enumerate() {
            *value = noise(row * columns + column);
        }
    }
    table
}

/// Trees of all depths from none to the deepest.
fn forest(trees: usize, features: usize) -> Forest {
    let tree = |number: usize| {
        let depth = number % (Tree::DEPTH + 1);
        let split = |at: usize| match at % 7 {
            6 => Split::NONE,
            _ => Split {
                feature: (noise(number * 31 + at) * features as f32) as u16,
                threshold: noise(number * 17 + at),
            },
        };
        let leaf = |at| Forest::rounded(noise(number * 1000 + at) - 0.5);
        let cover = |at| (noise(number * 777 + at) * 100.0).floor();
        Tree::new(
            &(1..1 << depth).map(split).collect::<Vec<_>>(),
            &(0..1 << depth).map(leaf).collect::<Vec<_>>(),
            &(0..1 << depth).map(cover).collect::<Vec<_>>(),
        )
    };
    Forest {
        bias: -0.3,
        trees: (0..trees).map(tree).collect(),
        ..Forest::default()
    }
}

#[test]
fn each_answer_is_one_bit_of_the_leaf() {
    let mut table = Table::new(4, 3);
    table.row_mut(0).copy_from_slice(&[0.0, 0.0, 9.0]);
    table.row_mut(1).copy_from_slice(&[1.0, f32::NAN, 2.0]);
    table.row_mut(2).copy_from_slice(&[0.5, 3.0, 0.0]);
    table.row_mut(3).copy_from_slice(&[1.0, 0.0, 8.0]);
    // Those not above the first threshold are asked for feature 1, the others for feature 2.
    let splits = [(0, 0.5), (1, 2.0), (2, 7.0)];
    let forest = Forest {
        bias: 100.0,
        trees: vec![Tree::new(
            &splits.map(|(feature, threshold)| Split { feature, threshold }),
            &[1.0, 2.0, 3.0, 4.0],
            &[1.0; 4],
        )],
        ..Forest::default()
    };
    assert_eq!(forest.scores(&table), [101.0, 102.0, 103.0, 104.0]);
}

#[test]
fn all_rows_at_once_are_as_row_by_row() {
    let (forest, table) = (forest(50, 13), table(77, 13));
    let by_row: Vec<f32> = (0..table.rows())
        .map(|row| {
            let leaf = |tree: &Tree| tree.leaves[tree.leaf(table.cells(row))];
            forest
                .trees
                .iter()
                .fold(forest.bias, |sum, tree| sum + leaf(tree))
        })
        .collect();
    assert_eq!(forest.scores(&table), by_row);
}

#[test]
fn rows_beyond_doubt_are_done_early() {
    let (mut forest, table) = (forest(50, 13), table(900, 13));
    let after: Vec<Vec<f32>> = [16, 32, 48, 50]
        .map(|trees| {
            let mut first = forest.clone();
            first.trees.truncate(trees);
            first.scores(&table)
        })
        .into();
    forest.sure = 1.0;
    let scores = forest.scores(&table);
    let mut done = [0; 4];
    for (row, score) in scores.iter().enumerate() {
        let sure = after.iter().position(|after| after[row].abs() >= 1.0);
        let asked = sure.unwrap_or(after.len() - 1);
        assert_eq!(*score, after[asked][row], "row {row}");
        done[asked] += 1;
    }
    assert!(done.iter().all(|rows| *rows > 0), "{done:?}");
    // Table after table is as all at once.
    let mut parts = Vec::new();
    for rows in [0..20, 20..400, 400..900] {
        let mut part = Table::new(rows.len(), 13);
        for (to, from) in rows.enumerate() {
            part.row_mut(to).copy_from_slice(table.row(from));
        }
        forest.append_scores(&part, &forest.early_exits, &mut parts);
    }
    assert_eq!(parts, scores);
}

#[test]
fn a_table_is_filled_anew_in_another_size() {
    for columns in [3, 5] {
        let mut other = table(5, columns);
        other.resize(2, 4);
        let expected = table(2, 4);
        for row in 0..2 {
            other.row_mut(row).copy_from_slice(expected.row(row));
        }
        assert_eq!((other.rows(), other.columns()), (2, 4));
        let rows = |table: &Table| (0..2).map(|row| *table.cells(row)).collect::<Vec<_>>();
        assert_eq!(rows(&other), rows(&expected));
        // Features that a table does not have are zero.
        let forest = forest(20, 9);
        assert_eq!(forest.scores(&other), forest.scores(&expected));
    }
}

#[test]
fn used_features_are_those_of_splits() {
    let mut forest = forest(1, 9);
    assert_eq!(forest.used(), [false; 0]);
    for feature in [3, 1] {
        let split = Split {
            feature,
            threshold: 0.0,
        };
        forest.trees.push(Tree::new(&[split], &[0.0; 2], &[0.0; 2]));
    }
    assert_eq!(forest.used(), [false, true, false, true]);
}

fn early_exit(threshold: f32, scale: f32) -> EarlyExit {
    EarlyExit { threshold, scale }
}

#[test]
fn rows_with_little_left_to_change_are_done_sooner() {
    let (mut forest, table) = (forest(50, 13), table(900, 13));
    let by_round = forest.scores_by_round(&table);
    assert_eq!(by_round.last(), Some(&forest.scores(&table)));
    forest.sure = 1.0;
    forest.early_exits = EarlyExits {
        below: vec![early_exit(0.3, 1.8), early_exit(0.4, 1.2)],
        above: vec![early_exit(0.4, 2.0), early_exit(0.6, 1.5)],
    };
    let scores = forest.scores(&table);
    let mut done = [[0; 2]; 2];
    for (row, score) in scores.into_iter().enumerate() {
        let at = |round: usize| by_round[round][row];
        let side = |round: usize| match at(round) < 0.0 {
            true => forest.early_exits.below[round],
            false => forest.early_exits.above[round],
        };
        let first = (0..2).find(|round| at(*round).abs() >= side(*round).threshold);
        let Some(round) = first else { continue };
        let end = match at(round).abs() >= 1.0 {
            true => at(round),
            false => (at(round) * side(round).scale).clamp(-1.0, 1.0),
        };
        assert_eq!(score, end, "row {row}");
        done[round][usize::from(end > 0.0)] += 1;
    }
    assert!(done.iter().flatten().all(|rows| *rows > 0), "{done:?}");
}

#[test]
fn shares_and_base_sum_to_the_score() {
    let (mut forest, table) = (forest(60, 12), table(40, 12));
    // Of rows that are done early too.
    forest.sure = 1.0;
    forest.early_exits.below = vec![early_exit(0.6, 1.5)];
    forest.early_exits.above = vec![early_exit(0.7, 1.4)];
    // A leaf, and a whole half of a tree, in which no row ever was.
    forest.trees[7].covers[5] = 0.0;
    forest.trees[6].covers[..32].fill(0.0);
    let groups: Vec<u16> = (0..12).map(|feature| feature % 5).collect();
    for (row, score) in forest.scores(&table).into_iter().enumerate() {
        let shares = forest
            .attributor()
            .attribute(&table, row, &forest.early_exits, &groups, 5);
        let sum = shares.base + shares.groups.iter().sum::<f32>();
        assert!((sum - score).abs() < 1e-4, "row {row}: {sum} not {score}");
    }
}

#[test]
fn a_share_is_the_change_of_the_mean_in_reach() {
    let mut table = Table::new(1, 2);
    table.row_mut(0)[1] = 1.0;
    let split = |feature| Split {
        feature,
        threshold: 0.5,
    };
    let forest = Forest {
        bias: 0.0,
        trees: vec![Tree::new(
            &[split(0), split(1), split(0)],
            &[0.0, 8.0, 4.0, 8.0],
            &[3.0, 2.0, 1.0, 2.0],
        )],
        ..Forest::default()
    };
    // Mean of all: 4.5; without feature 0: 1; with feature 1: 4.
    let shares = forest
        .attributor()
        .attribute(&table, 0, EarlyExits::NONE, &[0, 1], 2);
    assert_eq!((shares.base, &shares.groups[..]), (4.5, &[-3.5, 3.0][..]));
}

#[test]
fn the_text_reads_back_unchanged() {
    let mut forest = forest(30, 40);
    assert_eq!(Forest::parse(&forest.to_text()), Ok(forest.clone()));
    forest.sure = 2.5;
    forest.early_exits.above = vec![early_exit(1.25, 3.5), early_exit(2.0, 1.0)];
    assert_eq!(Forest::parse(&forest.to_text()), Ok(forest.clone()));
    forest.early_exits.below = vec![early_exit(0.5, 3.5)];
    assert_eq!(Forest::parse(&forest.to_text()), Ok(forest));
    assert_eq!(
        Forest::parse("forest trees=0 bias=0"),
        Ok(Forest::default())
    );
}

#[test]
fn the_bytes_read_back_unchanged() {
    let mut forest = forest(30, 40);
    forest.early_exits.below = vec![early_exit(0.5, 3.5), early_exit(0.6, 2.5)];
    forest.early_exits.above = vec![early_exit(1.25, 1.5)];
    let forests = vec![forest, Forest::default(), self::forest(5, 3)];
    let bytes = Forest::all_to_bytes(&forests);
    assert_eq!(Forest::all_from_bytes(&bytes), Some(forests));
    for wrong in [&bytes[1..], &bytes[..bytes.len() - 4], &bytes[..9], &[]] {
        assert_eq!(Forest::all_from_bytes(wrong), None);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Forest::all_from_bytes(&longer), None);
    assert_eq!(Forest::all_from_bytes(&[0xff; 99]), None);
}

#[test]
fn numbers_read_back_whatever_their_length() {
    let mut forest = Forest::default();
    for at in 0..2_000 {
        let exponent = (noise(at + 7) * 16.0) as i32 - 9;
        forest.bias = (noise(at) - 0.5) * 10f32.powi(exponent);
        assert_eq!(Forest::parse(&forest.to_text()), Ok(forest.clone()));
    }
}

#[test]
fn rounding_keeps_three_digits() {
    for (value, rounded) in [
        (0.123_456, 0.123),
        (-12.3556, -12.4),
        (0.000_123_4, 0.000_12),
        (-1e-9, 0.0),
        (123_556.0, 124_000.0),
    ] {
        assert_eq!(Forest::rounded(value), rounded);
    }
    assert!(Forest::rounded(-1e-9).is_sign_positive());
}

#[test]
fn two_hundred_trees_are_a_small_file() {
    let mut forest = forest(200, 300);
    let deep = forest.trees[6].clone();
    forest.trees.fill(deep);
    assert!(forest.to_text().len() < 450_000);
}

#[test]
fn wrong_text_is_refused_with_its_line() {
    let check = |text: &str, message: &str| {
        assert_eq!(Forest::parse(text), Err(message.to_owned()), "{text}");
    };
    check("", "line 1: expected `forest trees=COUNT bias=NUMBER`");
    check(
        "forest trees=-1 bias=0",
        "line 1: `-1` is not a number of trees",
    );
    check(
        "forest trees=10001 bias=0",
        "line 1: 10001 trees, but at most 10000 are allowed",
    );
    check(
        "forest trees=0 bias=inf",
        "line 1: `inf` is not a finite number",
    );
    check(
        "forest trees=0 bias=1e39",
        "line 1: `1e39` is not a finite number",
    );
    check(
        "forest trees=0 bias=0 sure=very",
        "line 1: `very` is not a finite number",
    );
    check(
        "forest trees=0 bias=0 sure=0",
        "line 1: sure is 0, but must be above 0",
    );
    check(
        "forest trees=0 bias=0 sure=3 above=1.5,2*1.5",
        "line 1: `1.5` is not THRESHOLD*SCALE",
    );
    check(
        "forest trees=0 bias=0 sure=3 below=1.5*0.5",
        "line 1: early exit 1.5*0.5: the threshold must be above 0, the scale at least 1",
    );
    check(
        "forest trees=2 bias=0\n; 1; 1",
        "line 2: the text ends after 1 of 2 trees",
    );
    let head = "forest trees=1 bias=0\n";
    for (line, message) in [
        ("; 1; 1\n; 1; 1", "line 3: more than the 1 trees of line 1"),
        ("1>2; 1 2", "line 2: expected `SPLITS; LEAVES; COVERS`"),
        (
            "1>2; 1 2; 1 2; 3",
            "line 2: expected `SPLITS; LEAVES; COVERS`",
        ),
        ("1=2; 1 2; 1 2", "line 2: `1=2` is not FEATURE>NUMBER"),
        (
            "1>2 - - -; 1; 1",
            "line 2: 4 splits do not fill their levels",
        ),
        (
            "512>2; 1 2; 1 2",
            "line 2: `512` is not a feature below 512",
        ),
        ("1>NaN; 1 2; 1 2", "line 2: `NaN` is not a finite number"),
        ("1>2; 1; 1 2", "line 2: fewer than 2 leaves"),
        ("1>2; 1 2 3; 1 2", "line 2: more than 2 leaves"),
        ("1>2; 1 2; 1", "line 2: fewer than 2 covers"),
        (
            "1>2; 1 2; 1 -2",
            "line 2: the cover -2 is not a whole number",
        ),
    ] {
        check(&format!("{head}{line}"), message);
    }
    let deep = format!("{head}{}; 1; 1", "1>2 ".repeat(128));
    check(&deep, "line 2: more than 127 splits");
}
