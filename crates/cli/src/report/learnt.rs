//! What a run has learnt, in the words of its method.

use std::fmt;

use serde::Serialize;
use unframe::{AutoMemory, Chunks, LinksMemory, Mdl, MdlMemory, Memory, Sites, StreamMemory};
use unframe_report::numbers::{bytes, count};

/// Pages in a batch of the methods that the paper of `stream` compares with (§3: 24 on average).
const PAPER_BATCH: f64 = 24.0;

/// What the memories of a run's sites hold.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Learnt {
    /// `auto`.
    Texts(TextTotals),
    /// `stream`.
    Table(TableSize),
    /// `chunks`.
    Chunks(ChunkTotals),
    /// `mdl`.
    Paths(PathTotals),
    /// `links`.
    Trees(TreeTotals),
    /// The method does not learn, or there was nothing to learn from.
    #[serde(untagged)]
    Nothing,
}

/// What is known of the texts of all sites at hand.
#[derive(Debug, Default, Serialize)]
pub struct TextTotals {
    /// Pages learnt.
    pages: u64,
    /// Texts, each in its place.
    texts: u64,
    /// Those on more than half of their site's pages.
    frame_texts: u64,
    /// Rows of all tables.
    rows: u64,
    /// Bytes of the tables.
    bytes: u64,
}

/// What the segment table took, against keeping pages as batch methods do.
#[derive(Debug, Serialize)]
pub struct TableSize {
    /// Mean over sites of the paper's AverageSize.
    average_size: f64,
    /// Bytes of the pages that a batch method would hold: 24 average pages, or all there are.
    cached_pages: f64,
    /// Share of storage saved.
    saving: f64,
    /// Rows whose time was over; what they said is no longer known.
    dropped: u64,
}

/// The chunk tables of all sites at hand.
#[derive(Debug, Default, Serialize)]
pub struct ChunkTotals {
    /// Distinct chunks.
    distinct: u64,
    /// Those on enough pages to be template.
    template: u64,
    /// Pages that were counted.
    counted_pages: u64,
    /// Bytes of the tables.
    bytes: u64,
    /// The size of the sample that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<u32>,
    /// Sites that have fewer pages than the sample.
    below_sample: u64,
}

/// The paths of all sites at hand, and the clusters found by them.
#[derive(Debug, Default, Serialize)]
pub struct PathTotals {
    /// Paths of all pages.
    paths: u64,
    /// Clusters of two pages or more.
    templates: u64,
    /// Bytes of the paths.
    bytes: u64,
}

/// The pages that others are compared with, of all sites at hand.
#[derive(Debug, Default, Serialize)]
pub struct TreeTotals {
    /// Pages whose trees are kept.
    kept_pages: u64,
    /// Pages learnt.
    pages: u64,
    /// Bytes of the trees.
    bytes: u64,
}

impl Learnt {
    /// What `auto` has learnt of the sites at hand.
    pub fn texts(sites: &Sites<AutoMemory>) -> Learnt {
        let mut totals = TextTotals::default();
        for (memory, _) in sites.iter() {
            totals.pages += memory.pages();
            totals.texts += memory.texts() as u64;
            totals.frame_texts += memory.frame_texts() as u64;
            totals.rows += memory.len() as u64;
            totals.bytes += memory.table_bytes();
        }
        Learnt::Texts(totals)
    }

    /// What `links` has learnt of the sites at hand.
    pub fn trees(sites: &Sites<LinksMemory>) -> Learnt {
        let mut totals = TreeTotals::default();
        for (memory, _) in sites.iter() {
            totals.kept_pages += memory.kept_pages() as u64;
            totals.pages += memory.pages();
            totals.bytes += memory.table_bytes();
        }
        Learnt::Trees(totals)
    }

    /// What `mdl` has learnt of the sites at hand.
    pub fn paths(method: &Mdl, sites: &Sites<MdlMemory>) -> Learnt {
        let mut totals = PathTotals::default();
        for (memory, _) in sites.iter() {
            totals.paths += memory.paths();
            totals.templates += method.templates(memory) as u64;
            totals.bytes += memory.table_bytes();
        }
        Learnt::Paths(totals)
    }

