//! Groups pages into clusters, with their templates, from the paths of all pages.

use rayon::prelude::*;

use super::essential::Essentials;
use super::estimate::Sample;
use super::exact::{Step, merge_all_pairs};
use super::group::{Group, Mergeable};
use super::hashed::merge_candidates;
use super::length::{Counts, Lengths};
use super::minhash::{MinHash, candidate_pairs};
use super::params::{MdlParams, Search};
use super::table::PathTable;
use crate::ascending::in_both;

/// Which pages share a template.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// In the order of their first pages.
    pub clusters: Vec<Cluster>,
    /// The cluster number of each page.
    pub of_page: Vec<u32>,
    /// In the order in which they were made.
    pub merges: Vec<Merge>,
    /// Bits that describe the pages if each is a cluster of its own.
    pub length_before: f64,
    /// Bits that describe the pages in these clusters.
    pub length_after: f64,
}

/// Pages with a common template.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// Its pages, ascending.
    pub pages: Vec<u32>,
    /// Paths of the template, ascending: the essential paths of more than half of its pages. Empty
    /// for a single page, from which no template can be derived.
    pub template: Vec<u64>,
    /// The page that differs least from the template.
    pub representative: u32,
    /// Additional bits needed if its pages were separate and all other clusters unchanged.
    pub gain: f64,
}

/// The merge of two clusters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merge {
    /// The first page of one cluster, which is the first page of the merged one.
    pub first: u32,
    /// The first page of the other.
    pub second: u32,
    /// Bits that describe all pages afterwards.
    pub length: f64,
}

/// Clusters the pages of a table by description length. No pages yield no clusters; one page yields
/// one.
pub fn cluster(table: PathTable, params: &MdlParams) -> Clustering {
    let essentials = Essentials::of(table, params.mode_rule);
    let pages = &essentials.pages;
    let total: usize = pages.iter().map(|page| page.len()).sum();
    let rows = rows(&essentials, params.room);
    let lengths = Lengths::new(params.cost, pages.len(), rows).tabulated(total);
    let alone = Counts {
        template: total as i64,
        ..Counts::default()
    };
    let steps = search(&essentials, alone, &lengths, params);
    let merges: Vec<Merge> = steps
        .iter()
        .map(|step| Merge {
            first: step.first,
            second: step.second,
            length: lengths.of(step.counts),
        })
        .collect();
    let of_page = numbers(pages.len(), &merges);
    describe(&essentials, &lengths, of_page, merges, lengths.of(alone))
}

/// Rows of the template matrix: one for each path, and with `room` enough empty ones that at most
/// half of the cells are ones.
pub(super) fn rows(essentials: &Essentials, room: bool) -> u64 {
    let ones: usize = essentials.pages.iter().map(|page| page.len()).sum();
    let half_full = 2 * ones.div_ceil(essentials.pages.len().max(1)) as u64;
    match room {
        true => essentials.all_paths.max(half_full),
        false => essentials.all_paths,
    }
}

fn search(
    essentials: &Essentials,
    alone: Counts,
    lengths: &Lengths,
    params: &MdlParams,
) -> Vec<Step> {
    let Essentials { pages, paths, .. } = essentials;
    let few = pages.len() <= params.exact_limit;
    let search = match params.search {
        Search::Auto if few => Search::Exact,
        Search::Auto => Search::Lsh,
        chosen => chosen,
    };
    let groups = || pages.par_iter().map(|page| Group::of_page(page)).collect();
    if search == Search::Exact {
        return merge_all_pairs(numbered(groups()), alone, lengths);
    }
    let signatures = MinHash::new(params.hashes).signatures(pages, paths);
    let candidates = || candidate_pairs(&signatures, params.hashes / params.bands);
    let limit = params.exact_limit;
    if search == Search::Lsh {
        return merge_candidates(groups(), candidates(), lengths, limit);
    }
    let samples = signatures.iter().zip(pages);
    let samples = samples.map(|(signature, page)| Sample::of_page(signature, page.len()));
    let samples: Vec<Sample> = samples.collect();
    match few {
        true => merge_all_pairs(numbered(samples), alone, lengths),
        false => merge_candidates(samples, candidates(), lengths, limit),
    }
}

fn numbered<G>(groups: Vec<G>) -> Vec<(u32, G)> {
    (0..).zip(groups).collect()
}

/// The cluster of each page, numbered in the order of the first pages.
fn numbers(pages: usize, merges: &[Merge]) -> Vec<u32> {
    let mut first: Vec<u32> = (0..pages as u32).collect();
    for merge in merges {
        first[merge.second as usize] = merge.first;
    }
    let mut numbers = Vec::with_capacity(pages);
    let mut next = 0;
    // The first page of a page's cluster precedes it, so its number is known. Following one step of
    // the chain is enough, because that page has already followed its own.
    for (page, first) in first.iter().enumerate() {
        let number = match *first as usize {
            own if own == page => {
                next += 1;
                next - 1
            }
            earlier => numbers[earlier],
        };
        numbers.push(number);
    }
    numbers
}

fn describe(
    essentials: &Essentials,
    lengths: &Lengths,
    of_page: Vec<u32>,
    merges: Vec<Merge>,
    length_before: f64,
) -> Clustering {
    let count = of_page.iter().max().map_or(0, |last| *last as usize + 1);
    let mut members = vec![Vec::new(); count];
    for (page, number) in of_page.iter().enumerate() {
        members[*number as usize].push(page as u32);
    }
    let whole: Vec<Group> = members
        .iter()
        .map(|pages| whole(essentials, pages))
        .collect();
    let sum = whole
        .iter()
        .fold(Counts::default(), |sum, group| sum + group.counts());
    let length_after = lengths.of(sum);
    let clusters = members.into_iter().zip(&whole).map(|(pages, group)| {
        let own = |page: u32| &essentials.pages[page as usize];
        let apart = Counts {
            template: pages.iter().map(|page| own(*page).len() as i64).sum(),
            ..Counts::default()
        };
        let template: Vec<u32> = group.template().collect();
        let representative = pages
            .iter()
            .copied()
            .min_by_key(|page| differences(own(*page), &template));
        let shared = pages.len() > 1;
        let spelled = template.iter().map(|path| essentials.paths[*path as usize]);
        Cluster {
            representative: representative.unwrap_or_default(),
            template: spelled.filter(|_| shared).collect(),
            gain: lengths.of(sum - group.counts() + apart) - length_after,
            pages,
        }
    });
    Clustering {
        clusters: clusters.collect(),
        of_page,
        merges,
        length_before,
        length_after,
    }
}

/// A group of all pages of a cluster.
fn whole(essentials: &Essentials, pages: &[u32]) -> Group {
    Group::of_pages(pages.iter().map(|page| &*essentials.pages[*page as usize]))
}

/// The number of paths that only one of two ascending lists has.
fn differences(a: &[u32], b: &[u32]) -> usize {
    a.len() + b.len() - 2 * in_both(a, b)
}
