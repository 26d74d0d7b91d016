//! The features of some texts.

/// Numbers in rows, one row a text: trees ask each row for other features, so those of one row lie
/// side by side. All rows are equally wide, whatever is in use, so that no question checks bounds.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: usize,
    in_use: usize,
    /// Those in use, and others that were.
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

    /// Another size; what is in it afterwards is of no use but in rows that are filled in anew. The
    /// allocation is kept.
    ///
    /// # Panics
    ///
    /// If there are more columns than [`Table::WIDTH`].
    pub fn resize(&mut self, rows: usize, columns: usize) {
        assert!(columns <= Table::WIDTH, "too many features");
        // Columns that are not in use are zero.
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

    /// All features of one row, to be filled in.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.rows[..self.in_use][row][..self.columns]
    }

    /// One row with the columns that are not in use.
    pub(super) fn cells(&self, row: usize) -> &[f32; Table::WIDTH] {
        &self.rows[..self.in_use][row]
    }
}
