//! Tables of pages: Arrow in, Arrow out.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeStringBuilder, UInt64Builder};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch,
    StringArray, StringViewArray,
};
use arrow_buffer::Buffer;
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::{DataType, Field as ArrowField, Schema};
use bytes::Bytes;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use pyo3_arrow::{PyRecordBatchReader, PyTable};
use unframe::CleanPage;
use unframe::batch::{BoxError, Progress, Sink};
use unframe::read::{GivenPage, Inputs, RawPage};
use unframe::record::Fields;
use unframe::render::{Field, FieldType, FieldValue, MarkdownOptions, Record};

use crate::error;
use crate::keywords::Keywords;
use crate::learn_many::unnamed;
use crate::run_args::RunArgs;
use crate::settings::Settings;
use crate::work::interruptible;

/// Rows of one batch of the result.
const BATCH_ROWS: usize = 8192;
/// A batch is closed when its texts have this many bytes.
const BATCH_BYTES: usize = 64 << 20;

/// The fields that a table gets if none are named.
const USUAL: [Field; 6] = [
    Field::Url,
    Field::Title,
    Field::Text,
    Field::Confidence,
    Field::TemplateShare,
    Field::Flags,
];

/// Removes the frame from a table of pages, on all cores: Arrow in, Arrow out.
///
/// The result has the rows of the table, in the same order, so it can be put beside it. The pages are not
/// copied. Rows without a page (null) are null.
///
/// Args:
///     table: anything with ``__arrow_c_stream__``: a pyarrow Table, a polars or pandas DataFrame, a DuckDB
///         relation, …
///     url: the column of the URLs; None if there is none.
///     html: the column of the pages, of binary data or of text.
///     fields: the fields of the result, as those of ``unframe clean --format jsonl``. Default: url, title,
///         text, confidence, template_share and flags. Fields that are lists or objects are JSON text.
///     state, learn, arrival, jobs, memory, site_from, site: as for :func:`unframe.clean_pages`.
///     **settings: those of :func:`unframe.extract`.
///
/// Returns:
///     A :class:`unframe.Table`, which ``pyarrow.table(…)``, ``polars.DataFrame(…)`` and others read without a
///     copy. It also has ``to_pyarrow()``, ``to_pandas()`` and ``to_polars()``.
///
/// ::
///
///     texts = unframe.clean_table(df, url="url", html="html").to_pandas()
#[pyfunction]
#[pyo3(
    signature = (table, **keywords),
    text_signature = "(table, *, url='url', html='html', fields=None, state=None, learn=True, arrival=False, jobs=None, memory=400000000, site_from='host', site=None, **settings)"
)]
pub fn clean_table(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    if !table.hasattr("__arrow_c_stream__")? {
        let kind = table.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "table must be Arrow data (a pyarrow Table, a polars or pandas DataFrame, …), not {kind}"
        )));
    }
    let mut names = Keywords::new("clean_table", keywords)?;
    // `url=None` says that there are no URLs, so it is not the same as a missing one.
    let has_url = match keywords {
        Some(given) => given.get_item("url")?.is_none_or(|url| !url.is_none()),
        None => true,
    };
    let url = names.text("url")?.unwrap_or_else(|| "url".into());
    let html = names.text("html")?.unwrap_or_else(|| "html".into());
    let fields = match names.take("fields")? {
        None => Fields::new(USUAL),
        Some(list) => chosen(py, &list)?,
    };
    let state = names.path("state")?;
    let mut run = RunArgs::take_for_table(&mut names)?;
    let settings = Settings::take_for(&mut names, run.arrival)?;
    names.finish()?;
    run.reasons = fields.has(Field::Removed);
    // The stream is read without the interpreter, which its producer may need on other threads.
    let reader = table.extract::<PyRecordBatchReader>()?.into_reader()?;
    let schema = reader.schema();
    let progress = Progress::default();
    let batches = interruptible(py, &progress, || reader.collect::<Result<Vec<_>, _>>())?;
    let batches = batches.map_err(|error| error::new("InputError", error.to_string()))?;
    let column = |name: &str, what: &str| {
        schema.index_of(name).map_err(|_| {
            let known: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
            error::argument(format!(
                "the table has no column '{name}', but {}; name it with {what}=",
                known.join(", ")
            ))
        })
    };
    let html = column(&html, "html")?;
    let url = has_url.then(|| column(&url, "url")).transpose()?;
    for (name, at) in [("html", Some(html)), ("url", url)] {
        let Some(at) = at else { continue };
        let kind = schema.field(at).data_type();
        if !is_readable(kind) {
            return Err(PyTypeError::new_err(format!(
                "the column of {name} must be text or binary data, not {kind}"
            )));
        }
    }
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let is_durable = state.is_some();
    let drift = is_durable || run.arrival;
    let options = run.options(&settings, is_durable, drift, &progress);
    let sink = Rows::new(fields, rows);
    let mut crawl = run.open(py, state, &settings)?;
    let finished = interruptible(py, &progress, move || {
        let pages = TablePages::new(batches, url, html);
        let mut inputs = Inputs::of_pages(pages, run.read);
        let mut sink = sink;
        crawl.clean_all(&mut inputs, &options, &mut sink)?;
        Ok::<Rows, unframe::errors::CleanError>(sink)
    })?;
    let rows = finished.map_err(error::run)?;
    rows.finish()
}

