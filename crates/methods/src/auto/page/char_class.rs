//! Character classes from a table: the standard library searches its tables for each character, and most
//! pages use few characters.

use std::sync::OnceLock;

/// The properties of a character, one bit each.
#[derive(Clone, Copy, Default)]
pub(crate) struct CharClass(u8);

const ALPHANUMERIC: u8 = 1;
const LOWER: u8 = 1 << 1;
const UPPER: u8 = 1 << 2;
/// Its lower case is another character.
const CHANGES: u8 = 1 << 3;
const UNSPACED: u8 = 1 << 4;

/// Characters of one part of the table, which is made when the first of them is on_word.
const PART: usize = 64;
/// Characters of the whole table.
const ALL: usize = 1 << 16;

static PARTS: [OnceLock<[CharClass; PART]>; ALL / PART] = [const { OnceLock::new() }; _];

impl CharClass {
    pub fn of(c: char) -> CharClass {
        let number = c as usize;
        let Some(part) = PARTS.get(number / PART) else {
            return CharClass::classify(c);
        };
        let part = part.get_or_init(|| {
            let first = number - number % PART;
            let char_at = |at: usize| char::from_u32((first + at) as u32);
            std::array::from_fn(|at| char_at(at).map_or(CharClass(0), CharClass::classify))
        });
        part[number % PART]
    }

    fn classify(c: char) -> CharClass {
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        CharClass(
            bit(c.is_alphanumeric(), ALPHANUMERIC)
                | bit(c.is_lowercase(), LOWER)
                | bit(c.is_uppercase(), UPPER)
                | bit(c.to_lowercase().next() != Some(c), CHANGES)
                | bit(is_unspaced(c), UNSPACED),
        )
    }

    pub fn is_alphanumeric(self) -> bool {
        self.0 & ALPHANUMERIC != 0
    }

    pub fn is_lowercase(self) -> bool {
        self.0 & LOWER != 0
    }

    pub fn is_uppercase(self) -> bool {
        self.0 & UPPER != 0
    }

    /// True for a script that is written without spaces.
    pub fn is_unspaced(self) -> bool {
        self.0 & UNSPACED != 0
    }

    /// The lower case of the character whose class this is, the first if there are several.
    pub fn lower(self, c: char) -> char {
        match self.0 & CHANGES {
            0 => c,
            _ => c.to_lowercase().next().unwrap_or(c),
        }
    }
}

/// Scripts that are written without spaces.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_the_standard_library_says() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let class = CharClass::of(c);
            assert_eq!(class.is_alphanumeric(), c.is_alphanumeric(), "{c}");
            assert_eq!(class.is_lowercase(), c.is_lowercase(), "{c}");
            assert_eq!(class.is_uppercase(), c.is_uppercase(), "{c}");
            assert_eq!(Some(class.lower(c)), c.to_lowercase().next(), "{c}");
        }
    }
}
