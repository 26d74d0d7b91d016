//! The features of one page's rows.

/// Numbers in columns, one column a feature: a split looks at one feature of all rows, so these lie
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
        table.reset(rows, columns);
        table
    }

    /// All zeros again, of another size; the allocation is kept.
    pub fn reset(&mut self, rows: usize, columns: usize) {
        self.rows = rows;
        self.columns = columns;
        self.values.clear();
        self.values.resize(rows * columns, 0.0);
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many features each row has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One feature of all rows.
    pub fn column(&self, column: usize) -> &[f32] {
        &self.values[column * self.rows..][..self.rows]
    }

    /// One feature of all rows, to be filled in.
    pub fn column_mut(&mut self, column: usize) -> &mut [f32] {
        &mut self.values[column * self.rows..][..self.rows]
    }
}
