//! Tables: rows beside their header where they fit, and else each row in lines of its own, so that no number is ever broken.

use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, Table, presets};
use textwrap::core::{Word, display_width};

use crate::terminal::{columns, hanging};

/// Columns between two cells.
const BETWEEN: usize = 2;

/// What stands for a space at which no line is broken, until all are: between the name of a value and the value, and within the name of a state.
pub const KEPT: &str = "\u{a0}";

/// Rows below a header; the first `names` cells of a row say what it is of. It ends with a line break.
pub fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>, names: usize) -> String {
    in_columns(header, rows, names, columns())
}

fn in_columns<const N: usize>(
    header: [&str; N],
    rows: Vec<[String; N]>,
    names: usize,
    columns: Option<usize>,
) -> String {
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| row[column].as_str()).chain([header[column]]);
        cells.map(display_width).max().unwrap_or(0)
    };
    let whole: usize = (0..N).map(|column| widest(column) + BETWEEN).sum();
    if columns.is_some_and(|columns| columns < whole) {
        return rows.iter().map(|row| stacked(&header, row, names)).collect();
    }
    let mut table = bare();
    table.set_content_arrangement(ContentArrangement::Disabled).set_header(header.map(heading));
    for row in rows {
        let is_total = row[0] == TOTAL;
        table.add_row(row.map(|cell| {
            if is_total { Cell::new(cell).add_attribute(Attribute::Bold) } else { Cell::new(cell) }
        }));
    }
    // Numbers stand below numbers of the same place.
    table.column_iter_mut().skip(names).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    trimmed(&table)
}

/// What the row of sums is called; it stands out.
pub const TOTAL: &str = "total";

/// A table without lines. Its cells keep their styles: what prints it takes them away where there are no colours.
pub fn bare() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).enforce_styling();
    table
}

/// A text in lines of a width, broken at spaces and within ids and paths only after their hyphens, underscores and dots.
pub fn broken(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let separator = textwrap::WordSeparator::Custom(pieces);
    let options = textwrap::Options::new(width).word_separator(separator);
    textwrap::fill(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

/// Words, and the parts of ids and paths. The dots of an address or a number are none at which it is broken.
pub fn pieces(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    Box::new(line.split_inclusive(' ').flat_map(|word| {
        let is_address = word.contains(['/', ':']);
        let mut rest = word;
        std::iter::from_fn(move || {
            let ends = |(at, letter): (usize, char)| {
                let next = rest[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
                let is_end = match letter {
                    '-' | '_' => next != ' ',
                    '.' => next.is_alphabetic() && !is_address,
                    _ => false,
                };
                is_end.then_some(at + 1)
            };
            let end = rest.char_indices().find_map(ends).unwrap_or(rest.len());
            let (piece, after) = rest.split_at(end);
            rest = after;
            (!piece.is_empty()).then(|| Word::from(piece))
        })
    }))
}

/// The head of a column.
pub fn heading(text: impl ToString) -> Cell {
    Cell::new(text).add_attribute(Attribute::Dim)
}

/// The lines of a table without the spaces that fill up its last column, which stand before the end of a style.
pub fn trimmed(table: &Table) -> String {
    table.to_string().lines().map(|line| trimmed_line(line) + "\n").collect()
}

fn trimmed_line(line: &str) -> String {
    let (mut line, mut ends) = (line.trim_end(), Vec::new());
    while let Some(at) = line.rfind('\u{1b}').filter(|at| line[*at..].ends_with('m')) {
        let (before, end) = line.split_at(at);
        // Within a style stands text.
        if end.find('m') != Some(end.len() - 1) {
            break;
        }
        ends.push(end);
        line = before.trim_end();
    }
    ends.iter().rev().fold(line.to_owned(), |line, end| line + end)
}

/// A row in lines of its own: what it is of, and below that its values by their names.
fn stacked(header: &[&str], row: &[String], names: usize) -> String {
    let (of, values) = row.split_at(names.min(row.len()));
    let of: Vec<&str> = of.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
    let values = header.iter().skip(names).zip(values).filter(|(_, value)| !value.is_empty());
    let values: Vec<String> = values.map(|(name, value)| format!("{name}{KEPT}{value}")).collect();
    let values = hanging(&values.join(", "), "  ", "  ").replace(KEPT, " ");
    format!("{}\n{values}\n", hanging(&of.join(", "), "", "  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_broken_after_their_hyphens_and_underscores_alone() {
        let state = "resolved: dynamic_the-truth-is-told";
        assert_eq!(broken(state, None), state);
        let lines = broken(state, Some(20));
        assert_eq!(lines, "resolved: dynamic_\nthe-truth-is-told");
        assert_eq!(broken("resolved: boat-back-in-time", Some(20)), "resolved: boat-back-\nin-time");
        assert_eq!(broken("npcs.wren-pellow.trust", Some(17)), "npcs.wren-pellow.\ntrust");
        assert_eq!(broken("a b. c http://a.b.c 0.5", Some(12)), "a b. c\nhttp://a.b.c\n0.5");
    }

    #[test]
    fn no_space_is_left_at_the_end_of_a_line_before_the_end_of_its_style() {
        assert_eq!(trimmed_line("\u{1b}[33ma b  \u{1b}[39m \u{1b}[0m"), "\u{1b}[33ma b\u{1b}[39m\u{1b}[0m");
        assert_eq!(trimmed_line("a m  "), "a m");
        assert_eq!(trimmed_line("\u{1b}[1m  a room"), "\u{1b}[1m  a room");
    }

    #[test]
    fn a_table_that_does_not_fit_is_told_row_by_row_and_breaks_no_number() {
        let rows = || vec![["DM".to_owned(), "play".to_owned(), "1234567890".to_owned(), String::new()]];
        let styled = |columns| in_columns(["seat", "purpose", "tokens", "usd"], rows(), 2, columns);
        let text = |columns| anstream::adapter::strip_str(&styled(columns)).to_string();
        let flat = |text: String| {
            let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
            text.lines().map(line).collect::<Vec<_>>()
        };
        let wide = ["seat purpose tokens usd", "DM play 1234567890"];
        assert_eq!(
            (flat(text(None)), flat(text(Some(32)))),
            (wide.map(str::to_owned).to_vec(), flat(text(None)))
        );
        assert_eq!(text(Some(31)), "DM, play\n  tokens 1234567890\n");
    }
}
