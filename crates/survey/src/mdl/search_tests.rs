//! Compares the searches with a slow one that builds every matrix, and checks laws of any
//! clustering.

use proptest::prelude::*;

use super::clustering::rows;
use super::essential::Essentials;
use super::exact::merge_all_pairs;
use super::group::{Group, Mergeable};
use super::length::{Counts, Lengths};
use super::*;

fn table(pages: &[Vec<u64>]) -> PathTable {
    let mut table = PathTable::default();
    for page in pages {
        table.add(&page.iter().copied().collect());
    }
    table
}

fn params(cost: Cost, mode_rule: ModeRule, search: Search) -> MdlParams {
    MdlParams {
        cost,
        mode_rule,
        search,
        ..MdlParams::default()
    }
}

/// The matrices of a clustering, cell by cell: template, membership, delta.
fn matrices(essentials: &Essentials, clusters: &[Vec<u32>]) -> [Vec<i8>; 3] {
    let has = |page: u32, path: u32| essentials.pages[page as usize].contains(&path);
    let pages = essentials.pages.len() as u32;
    let (mut templates, mut members, mut deltas) = (Vec::new(), Vec::new(), Vec::new());
    for path in 0..essentials.all_paths as u32 {
        let in_template: Vec<bool> = clusters
            .iter()
            .map(|cluster| {
                let support = cluster.iter().filter(|page| has(**page, path)).count();
                2 * support > cluster.len()
            })
            .collect();
        // A column for each possible cluster; there are as many as pages.
        templates
            .extend((0..pages as usize).map(|at| i8::from(in_template.get(at) == Some(&true))));
        for page in 0..pages {
            let of = clusters.iter().position(|cluster| cluster.contains(&page));
            deltas.push(i8::from(has(page, path)) - i8::from(in_template[of.unwrap()]));
        }
    }
    for at in 0..pages as usize {
        let is_member = |page| clusters.get(at).is_some_and(|c| c.contains(&page));
        members.extend((0..pages).map(|page| i8::from(is_member(page))));
    }
    [templates, members, deltas]
}

/// |M|·H(X).
fn entropy(matrix: &[i8]) -> f64 {
    let all = matrix.len() as f64;
    let of = |value: i8| match matrix.iter().filter(|cell| **cell == value).count() as f64 {
        0.0 => 0.0,
        count => -count * libm::log2(count / all),
    };
    of(0) + of(1) + of(-1)
}

fn counts([templates, _, deltas]: &[Vec<i8>; 3]) -> Counts {
    let count = |matrix: &[i8], value| matrix.iter().filter(|cell| **cell == value).count() as i64;
    Counts {
        template: count(templates, 1),
        beside: count(deltas, 1),
        lacking: count(deltas, -1),
    }
}

/// The algorithm as published, with every matrix of every merge.
fn by_the_book(essentials: &Essentials, cost: Cost) -> (Vec<Vec<u32>>, Vec<Merge>) {
    let pages = essentials.pages.len();
    let lengths = Lengths::new(cost, pages, essentials.all_paths);
    let length = |clusters: &[Vec<u32>]| {
        let matrices = matrices(essentials, clusters);
        let [templates, members, deltas] = matrices.each_ref().map(|matrix| entropy(matrix));
        let expected = match cost {
            Cost::Seed => templates + members,
            Cost::Delta => templates + members + deltas,
        };
        // Exactly the same number for the same counts, so that ties are ties.
        let length = lengths.of(counts(&matrices));
        assert!((length - expected).abs() < 1e-9 * expected.max(1.0));
        length
    };
    let mut clusters: Vec<Vec<u32>> = (0..pages as u32).map(|page| vec![page]).collect();
    let mut merges = Vec::new();
    let mut now = length(&clusters);
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for i in 0..clusters.len() {
            for j in i + 1..clusters.len() {
                let mut merged = clusters.clone();
                let other = merged.remove(j);
                merged[i].extend(other);
                let length = length(&merged);
                if best.is_none_or(|best| length < best.0) {
                    best = Some((length, i, j));
                }
            }
        }
        let Some((length, i, j)) = best.filter(|best| best.0 < now) else {
            clusters
                .iter_mut()
                .for_each(|cluster| cluster.sort_unstable());
            return (clusters, merges);
        };
        let other = clusters.remove(j);
        merges.push(Merge {
            first: clusters[i][0],
            second: other[0],
            length,
        });
        clusters[i].extend(other);
        now = length;
    }
}

