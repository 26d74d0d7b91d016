//! Records as rows of a Parquet file, one column per field.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::mem::take;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::value::RawValue;
use unframe::render::{Field, FieldType};

use super::Out;
use super::resume::{Done, record_key};
use unframe::record::Fields;

/// The type of a column.
#[derive(Clone, Copy, Debug)]
enum Type {
    Text,
    Number,
    Count,
    /// A list of texts.
    Texts,
    /// Anything else, as JSON in a text.
    Json,
}

impl Type {
    fn of(field: Field) -> Type {
        match (field, field.value_type()) {
            (Field::Flags | Field::InputLeftOut, _) => Type::Texts,
            (_, FieldType::Text) => Type::Text,
            (_, FieldType::Integer) => Type::Count,
            (_, FieldType::Number) => Type::Number,
            (_, FieldType::Json) => Type::Json,
        }
    }
}

/// Bytes of records in a row group. They are in main memory until the group is written.
const GROUP_BYTES: usize = 32 << 20;

/// Writes records to a Parquet file.
pub struct ParquetFile {
    file: SerializedFileWriter<Out>,
    columns: Vec<Column>,
    /// Rows and bytes of the group that is being collected.
    rows: usize,
    bytes: usize,
}

/// A column: its name, and its values in a row group with their definition and repetition levels.
struct Column {
    name: &'static str,
    kind: Type,
    values: Values,
}

#[derive(Default)]
struct Values {
    texts: Vec<ByteArray>,
    numbers: Vec<f64>,
    counts: Vec<i64>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
}

impl ParquetFile {
    /// With a column for each field.
    pub fn new(out: Out, fields: &Fields) -> io::Result<ParquetFile> {
        let columns = fields.iter().map(|field| Column {
            name: field.name(),
            kind: Type::of(field),
            values: Values::default(),
        });
        let columns: Vec<Column> = columns.collect();
        let schema = parse_message_type(&schema(&columns)).map_err(io::Error::other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("unframe ", env!("CARGO_PKG_VERSION")).into())
            .build();
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties));
        Ok(ParquetFile {
            file: file.map_err(explain)?,
            columns,
            rows: 0,
            bytes: 0,
        })
    }

    /// Adds a JSON record.
    pub fn add(&mut self, record: &[u8]) -> io::Result<()> {
        let record: BTreeMap<&str, &RawValue> = serde_json::from_slice(record)?;
        for column in &mut self.columns {
            let value = record.get(column.name).map(|value| value.get());
            self.bytes += column.values.add(column.kind, value)?;
        }
        self.rows += 1;
        match self.bytes >= GROUP_BYTES {
            true => self.end_group(),
            false => Ok(()),
        }
    }

    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.end_group()?;
        }
        self.file.finish().map_err(explain)?;
        self.file.flush()
    }

    fn end_group(&mut self) -> io::Result<()> {
        let mut write = || -> Result<(), ParquetError> {
            let mut group = self.file.next_row_group()?;
            for column in &mut self.columns {
                let column = take(&mut column.values);
                let mut writer = group.next_column()?.expect("the schema has all columns");
                let defined = Some(&column.defined[..]);
                let repeated = Some(&column.repeated[..]).filter(|levels| !levels.is_empty());
                match writer.untyped() {
                    ColumnWriter::ByteArrayColumnWriter(texts) => {
                        texts.write_batch(&column.texts, defined, repeated)?
                    }
                    ColumnWriter::DoubleColumnWriter(numbers) => {
                        numbers.write_batch(&column.numbers, defined, repeated)?
                    }
                    ColumnWriter::Int64ColumnWriter(counts) => {
                        counts.write_batch(&column.counts, defined, repeated)?
                    }
                    _ => unreachable!("no column has another type"),
                };
                writer.close()?;
            }
            group.close().map(drop)
        };
        write().map_err(explain)?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
}

