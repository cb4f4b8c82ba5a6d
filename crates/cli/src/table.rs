//! Tables: rows beside their header where they fit, and else each row in lines of its own, so that no number is ever broken.

use comfy_table::{ContentArrangement, Table, presets};
use textwrap::core::display_width;

use crate::terminal::{columns, hanging};

/// Columns between two cells.
const BETWEEN: usize = 2;

/// What stands between the name of a value and the value while lines are broken at spaces.
const KEPT: char = '\u{a0}';

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
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    format!("{table}\n")
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
    fn a_table_that_does_not_fit_is_told_row_by_row_and_breaks_no_number() {
        let rows = || vec![["DM".to_owned(), "play".to_owned(), "1234567890".to_owned(), String::new()]];
        let text = |columns| in_columns(["seat", "purpose", "tokens", "usd"], rows(), 2, columns);
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