/// The same without matrices, for more pages: evaluates every pair of every round in full.
fn every_pair(essentials: &Essentials, cost: Cost) -> Vec<Merge> {
    let lengths = Lengths::new(cost, essentials.pages.len(), essentials.all_paths);
    let page = |at: &u32| &*essentials.pages[*at as usize];
    let whole = |pages: &[u32]| Group::of_pages(pages.iter().map(page)).counts();
    let mut clusters: Vec<Vec<u32>> = (0..essentials.pages.len() as u32)
        .map(|n| vec![n])
        .collect();
    let mut merges = Vec::new();
    loop {
        let counts: Vec<Counts> = clusters.iter().map(|pages| whole(pages)).collect();
        let sum = counts
            .iter()
            .fold(Counts::default(), |sum, next| sum + *next);
        let mut best = (lengths.of(sum), None);
        for (j, two) in clusters.iter().enumerate() {
            for (i, one) in clusters[..j].iter().enumerate() {
                let merged = whole(&[&one[..], two].concat());
                let length = lengths.of(sum - counts[i] - counts[j] + merged);
                let lower = best.1.is_some_and(|pair| length == best.0 && (i, j) < pair);
                if length < best.0 || lower {
                    best = (length, Some((i, j)));
                }
            }
        }
        let (length, Some((i, j))) = best else {
            return merges;
        };
        let other = clusters.remove(j);
        merges.push(Merge {
            first: clusters[i][0],
            second: other[0],
            length,
        });
        clusters[i].extend(other);
    }
}

fn some_pages() -> impl Strategy<Value = Vec<Vec<u64>>> {
    // Two templates with optional parts, and the page's own paths.
    let page = (
        0..2u64,
        prop::collection::vec(0..8u64, 0..8),
        prop::collection::vec(0..30u64, 0..4),
    );
    let page = page.prop_map(|(template, parts, own)| {
        let parts = parts.into_iter().map(|part| 100 + 10 * template + part);
        let mut page: Vec<u64> = parts.chain(own).collect();
        page.sort_unstable();
        page.dedup();
        page
    });
    prop::collection::vec(page, 0..8)
}

const COSTS: [Cost; 2] = [Cost::Seed, Cost::Delta];
const RULES: [ModeRule; 3] = [
    ModeRule::Literal,
    ModeRule::IgnoreSingletons,
    ModeRule::Elements,
];
const SEARCHES: [Search; 4] = [Search::Auto, Search::Exact, Search::Lsh, Search::Estimate];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn exact_is_the_search_by_the_book(pages in some_pages()) {
        for cost in COSTS {
            for rule in RULES {
                for room in [false, true] {
                    let mut essentials = Essentials::of(table(&pages), rule);
                    essentials.all_paths = rows(&essentials, room);
                    let (clusters, merges) = by_the_book(&essentials, cost);
                    let params = MdlParams {
                        room,
                        ..params(cost, rule, Search::Exact)
                    };
                    let found = cluster(table(&pages), &params);
                    prop_assert_eq!(&found.merges, &merges);
                    let members: Vec<Vec<u32>> =
                        found.clusters.into_iter().map(|cluster| cluster.pages).collect();
                    prop_assert_eq!(members, clusters);
                }
            }
        }
    }

    #[test]
    fn exact_leaves_no_better_pair_out(
        templates in prop::collection::vec(0..4u64, 20..30),
        parts in prop::collection::vec(any::<u64>(), 30),
    ) {
        let page = |(template, parts): (&u64, &u64)| {
            let fixed = (0..12).map(|path| 100 * template + 2 * path);
            let optional = (0..40).filter(|part| parts >> part & 3 == 3);
            let own = (0..6).map(|text| 1000 + (parts >> (5 * text) & 31) * 10 + text);
            fixed.chain(optional.map(|part| 100 * template + 30 + part)).chain(own).collect()
        };
        let pages: Vec<Vec<u64>> = templates.iter().zip(&parts).map(page).collect();
        for cost in COSTS {
            for rule in RULES {
                let mut essentials = Essentials::of(table(&pages), rule);
                essentials.all_paths = rows(&essentials, true);
                let found = cluster(table(&pages), &params(cost, rule, Search::Exact));
                prop_assert_eq!(&found.merges, &every_pair(&essentials, cost));
            }
        }
    }

    #[test]
    fn any_clustering_is_a_numbered_partition(pages in some_pages()) {
        for cost in COSTS {
            for search in SEARCHES {
                let params = params(cost, ModeRule::IgnoreSingletons, search);
                let found = cluster(table(&pages), &params);
                check(&found, pages.len());
                if search != Search::Estimate {
                    prop_assert!(found.length_after <= found.length_before);
                    let last = found.merges.last().map_or(found.length_before, |m| m.length);
                    prop_assert_eq!(last, found.length_after);
                }
            }
        }
    }
}

