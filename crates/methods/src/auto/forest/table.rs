//! The features of one page's rows.

/// Rows that are looked at in one go.
pub(super) const LANES: usize = 16;

/// Numbers in columns, one column a feature: a split looks at one feature of all rows, so these lie
/// side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    rows: usize,
    columns: usize,
    /// Each column is filled up with zeros, so that its last rows need no loop of their own.
    values: Vec<[f32; LANES]>,
}

impl Table {
    /// A table of zeros.
    pub fn new(rows: usize, columns: usize) -> Self {
        let mut table = Self::default();
        table.resize(rows, columns);
        table
    }

    /// Another size; what is in it afterwards is of no use but in columns that are filled in anew.
    /// The allocation is kept.
    pub fn resize(&mut self, rows: usize, columns: usize) {
        self.rows = rows;
        self.columns = columns;
        self.values
            .resize(rows.div_ceil(LANES) * columns, [0.0; LANES]);
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
        &self.filled_column(column).as_flattened()[..self.rows]
    }

    /// One feature of all rows, to be filled in.
    pub fn column_mut(&mut self, column: usize) -> &mut [f32] {
        let height = self.rows.div_ceil(LANES);
        let values = &mut self.values[column * height..][..height];
        &mut values.as_flattened_mut()[..self.rows]
    }

    /// One feature of all rows and of those that fill it up.
    pub(super) fn filled_column(&self, column: usize) -> &[[f32; LANES]] {
        let height = self.rows.div_ceil(LANES);
        &self.values[column * height..][..height]
    }
}