    /// What `stream` has learnt of the sites at hand.
    pub fn segments(sites: &Sites<StreamMemory>) -> Learnt {
        let (mut size, mut dropped, mut cached_pages, mut number) = (0.0, 0, 0.0, 0.0);
        for (memory, record) in sites.iter().filter(|(_, record)| record.pages > 0) {
            size += memory.average_size();
            dropped += memory.dropped();
            let page = record.bytes as f64 / record.pages as f64;
            cached_pages += page * PAPER_BATCH.min(record.pages as f64);
            number += 1.0;
        }
        if cached_pages == 0.0 {
            return Learnt::Nothing;
        }
        Learnt::Table(TableSize {
            average_size: size / number,
            cached_pages: cached_pages / number,
            saving: 1.0 - size / cached_pages,
            dropped,
        })
    }

    /// What `chunks` has learnt of the sites at hand.
    pub fn chunks(method: &Chunks, sites: &Sites<unframe::ChunkMemory>) -> Learnt {
        let mut totals = ChunkTotals {
            sample: method.params().sample,
            ..ChunkTotals::default()
        };
        for (memory, _) in sites.iter() {
            let threshold = method.threshold(memory);
            let template = memory.table().filter(|(_, row)| row.df >= threshold);
            totals.template += template.count() as u64;
            totals.distinct += memory.table().count() as u64;
            totals.counted_pages += memory.counted_pages();
            totals.bytes += memory.table_bytes();
            let sample = totals.sample.map_or(0, u64::from);
            totals.below_sample += u64::from(memory.pages() < sample);
        }
        Learnt::Chunks(totals)
    }

    /// On how many pages a text must be, and the flag that says so.
    pub fn threshold(&self) -> &'static str {
        match self {
            Learnt::Texts(_) => "on other pages too, or looks like frame",
            Learnt::Chunks(_) => "on several pages (--threshold)",
            Learnt::Paths(_) => "on most of two or more pages",
            Learnt::Trees(_) => "on several pages (--links t=2)",
            _ => "on several pages (--df)",
        }
    }

    /// What the user may not have expected.
    pub fn hint(&self) -> Option<String> {
        let Learnt::Chunks(totals) = self else {
            return None;
        };
        let sample = totals.sample.filter(|_| totals.below_sample > 0)?;
        let have = match totals.below_sample {
            1 => "1 site has".to_string(),
            sites => format!("{sites} sites have"),
        };
        Some(format!(
            "{have} fewer than the {sample} pages of --sample; all of their pages were counted"
        ))
    }
}

impl fmt::Display for Learnt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Learnt::Nothing => Ok(()),
            Learnt::Table(table) => writeln!(
                f,
                "memory: {} a site on average; caching up to {PAPER_BATCH} pages would take {} ({:.1} % saved){}",
                bytes(table.average_size),
                bytes(table.cached_pages),
                100.0 * table.saving,
                match table.dropped {
                    0 => String::new(),
                    dropped => format!("; {dropped} texts not seen for long were dropped"),
                }
            ),
            Learnt::Texts(totals) => writeln!(
                f,
                "memory: {}; {}, {} of {} on more than half of a site's pages",
                bytes(totals.bytes as f64),
                count(totals.pages, "page"),
                totals.frame_texts,
                count(totals.texts, "text"),
            ),
            Learnt::Trees(totals) => writeln!(
                f,
                "memory: {}; the trees of {} of {} are kept to compare with",
                bytes(totals.bytes as f64),
                totals.kept_pages,
                count(totals.pages, "page"),
            ),
            Learnt::Chunks(totals) => writeln!(
                f,
                "memory: {}; {} counted, {} of {} on enough of them",
                bytes(totals.bytes as f64),
                count(totals.counted_pages, "page"),
                totals.template,
                count(totals.distinct, "chunk"),
            ),
            Learnt::Paths(totals) => writeln!(
                f,
                "memory: {}; {}, {} of two pages or more",
                bytes(totals.bytes as f64),
                count(totals.paths, "path"),
                count(totals.templates, "cluster"),
            ),
        }
    }
}