fn check(found: &Clustering, pages: usize) {
    assert_eq!(found.of_page.len(), pages);
    assert_eq!(found.clusters.len() + found.merges.len(), pages);
    let mut seen = 0;
    for (number, cluster) in found.clusters.iter().enumerate() {
        assert!(cluster.pages.is_sorted() && cluster.pages.contains(&cluster.representative));
        let in_cluster = |page: &u32| found.of_page[*page as usize] == number as u32;
        assert!(cluster.pages.iter().all(in_cluster));
        assert!(cluster.template.is_sorted());
        assert!(cluster.pages.len() > 1 || cluster.template.is_empty());
        seen += cluster.pages.len();
    }
    assert_eq!(seen, pages);
    let firsts = found.clusters.iter().map(|cluster| cluster.pages[0]);
    assert!(firsts.is_sorted());
}

/// Two templates of 25 paths, 5 paths that both have, a text of its own on each of 2 × 5 pages.
fn two_templates() -> Vec<Vec<u64>> {
    let page = |n: u64| {
        let common = 1000..1005u64;
        let template = 100 * (n % 2)..100 * (n % 2) + 25;
        common.chain(template).chain([2000 + n]).collect()
    };
    (0..10).map(page).collect()
}

#[test]
fn two_templates_are_told_apart_unless_by_the_printed_cost() {
    for rule in [ModeRule::Literal, ModeRule::IgnoreSingletons] {
        let seed = params(Cost::Seed, rule, Search::Exact);
        let found = cluster(table(&two_templates()), &seed);
        assert_eq!(found.clusters.len(), 1);
        assert!((found.length_before - 694.1).abs() < 0.05);
        assert!((found.length_after - 89.2).abs() < 0.05);
        for search in SEARCHES {
            let found = cluster(table(&two_templates()), &params(Cost::Delta, rule, search));
            assert_eq!(found.of_page, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "{search:?}");
            assert!((found.length_before - 694.1).abs() < 0.05);
            assert!((found.length_after - 335.6).abs() < 0.05);
            let [one, two] = &found.clusters[..] else {
                panic!("two clusters");
            };
            assert_eq!(one.template, (0..25).chain(1000..1005).collect::<Vec<_>>());
            assert_eq!(
                two.template,
                (100..125).chain(1000..1005).collect::<Vec<_>>()
            );
            assert_eq!((one.representative, two.representative), (0, 1));
            assert!(one.gain > 0.0 && (one.gain - two.gain).abs() < 1e-9);
        }
    }
    let letter = cluster(table(&two_templates()), &MdlParams::kim_shim());
    assert_eq!(letter.clusters.len(), 1);
    // In the published version, identical pages stay separate: a matrix of ones takes no bits.
    let same = vec![vec![2, 4, 6]; 3];
    let letter = cluster(table(&same), &MdlParams::kim_shim());
    assert_eq!(
        (letter.clusters.len(), letter.length_before),
        (3, 8.264_662_506_490_407)
    );
}

/// {a b c d}, {a b c e}, {a b x y z} are the essential paths already, of 8 paths.
#[test]
fn three_pages_of_the_specification() {
    let pages = [&[0, 1, 2, 3][..], &[0, 1, 2, 4], &[0, 1, 5, 6, 7]];
    for (cost, merges, length) in [(Cost::Seed, 2, 21.3102), (Cost::Delta, 0, 32.1443)] {
        let lengths = Lengths::new(cost, 3, 8);
        let alone = Counts {
            template: 13,
            ..Counts::default()
        };
        let groups = (0..).zip(pages.map(Group::of_page)).collect();
        let steps = merge_all_pairs(groups, alone, &lengths);
        assert_eq!(steps.len(), merges);
        let last = steps.last().map_or(alone, |step| step.counts);
        assert!((lengths.of(last) - length).abs() < 1e-4);
    }
}

/// Table 1: 17.793 bits apart, 16.084 merged.
#[test]
fn the_two_pages_of_the_paper() {
    let pages = [&[2, 4, 6, 8, 1][..], &[2, 4, 6, 8, 3, 5]].map(<[u64]>::to_vec);
    for cost in COSTS {
        for rule in RULES {
            let params = MdlParams {
                room: false,
                ..params(cost, rule, Search::Exact)
            };
            let found = cluster(table(&pages), &params);
            assert_eq!(found.clusters.len(), 1);
            assert_eq!(found.clusters[0].template, [2, 4, 6, 8]);
            assert!((found.length_before - 17.793).abs() < 6e-4);
            assert!((found.length_after - 16.084).abs() < 6e-4);
        }
    }
}

