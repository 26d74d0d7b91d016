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

    /// All features of one row, to be filled in.
    pub fn row_mut(&mut self, row: usize) -> RowCells<'_> {
        RowCells {
            step: self.rows.div_ceil(LANES),
            values: &mut self.values,
            at: row / LANES,
            lane: row % LANES,
        }
    }

    /// One feature of all rows and of those that fill it up.
    pub(super) fn filled_column(&self, column: usize) -> &[[f32; LANES]] {
        let height = self.rows.div_ceil(LANES);
        &self.values[column * height..][..height]
    }
}

/// The cells of one row, in the order of the columns.
pub struct RowCells<'a> {
    values: &'a mut [[f32; LANES]],
    at: usize,
    step: usize,
    lane: usize,
}

impl RowCells<'_> {
    /// Fills in the next cell; there is nothing behind the last.
    #[inline]
    pub fn put(&mut self, value: f32) {
        if let Some(lanes) = self.values.get_mut(self.at) {
            lanes[self.lane % LANES] = value;
        }
        self.at += self.step;
    }
}
