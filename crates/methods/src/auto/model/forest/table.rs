//! The features of some texts, as the forests read them.

/// Features in rows, one row per text: trees use other features for each row, so a row is contiguous. All
/// rows have the same width, however many columns are in use, so that no comparison needs a bounds check.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: usize,
    in_use: usize,
    /// The rows in use, then spare ones.
    rows: Vec<[f32; Table::WIDTH]>,
}

impl Table {
    /// How many features a row can have.
    pub const WIDTH: usize = 512;

    /// A table of zeros.
    pub fn new(rows: usize, columns: usize) -> Self {
        let mut table = Self::default();
        table.resize(rows, columns);
        table
    }

    /// Resizes the table; the caller must fill its rows again. The allocation is kept.
    ///
    /// # Panics
    ///
    /// If there are more columns than [`Table::WIDTH`].
    pub fn resize(&mut self, rows: usize, columns: usize) {
        assert!(columns <= Table::WIDTH, "too many features");
        // Unused columns must stay zero.
        if columns < self.columns {
            self.rows.clear();
        }
        self.columns = columns;
        self.in_use = rows;
        if self.rows.len() < rows {
            self.rows.resize(rows, [0.0; Table::WIDTH]);
        }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.in_use
    }

    /// How many features each row has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All features of one row.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.rows[..self.in_use][row][..self.columns]
    }

    /// The features of one row, to be filled in.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.rows[..self.in_use][row][..self.columns]
    }

    /// One row to be filled in, unused columns included, which must stay zero.
    pub fn cells_mut(&mut self, row: usize) -> &mut [f32; Table::WIDTH] {
        &mut self.rows[..self.in_use][row]
    }

    /// One row, unused columns included.
    pub(super) fn cells(&self, row: usize) -> &[f32; Table::WIDTH] {
        &self.rows[..self.in_use][row]
    }
}