#[test]
fn few_pages_and_pages_that_are_the_same() {
    for search in SEARCHES {
        for rule in RULES {
            let params = params(Cost::Delta, rule, search);
            let none = cluster(table(&[]), &params);
            assert!(none.clusters.is_empty() && none.of_page.is_empty());
            assert_eq!((none.length_before, none.length_after), (0.0, 0.0));
            let one = cluster(table(&[vec![2, 3, 4]]), &params);
            check(&one, 1);
            assert_eq!(one.clusters[0].template, []);
            let same = vec![(0..40).map(|n| 2 * n).collect::<Vec<u64>>(); 3];
            let all = cluster(table(&same), &params);
            assert_eq!(all.of_page, [0, 0, 0], "{rule:?} {search:?}");
            assert_eq!(all.clusters[0].template, same[0]);
            let empty = cluster(table(&vec![vec![]; 4]), &params);
            check(&empty, 4);
            let mut many = vec![same[0].clone(); 20];
            many.push((100..140).map(|n| 2 * n).collect());
            many.push((100..140).map(|n| 2 * n).collect());
            let many = cluster(table(&many), &params);
            check(&many, 22);
            assert_eq!(many.clusters.len(), 2, "{rule:?} {search:?}");
            assert_eq!(many.clusters[0].template, same[0]);
        }
    }
}

#[test]
fn pages_with_nothing_in_common_stay_alone() {
    let page = |n: u64| (0..50).map(|path| 1000 * n + path).collect::<Vec<u64>>();
    let pages: Vec<Vec<u64>> = (0..5000).map(page).collect();
    for rule in RULES {
        let found = cluster(table(&pages), &params(Cost::Delta, rule, Search::Auto));
        assert_eq!(found.clusters.len(), 5000, "{rule:?}");
    }
}

#[test]
fn one_page_of_200_000_paths_does_not_disturb() {
    let mut pages = two_templates();
    pages[3].extend((0..200_000u64).map(|n| 1_000_000 + 2 * n + 1));
    for search in SEARCHES {
        let params = params(Cost::Delta, ModeRule::IgnoreSingletons, search);
        let found = cluster(table(&pages), &params);
        assert_eq!(found.of_page, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], "{search:?}");
    }
}

/// A site of several templates with optional blocks; more pages than the exact search handles.
fn large_site(pages: u64) -> Vec<Vec<u64>> {
    let page = |n: u64| {
        let (template, random) = (n % 7, n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
        let fixed = (0..60).map(|path| 1000 * template + 2 * path);
        let optional = (0..20).filter(|block| random >> block & 1 == 1);
        let optional = optional.map(|block| 1000 * template + 500 + 2 * block);
        let own = (0..10).map(|text| 1_000_000 + 100 * n + 2 * text + 1);
        fixed.chain(optional).chain(own).collect()
    };
    (0..pages).map(page).collect()
}

#[test]
fn large_sites_are_hashed_and_come_apart() {
    let pages = large_site(1400);
    let expected: Vec<u32> = (0..1400).map(|n| n % 7).collect();
    for search in [Search::Auto, Search::Lsh, Search::Estimate] {
        let params = params(Cost::Delta, ModeRule::IgnoreSingletons, search);
        let found = cluster(table(&pages), &params);
        check(&found, pages.len());
        assert_eq!(found.of_page, expected, "{search:?}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let pages = large_site(200);
    for search in SEARCHES {
        let params = params(Cost::Delta, ModeRule::IgnoreSingletons, search);
        let found = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| cluster(table(&pages), &params))
        });
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0], found[2]);
    }
}

/// Which of several equally good merges comes first depends on the order of the pages, so the order
/// may change the clusters if there are ties; distinct templates are not affected.
#[test]
fn the_order_of_pages_changes_numbers_only() {
    let pages = large_site(140);
    for search in SEARCHES {
        let params = params(Cost::Delta, ModeRule::IgnoreSingletons, search);
        let mut turned = pages.clone();
        turned.rotate_left(33);
        let mut found = cluster(table(&turned), &params).of_page;
        found.rotate_right(33);
        let straight = cluster(table(&pages), &params).of_page;
        for (a, b) in straight.iter().zip(&found) {
            for (c, d) in straight.iter().zip(&found) {
                assert_eq!(a == c, b == d);
            }
        }
    }
}
