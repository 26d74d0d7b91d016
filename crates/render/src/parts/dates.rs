//! Dates in visible text, in any language: by their numbers, because names of months differ.

use super::words::size;

/// Whether a short text is mostly a date: it has a year, and beside it a day with the name or number of
/// a month, and few other words. `Thursday, 12 May 2011 10:31 GMT`, `2011-05-12`, `12.05.11`, `2011年5月12日`.
pub(super) fn is_date(words: &[String]) -> bool {
    let numbers: Vec<u32> = words.iter().filter_map(|word| number(word)).collect();
    let others = words.iter().filter(|word| number(word).is_none());
    let others: f32 = others.map(|word| size(word)).sum();
    let is_year = |number: u32| (1900..2100).contains(&number);
    let years = numbers.iter().filter(|number| is_year(**number)).count();
    let days = numbers.iter().filter(|number| is_day(**number)).count();
    if numbers.len() < 2 || others > numbers.len() as f32 + OTHERS {
        return false;
    }
    match years {
        0 => numbers.len() >= 3 && others == 0.0 && numbers[..3].iter().all(|number| *number < 100),
        _ => days >= 2 || days == 1 && others > 0.0,
    }
}

/// Whether a text has the date that the page states, as `2011-05-12T10:31:00Z` or in its own words.
pub(super) fn has_stated_date(words: &[String], stated: &str) -> bool {
    let own: Vec<u32> = words.iter().filter_map(|word| number(word)).collect();
    let mut parts = stated.split(|c: char| !c.is_ascii_digit());
    let mut next = || {
        parts
            .next()
            .filter(|part| !part.is_empty())?
            .parse::<u32>()
            .ok()
    };
    let (Some(year), Some(month), Some(day)) = (next(), next(), next()) else {
        return false;
    };
    let has =
        |number: u32| own.contains(&number) || number >= 2000 && own.contains(&(number - 2000));
    // The month may be a name.
    let has_month = has(month) || own.len() < words.len();
    year >= 1900 && is_day(day) && has(year) && own.contains(&day) && has_month
}

/// Words in a date beyond one for each number: days of the week, months, time zones, `Published on`.
const OTHERS: f32 = 2.0;

fn is_day(number: u32) -> bool {
    (1..=31).contains(&number)
}

/// A number, also as in `12th`.
fn number(word: &str) -> Option<u32> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let suffix = &word[digits..];
    let is_number = digits > 0 && digits <= 4 && matches!(suffix, "" | "st" | "nd" | "rd" | "th");
    is_number.then(|| word[..digits].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn dates_are_known_by_their_numbers() {
        for (text, expected) in [
            ("Thursday, 12 May 2011 10:31 GMT", true),
            ("May 12th, 2011", true),
            ("2011-05-12", true),
            ("12.05.11", true),
            ("2011年5月12日", true),
            ("Опубликовано 3 марта 2012, 14:05", true),
            ("12/05/2011 | 10:31", true),
            ("发布时间：2011年5月12日 10:31 来源：新华网", true),
            ("Last updated at 10:31 PM on 12th May 2011", true),
            ("Our Week in Review - October 29, 2012", false),
            ("World Cup 2010", false),
            (
                "In 2011 the council of 12 members met in the old town hall",
                false,
            ),
            ("Page 3 of 12", false),
            ("John Smith", false),
            ("", false),
        ] {
            assert_eq!(is_date(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn the_stated_date_is_found_in_other_words() {
        for (text, expected) in [
            (
                "Posted on Thursday the 12th of May, 2011 at 10 in the morning",
                true,
            ),
            ("12/5/11", true),
            ("13 May 2011", false),
            ("12", false),
        ] {
            let found = has_stated_date(&words(text), "2011-05-12T10:31:00Z");
            assert_eq!(found, expected, "{text}");
        }
        assert!(!has_stated_date(&words("12 May 2011"), "yesterday"));
    }
}
