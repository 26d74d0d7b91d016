//! Pages that were read, as a table.

use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, BinaryBuilder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use unframe::Flag;
use unframe::read::RawPage;

use super::Table;

/// Collects pages.
#[derive(Default)]
pub struct RawPages {
    url: StringBuilder,
    html: BinaryBuilder,
    date: StringBuilder,
    record_id: StringBuilder,
    charset: StringBuilder,
    source: StringBuilder,
    site: StringBuilder,
    damage: ListBuilder<StringBuilder>,
    bytes: usize,
}

impl RawPages {
    /// Bytes of the pages.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    pub fn push(&mut self, page: &RawPage) {
        self.url.append_option(page.url.as_deref());
        self.html.append_value(&page.body);
        self.date.append_option(page.date.as_deref());
        self.record_id.append_option(page.record_id.as_deref());
        self.charset.append_option(page.charset.as_deref());
        self.source.append_value(&page.name);
        self.site.append_value(&page.site);
        let damage = [
            (Flag::Truncated, page.truncated),
            (Flag::Undecodable, page.undecodable),
            (Flag::DigestMismatch, page.wrong_digest.is_some()),
        ];
        for (flag, _) in damage.into_iter().filter(|(_, is_so)| *is_so) {
            self.damage.values().append_value(flag.name());
        }
        self.damage.append(true);
        self.bytes += page.body.len();
    }

    pub fn finish(mut self) -> Table {
        let columns: [(&str, ArrayRef); 8] = [
            ("url", Arc::new(self.url.finish())),
            ("html", Arc::new(self.html.finish())),
            ("date", Arc::new(self.date.finish())),
            ("record_id", Arc::new(self.record_id.finish())),
            ("charset", Arc::new(self.charset.finish())),
            ("source", Arc::new(self.source.finish())),
            ("site", Arc::new(self.site.finish())),
            ("damage", Arc::new(self.damage.finish())),
        ];
        let columns = columns.map(|(name, column)| (name, column, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        let batch = batch.expect("columns of equal length");
        let schema = batch.schema();
        Table::new(vec![batch], schema)
    }
}