impl Values {
    /// Adds the value of a record, or that it has none; returns how many bytes it takes. Numbers are
    /// read from their own text, because those of [`serde_json::Value`] may differ in the last digit.
    fn add(&mut self, kind: Type, value: Option<&str>) -> io::Result<usize> {
        let value = value.filter(|value| *value != "null");
        let before = self.texts.len();
        match (kind, value) {
            (Type::Texts, Some(value)) => {
                let items: Vec<String> = serde_json::from_str(value)?;
                self.repeated.push(0);
                self.repeated.extend(items.iter().skip(1).map(|_| 1));
                self.defined.push(if items.is_empty() { 1 } else { 2 });
                self.defined.extend(items.iter().skip(1).map(|_| 2));
                self.texts.extend(items.iter().map(|item| bytes(item)));
            }
            (Type::Texts, None) => {
                self.repeated.push(0);
                self.defined.push(0);
            }
            (_, None) => self.defined.push(0),
            (kind, Some(value)) => {
                self.defined.push(1);
                match kind {
                    Type::Number => self.numbers.push(value.parse().map_err(io::Error::other)?),
                    Type::Count => self.counts.push(value.parse().map_err(io::Error::other)?),
                    Type::Json => self.texts.push(bytes(value)),
                    Type::Text | Type::Texts => {
                        self.texts
                            .push(bytes(&serde_json::from_str::<String>(value)?));
                    }
                }
            }
        }
        let texts = self.texts[before..].iter().map(ByteArray::len);
        Ok(16 + texts.sum::<usize>())
    }
}

fn bytes(text: &str) -> ByteArray {
    text.as_bytes().to_vec().into()
}

fn schema(columns: &[Column]) -> String {
    let columns = columns.iter().map(|Column { name, kind, .. }| match kind {
        Type::Text | Type::Json => format!("OPTIONAL BYTE_ARRAY {name} (STRING);"),
        Type::Number => format!("OPTIONAL DOUBLE {name};"),
        Type::Count => format!("OPTIONAL INT64 {name};"),
        Type::Texts => format!(
            "OPTIONAL group {name} (LIST) {{ REPEATED group list {{ REQUIRED BYTE_ARRAY element \
             (STRING); }} }}"
        ),
    });
    format!("message page {{ {} }}", columns.collect::<String>())
}

/// The system's error, such as a full disk, if it is one.
fn explain(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// Adds the pages of a file to `done`; false if it lacks its end, which says where everything is.
pub fn read(file: File, done: &mut Done) -> io::Result<bool> {
    let Ok(reader) = SerializedFileReader::new(file) else {
        return Ok(false);
    };
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number).map_err(explain)?;
        let rows = group.metadata().num_rows() as usize;
        let column = |name: &str| {
            let columns = group.metadata().columns();
            let mut paths = columns.iter().map(|column| column.column_path().string());
            let at = paths.position(|path| path == name).ok_or_else(other_file)?;
            let column = group.get_column_reader(at);
            texts(column.map_err(explain)?, rows)
        };
        for (source, url) in column("source")?.iter().zip(&column("url")?) {
            done.add(record_key(source, url));
        }
    }
    Ok(true)
}

fn other_file() -> io::Error {
    io::Error::other("its rows have no `url` and `source`; name another file")
}

/// The values of a column, which every row has.
fn texts(column: ColumnReader, rows: usize) -> io::Result<Vec<String>> {
    let ColumnReader::ByteArrayColumnReader(mut column) = column else {
        return Err(other_file());
    };
    let (mut values, mut defined) = (Vec::new(), Vec::new());
    while values.len() < rows {
        let read = column.read_records(rows, Some(&mut defined), None, &mut values);
        let (_, read, _) = read.map_err(explain)?;
        if read == 0 {
            return Err(other_file());
        }
    }
    let text = |value: &ByteArray| String::from_utf8_lossy(value.data()).into_owned();
    Ok(values.iter().map(text).collect())
}