/// The fields that were named; those with `+` are added to the usual ones.
fn chosen(py: Python<'_>, list: &Bound<'_, PyAny>) -> PyResult<Fields> {
    let named = crate::page::named(py, list)?;
    let usual = USUAL.map(Field::name);
    let all: Vec<&str> = match named.iter().all(|name| name.starts_with('+')) {
        true => usual
            .into_iter()
            .chain(named.iter().map(|name| &name[1..]))
            .collect(),
        false => named.iter().map(String::as_str).collect(),
    };
    crate::page::parsed(&all)
}

fn is_readable(kind: &DataType) -> bool {
    use DataType::*;
    matches!(
        kind,
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | Null
    )
}

/// The pages of a table.
struct TablePages {
    batches: VecDeque<RecordBatch>,
    url: Option<usize>,
    html: usize,
    /// The row in the first batch, and in the table.
    row: usize,
    number: usize,
}

impl TablePages {
    fn new(batches: Vec<RecordBatch>, url: Option<usize>, html: usize) -> TablePages {
        TablePages {
            batches: batches.into(),
            url,
            html,
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
            let Some((body, is_text)) = cell(batch.column(self.html), row) else {
                continue;
            };
            let url = self.url.and_then(|url| cell(batch.column(url), row));
            let url = url.and_then(|(url, _)| String::from_utf8(url.to_vec()).ok());
            let url = url.filter(|url| !url.trim().is_empty());
            return Some(GivenPage {
                // The number of a row would be that of another page in the next run.
                name: Some(match url {
                    Some(_) => format!("row {number}"),
                    None => unnamed(&body),
                }),
                record_id: Some(number.to_string()),
                url,
                charset: is_text.then(|| "utf-8".to_string()),
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

/// Collects the records of the rows.
struct Rows {
    fields: Fields,
    schema: Arc<Schema>,
    /// How many rows there are, and the next one to be written.
    rows: usize,
    next: usize,
    columns: Vec<Column>,
    bytes: usize,
    done: Vec<RecordBatch>,
}

enum Column {
    Text(LargeStringBuilder),
    Integer(UInt64Builder),
    Number(Float64Builder),
}

impl Column {
    fn of(kind: FieldType) -> Column {
        match kind {
            FieldType::Text | FieldType::Json => Column::Text(LargeStringBuilder::new()),
            FieldType::Integer => Column::Integer(UInt64Builder::new()),
            FieldType::Number => Column::Number(Float64Builder::new()),
        }
    }

    /// Adds a value, and returns its size.
    fn push(&mut self, value: Option<&FieldValue>) -> usize {
        match (self, value) {
            (Column::Text(column), Some(FieldValue::Text(text))) => {
                column.append_value(text);
                text.len()
            }
            (Column::Text(column), Some(FieldValue::Json(json))) => {
                column.append_value(json.get());
                json.get().len()
            }
            (Column::Text(column), _) => {
                column.append_null();
                0
            }
            (Column::Integer(column), Some(FieldValue::Integer(number))) => {
                column.append_value(*number);
                8
            }
            (Column::Integer(column), _) => {
                column.append_null();
                8
            }
            (Column::Number(column), Some(FieldValue::Number(number))) => {
                column.append_value(*number);
                8
            }
            (Column::Number(column), _) => {
                column.append_null();
                8
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Text(column) => Arc::new(column.finish()),
            Column::Integer(column) => Arc::new(column.finish()),
            Column::Number(column) => Arc::new(column.finish()),
        }
    }
}

fn data_type(kind: FieldType) -> DataType {
    match kind {
        FieldType::Text | FieldType::Json => DataType::LargeUtf8,
        FieldType::Integer => DataType::UInt64,
        FieldType::Number => DataType::Float64,
    }
}

impl Rows {
    fn new(fields: Fields, rows: usize) -> Rows {
        let columns = fields.iter().map(|field| {
            let kind = data_type(field.value_type());
            ArrowField::new(field.name(), kind, true)
        });
        Rows {
            schema: Arc::new(Schema::new(columns.collect::<Vec<_>>())),
            columns: fields.iter().map(|f| Column::of(f.value_type())).collect(),
            fields,
            rows,
            next: 0,
            bytes: 0,
            done: Vec::new(),
        }
    }

    /// Adds the record of the next row, or nulls.
    fn push(&mut self, record: Option<&Record>) {
        for (field, column) in self.fields.iter().zip(&mut self.columns) {
            self.bytes += column.push(record.and_then(|record| record.get(field)));
        }
        self.next += 1;
        let in_batch = self.next - self.done.iter().map(RecordBatch::num_rows).sum::<usize>();
        if in_batch >= BATCH_ROWS || self.bytes >= BATCH_BYTES {
            self.close_batch();
        }
    }

    fn close_batch(&mut self) {
        let columns = self.columns.iter_mut().map(Column::finish).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        self.done.push(batch.expect("columns of equal length"));
        self.bytes = 0;
    }

    /// Fills the rows before `row` that have no page.
    fn skip_to(&mut self, row: usize) {
        while self.next < row {
            self.push(None);
        }
    }

    fn finish(mut self) -> PyResult<Table> {
        self.skip_to(self.rows);
        self.close_batch();
        Ok(Table {
            batches: self.done,
            schema: self.schema,
        })
    }
}

impl Sink for Rows {
    type Output = (usize, Record);

    fn render(&self, raw: &RawPage, page: &CleanPage) -> (usize, Record) {
        let row = raw.record_id.as_deref().and_then(|row| row.parse().ok());
        let markdown = MarkdownOptions::default();
        let mut record = self.fields.record(raw.into(), page, None, &markdown);
        // Elsewhere the name of a page stands for its URL; a number of a row would not help.
        if raw.url.is_none() {
            record.0.retain(|(field, _)| *field != Field::Url);
        }
        (row.expect("it has its number"), record)
    }

    fn write(&mut self, (row, record): (usize, Record)) -> Result<(), BoxError> {
        self.skip_to(row);
        self.push(Some(&record));
        Ok(())
    }
}

/// A table in Arrow's memory, which other libraries read without a copy: ``pyarrow.table(t)``,
/// ``polars.DataFrame(t)``, ``duckdb.sql("select * from t")`` with a pyarrow table, …
#[pyclass(frozen, module = "unframe")]
pub struct Table {
    batches: Vec<RecordBatch>,
    schema: Arc<Schema>,
}

impl Table {
    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

#[pymethods]
impl Table {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = PyTable::try_new(self.batches.clone(), Arc::clone(&self.schema))?;
        let table = Bound::new(py, table)?;
        table.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    /// The names of its columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The table as a ``pyarrow.Table``.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// The table as a ``pandas.DataFrame``; needs pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Table::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    /// The table as a ``polars.DataFrame``.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        let restore = slf.get_type().getattr("_restore")?;
        (restore, (Table::to_pyarrow(slf)?,)).into_pyobject(slf.py())
    }

    /// Reads a pickled table.
    #[staticmethod]
    #[pyo3(signature = (table, /))]
    fn _restore(table: PyTable) -> Table {
        let (batches, schema) = table.into_inner();
        Table { batches, schema }
    }

    fn __repr__(&self) -> String {
        let names = self.column_names().join(", ");
        format!("<unframe.Table of {} rows: {names}>", self.rows())
    }
}
