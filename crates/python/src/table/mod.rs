//! Tables of pages: Arrow in, Arrow out.

mod pages;
mod raw_pages;
mod rows;

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use pyo3_arrow::{PyRecordBatchReader, PyTable};
use unframe::Crawl;
use unframe::batch::{CleanOptions, Progress};
use unframe::errors::CleanError;
use unframe::read::{Inputs, ReadOptions};
use unframe::record::Fields;
use unframe::render::Field;

use crate::error;
use crate::keywords::Keywords;
use crate::run_args::RunArgs;
use crate::settings::Settings;
use crate::work::interruptible;

use pages::{Columns, TablePages};
use rows::{Form, Rows};

pub use pages::ColumnNames;
pub use raw_pages::RawPages;

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
///     site_column, charset_column: the columns of the pages' sites and of the charsets that the transport
///         stated, if there are any.
///     damage_column: a column of lists of what is wrong with a page: ``truncated``, ``undecodable`` or
///         ``digest-mismatch``. They become flags.
///     body_only, include_links, include_images: as for :func:`unframe.extract`.
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
    text_signature = "(table, *, url='url', html='html', site_column=None, charset_column=None, damage_column=None, fields=None, body_only=False, include_links=True, include_images=False, state=None, learn=True, arrival=False, jobs=None, memory=400000000, site_from='host', site=None, **settings)"
)]
pub fn clean_table(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let mut names = Keywords::new("clean_table", keywords)?;
    let args = TableArgs::take(py, &mut names, keywords)?;
    let state = names.path("state")?;
    let mut run = RunArgs::take_for_table(&mut names)?;
    let settings = Settings::take_for(&mut names, run.arrival)?;
    names.finish()?;
    run.reasons = args.fields.has(Field::Removed);
    let progress = Progress::default();
    let given = GivenTable::read(py, table, &args.columns, &progress)?;
    let is_durable = state.is_some();
    let drift = is_durable || run.arrival;
    let options = run.options(&settings, is_durable, drift, &progress);
    let mut crawl = run.open(py, state, &settings)?;
    let finished = interruptible(py, &progress, move || {
        given.clean(&mut crawl, run.read, &options, args)
    })?;
    finished.map_err(error::run)
}

/// What a run over a table reads and writes.
pub struct TableArgs {
    columns: ColumnNames,
    pub fields: Fields,
    form: Form,
}

impl TableArgs {
    /// Takes them from the keywords of a call.
    pub fn take(
        py: Python<'_>,
        keywords: &mut Keywords<'_>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<TableArgs> {
        let mut form = Form {
            body_only: keywords.flag("body_only", false)?,
            ..Form::default()
        };
        form.markdown.links = keywords.flag("include_links", true)?;
        form.markdown.images = keywords.flag("include_images", false)?;
        Ok(TableArgs {
            columns: ColumnNames::take(keywords, given)?,
            fields: match keywords.take("fields")? {
                None => Fields::new(USUAL),
                Some(list) => chosen(py, &list)?,
            },
            form,
        })
    }

    pub fn columns(&self) -> &ColumnNames {
        &self.columns
    }
}

/// A table that was read.
pub struct GivenTable {
    batches: Vec<RecordBatch>,
    columns: Columns,
}

impl GivenTable {
    pub fn read(
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        names: &ColumnNames,
        progress: &Progress,
    ) -> PyResult<GivenTable> {
        if !table.hasattr("__arrow_c_stream__")? {
            let kind = table.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "table must be Arrow data (a pyarrow Table, a polars or pandas DataFrame, …), not {kind}"
            )));
        }
        let reader = table.extract::<PyRecordBatchReader>()?.into_reader()?;
        let columns = names.find(&reader.schema())?;
        // The stream is read without the interpreter, which its producer may need on other threads.
        let batches = interruptible(py, progress, || reader.collect::<Result<Vec<_>, _>>())?;
        let batches = batches.map_err(|error| error::new("InputError", error.to_string()))?;
        Ok(GivenTable { batches, columns })
    }

    fn inputs(self, read: ReadOptions) -> Inputs {
        Inputs::of_pages(TablePages::new(self.batches, self.columns), read)
    }

    /// Learns its pages. Returns how many were new or changed.
    pub fn learn(
        self,
        crawl: &mut Crawl,
        read: ReadOptions,
        options: &CleanOptions,
    ) -> Result<u64, CleanError> {
        let summary = crawl.learn_all(&mut self.inputs(read), options)?;
        Ok(summary.new + summary.changed)
    }

    /// Cleans its pages.
    pub fn clean(
        self,
        crawl: &mut Crawl,
        read: ReadOptions,
        options: &CleanOptions,
        args: TableArgs,
    ) -> Result<Table, CleanError> {
        let rows = self.batches.iter().map(RecordBatch::num_rows).sum();
        let mut sink = Rows::new(args.fields, args.form, rows);
        crawl.clean_all(&mut self.inputs(read), options, &mut sink)?;
        Ok(sink.finish())
    }
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

/// A table in Arrow's memory, which other libraries read without a copy: ``pyarrow.table(t)``,
/// ``polars.DataFrame(t)``, ``duckdb.sql("select * from t")`` with a pyarrow table, …
#[pyclass(frozen, module = "unframe")]
pub struct Table {
    batches: Vec<RecordBatch>,
    schema: Arc<Schema>,
}

impl Table {
    pub fn new(batches: Vec<RecordBatch>, schema: Arc<Schema>) -> Table {
        Table { batches, schema }
    }

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
