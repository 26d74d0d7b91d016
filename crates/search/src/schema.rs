//! The indexed fields of a page. Any change to the fields in this file needs a new [`VERSION`].

use std::borrow::Cow;

use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{TantivyDocument, Term, tokenizer::TokenizerManager};
use unframe_page::page_identity;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::words::{self, Words};

/// Version of fields and tokenizer; an index of another version is not opened.
pub(crate) const VERSION: u64 = 1;

/// Longer URLs are cut here, and the hash of the whole is added.
const LONGEST_URL: usize = 8_000;

/// Name of the column with the page numbers.
pub(crate) const NUMBER: &str = "number";

/// A page to be indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// URL, or the page's name in the input if it has none.
    pub url: String,
    /// The site it belongs to.
    pub site: String,
    /// The text of its `<title>`.
    pub title: String,
    /// Its text.
    pub body: String,
    /// Its name in the input.
    pub source: String,
}

impl Document {
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.url, &self.site, &self.title, &self.body, &self.source];
        texts.iter().map(|text| text.len()).sum()
    }
}

/// The fields of every index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub url: Field,
    pub site: Field,
    pub title: Field,
    pub body: Field,
    pub source: Field,
    pub number: Field,
}

impl Fields {
    pub fn build() -> (Schema, Fields) {
        let words = TextFieldIndexing::default()
            .set_tokenizer(words::NAME)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text = TextOptions::default()
            .set_indexing_options(words)
            .set_stored();
        let mut schema = Schema::builder();
        let fields = Fields {
            url: schema.add_text_field("url", STRING | STORED),
            site: schema.add_text_field("site", STRING | STORED),
            title: schema.add_text_field("title", text.clone()),
            body: schema.add_text_field("body", text),
            source: schema.add_text_field("source", STRING | STORED),
            number: schema.add_u64_field(NUMBER, FAST),
        };
        (schema.build(), fields)
    }

    /// The term that identifies a page.
    pub fn page_term(self, page: &Document) -> Term {
        Term::from_field_text(self.url, &page_url(&page.url))
    }

    /// Page number `number` as a document of the engine.
    pub fn document(self, page: Document, number: u64) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_text(self.url, page_url(&page.url));
        document.add_text(self.site, page.site);
        document.add_text(self.title, composed(page.title));
        document.add_text(self.body, composed(page.body));
        document.add_text(self.source, page.source);
        document.add_u64(self.number, number);
        document
    }
}

/// The URL as it is indexed. The engine drops terms of more than 65,530 bytes, so that a page with
/// such a URL could not be found to be replaced.
fn page_url(url: &str) -> Cow<'_, str> {
    match url.len() <= LONGEST_URL {
        true => url.into(),
        false => {
            let start = &url[..url.floor_char_boundary(LONGEST_URL)];
            format!("{start}~{}", page_identity(None, url)).into()
        }
    }
}

/// The tokenizers named in the schema.
pub(crate) fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register(words::NAME, Words);
    tokenizers
}

/// Normalises to NFC, so that `é` is found however a page encodes it.
pub(crate) fn composed(text: String) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        _ => text.nfc().collect(),
    }
}
