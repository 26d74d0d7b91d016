//! The records of cleaned pages as rows of a table.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, LargeStringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field as ArrowField, Schema};
use unframe::CleanPage;
use unframe::batch::{BoxError, Sink};
use unframe::read::RawPage;
use unframe::record::Fields;
use unframe::render::{Field, FieldType, FieldValue, MarkdownOptions, Record};

use super::Table;

/// Rows of one batch of the result.
const BATCH_ROWS: usize = 8192;
/// A batch is closed when its texts have this many bytes.
const BATCH_BYTES: usize = 64 << 20;

/// How what is kept of a page is written.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Only the body of an article.
    pub body_only: bool,
    pub markdown: MarkdownOptions,
}

/// Collects the records of the rows.
pub struct Rows {
    fields: Fields,
    form: Form,
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
    pub fn new(fields: Fields, form: Form, rows: usize) -> Rows {
        let columns = fields.iter().map(|field| {
            let kind = data_type(field.value_type());
            ArrowField::new(field.name(), kind, true)
        });
        Rows {
            schema: Arc::new(Schema::new(columns.collect::<Vec<_>>())),
            columns: fields.iter().map(|f| Column::of(f.value_type())).collect(),
            fields,
            form,
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

    /// The table of all rows.
    pub fn finish(mut self) -> Table {
        self.skip_to(self.rows);
        self.close_batch();
        Table::new(self.done, self.schema)
    }
}

impl Sink for Rows {
    type Output = (usize, Record);

    fn render(&self, raw: &RawPage, page: &CleanPage) -> (usize, Record) {
        let row = raw.record_id.as_deref().and_then(|row| row.parse().ok());
        let Form {
            body_only,
            ref markdown,
        } = self.form;
        let body = body_only.then(|| page.body());
        let mut record = self
            .fields
            .record(raw.into(), page, body.as_ref(), markdown);
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
