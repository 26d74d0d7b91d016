//! The pages of a table: which columns they are in, and the cells as bytes that are not copied.

use std::collections::VecDeque;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch,
    StringArray, StringViewArray,
};
use arrow_buffer::Buffer;
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::{DataType, Schema};
use bytes::Bytes;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use unframe::Flag;
use unframe::read::GivenPage;

use crate::error;
use crate::keywords::Keywords;
use crate::learn_many::unnamed;

/// The names of the columns of a table of pages.
pub struct ColumnNames {
    url: Option<String>,
    html: String,
    site: Option<String>,
    charset: Option<String>,
    damage: Option<String>,
}

/// Where they are.
#[derive(Clone, Copy)]
pub struct Columns {
    url: Option<usize>,
    html: usize,
    site: Option<usize>,
    charset: Option<usize>,
    damage: Option<usize>,
}

impl ColumnNames {
    /// Takes them from the keywords of a call.
    pub fn take(keywords: &mut Keywords<'_>, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        // `url=None` says that there are no URLs, so it is not the same as a missing one.
        let has_url = match given {
            Some(given) => given.get_item("url")?.is_none_or(|url| !url.is_none()),
            None => true,
        };
        let url = keywords.text("url")?.unwrap_or_else(|| "url".into());
        Ok(ColumnNames {
            url: has_url.then_some(url),
            html: keywords.text("html")?.unwrap_or_else(|| "html".into()),
            site: keywords.text("site_column")?,
            charset: keywords.text("charset_column")?,
            damage: keywords.text("damage_column")?,
        })
    }

    /// Finds them in a table.
    pub fn find(&self, schema: &Schema) -> PyResult<Columns> {
        let find = |name: &str, what: &str| {
            let at = schema.index_of(name).map_err(|_| {
                let known: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
                error::argument(format!(
                    "the table has no column '{name}', but {}; name it with {what}=",
                    known.join(", ")
                ))
            })?;
            let kind = schema.field(at).data_type();
            let (is_right, wanted) = match what {
                "damage_column" => (is_texts(kind), "lists of text"),
                _ => (is_readable(kind), "text or binary data"),
            };
            match is_right {
                true => Ok(at),
                false => Err(PyTypeError::new_err(format!(
                    "the column of {what} must be {wanted}, not {kind}"
                ))),
            }
        };
        let optional = |name: &Option<String>, what: &str| {
            let name = name.as_deref();
            name.map(|name| find(name, what)).transpose()
        };
        let html = find(&self.html, "html")?;
        Ok(Columns {
            url: optional(&self.url, "url")?,
            html,
            site: optional(&self.site, "site_column")?,
            charset: optional(&self.charset, "charset_column")?,
            damage: optional(&self.damage, "damage_column")?,
        })
    }
}

fn is_readable(kind: &DataType) -> bool {
    use DataType::*;
    matches!(
        kind,
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | Null
    )
}

fn is_texts(kind: &DataType) -> bool {
    match kind {
        DataType::List(items) => *items.data_type() == DataType::Utf8,
        DataType::Null => true,
        _ => false,
    }
}

/// The pages of a table.
pub struct TablePages {
    batches: VecDeque<RecordBatch>,
    columns: Columns,
    /// The row in the first batch, and in the table.
    row: usize,
    number: usize,
}

impl TablePages {
    pub fn new(batches: Vec<RecordBatch>, columns: Columns) -> TablePages {
        TablePages {
            batches: batches.into(),
            columns,
            row: 0,
            number: 0,
        }
    }
}

impl Iterator for TablePages {
    type Item = GivenPage;

    fn next(&mut self) -> Option<GivenPage> {
        loop {
            let batch = self.batches.front()?;
            if self.row >= batch.num_rows() {
                self.batches.pop_front();
                self.row = 0;
                continue;
            }
            let (row, number) = (self.row, self.number);
            (self.row, self.number) = (row + 1, number + 1);
            let Some((body, is_text)) = cell(batch.column(self.columns.html), row) else {
                continue;
            };
            let text = |column: Option<usize>| {
                let (text, _) = cell(batch.column(column?), row)?;
                String::from_utf8(text.to_vec()).ok()
            };
            let url = text(self.columns.url).filter(|url| !url.trim().is_empty());
            let damage = self.columns.damage.map(|at| texts(batch.column(at), row));
            let damage = damage.unwrap_or_default();
            let is_damaged = |by: Flag| damage.iter().any(|name| name == by.name());
            return Some(GivenPage {
                // The number of a row would be that of another page in the next run.
                name: Some(match url {
                    Some(_) => format!("row {number}"),
                    None => unnamed(&body),
                }),
                record_id: Some(number.to_string()),
                url,
                site: text(self.columns.site),
                charset: match is_text {
                    true => Some("utf-8".to_string()),
                    false => text(self.columns.charset),
                },
                truncated: is_damaged(Flag::Truncated),
                undecodable: is_damaged(Flag::Undecodable),
                wrong_digest: is_damaged(Flag::DigestMismatch),
                body,
                ..GivenPage::default()
            });
        }
    }
}

/// A cell of a column and whether it is text; none if it is null. Its bytes are not copied.
fn cell(column: &ArrayRef, row: usize) -> Option<(Bytes, bool)> {
    if column.is_null(row) {
        return None;
    }
    let any = column.as_any();
    macro_rules! offsets {
        ($array:ty, $is_text:expr) => {
            if let Some(array) = any.downcast_ref::<$array>() {
                let offsets = array.value_offsets();
                let (from, to) = (offsets[row] as usize, offsets[row + 1] as usize);
                let values = shared(array.values().clone());
                return Some((values.slice(from..to), $is_text));
            }
        };
    }
    offsets!(StringArray, true);
    offsets!(LargeStringArray, true);
    offsets!(BinaryArray, false);
    offsets!(LargeBinaryArray, false);
    if let Some(array) = any.downcast_ref::<StringViewArray>() {
        let value = array.value(row).as_bytes();
        return Some((
            viewed(array.views()[row], array.data_buffers(), value),
            true,
        ));
    }
    let array = any.downcast_ref::<BinaryViewArray>()?;
    let value = array.value(row);
    Some((
        viewed(array.views()[row], array.data_buffers(), value),
        false,
    ))
}

/// The bytes of a view. Short ones are inside the view itself, where nothing can refer to.
fn viewed(view: u128, buffers: &[Buffer], value: &[u8]) -> Bytes {
    let view = ByteView::from(view);
    match buffers.get(view.buffer_index as usize) {
        Some(buffer) if view.length > MAX_INLINE_VIEW_LEN => {
            let from = view.offset as usize;
            shared(buffer.clone()).slice(from..from + view.length as usize)
        }
        _ => Bytes::copy_from_slice(value),
    }
}

fn shared(buffer: Buffer) -> Bytes {
    struct Owner(Buffer);
    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    Bytes::from_owner(Owner(buffer))
}

/// A list of texts.
fn texts(column: &ArrayRef, row: usize) -> Vec<String> {
    let Some(lists) = column.as_list_opt::<i32>().filter(|_| !column.is_null(row)) else {
        return Vec::new();
    };
    let items = lists.value(row);
    let texts = items.as_string::<i32>();
    texts.iter().flatten().map(str::to_string).collect()
}
