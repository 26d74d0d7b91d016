//! The features of some texts.

/// Numbers in rows, one row a text: a tree asks each row for other features, so those of one row lie
/// side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Table {
    /// A table of zeros.
    pub fn new(rows: usize, columns: usize) -> Self {
        let mut table = Self::default();
        table.resize(rows, columns);
        table
    }

    /// Another size; what is in it afterwards is of no use but in rows that are filled in anew. The
    /// allocation is kept.
    pub fn resize(&mut self, rows: usize, columns: usize) {
        self.rows = rows;
        self.columns = columns;
        self.values.resize(rows * columns, 0.0);
    }

    /// Adds a row, with as many features as the others.
    ///
    /// # Panics
    ///
    /// If it has fewer or more.
    pub fn push(&mut self, row: &[f32]) {
        if self.rows == 0 {
            self.columns = row.len();
        }
        assert_eq!(row.len(), self.columns, "features of a row");
        self.values.extend_from_slice(row);
        self.rows += 1;
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many features each row has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All features of one row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..][..self.columns]
    }

    /// All features of one row, to be filled in.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.values[row * self.columns..][..self.columns]
    }
}
