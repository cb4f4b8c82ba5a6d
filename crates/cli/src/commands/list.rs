//! `list`: the campaigns that there are.

use std::process::ExitCode;

use clap::ValueEnum;
use comfy_table::ContentArrangement;
use textwrap::core::display_width;
use twicetold_event::CampaignId;
use twicetold_host::Library;

use crate::data::{Campaigns, Listed, document};
use crate::failure::Failure;
use crate::pager::page;
use crate::table::{KEPT, bare, broken, heading, pieces, trimmed};
use crate::terminal::{BOLD, GOLD, TROUBLE, columns, hanging, short, when};
use crate::told::{Brief, Standing, told};

/// Lists campaigns, the newest first
#[derive(clap::Args)]
pub struct Arguments {
    /// Only campaigns with this label
    #[arg(long)]
    label: Option<String>,

    /// Only campaigns in this state
    #[arg(long, value_enum)]
    state: Option<Standing>,

    /// Only campaigns in which this model plays a seat, by its name in models.toml or a part of its name on its server
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let all = library.list()?;
    let is_empty = all.is_empty();
    let rows = all.iter().copied().map(|id| (id, row(library, id)));
    let wanted = rows.filter(|(id, row)| is_wanted(library, arguments, *id, row));
    let mut rows: Vec<Listed> = wanted.map(|(_, row)| row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.opened_ms));
    let text = match (arguments.json, rows.is_empty()) {
        (true, _) => document(Campaigns { campaigns: rows }),
        (false, true) if is_empty => {
            format!("No campaigns in {} yet. `twicetold run` plays one.\n", library.name())
        }
        (false, true) => "No campaign is like that. `twicetold list` lists all of them.\n".to_owned(),
        (false, false) => table(rows, &all),
    };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn is_wanted(library: &Library, arguments: &Arguments, id: CampaignId, row: &Listed) -> bool {
    let has_model = |name: &String| {
        let part = name.to_lowercase();
        let mapping = || library.mapping(id).read().ok().flatten().unwrap_or_default();
        row.models.iter().any(|model| model.to_lowercase().contains(&part))
            || mapping().seat.values().any(|player| player.model == *name)
    };
    arguments.label.as_ref().is_none_or(|label| row.label.as_ref() == Some(label))
        && arguments.state.is_none_or(|state| row.state == state)
        && arguments.model.as_ref().is_none_or(has_model)
}

/// Characters of a reason, for people: a server may answer with a page. Programs get all of it.
const DETAIL: usize = 240;

impl Listed {
    fn titled(&self) -> String {
        let label = self.label.as_ref().map_or_else(String::new, |label| format!(" [{}]", short(label, 60)));
        format!("{}{label}", short(&self.title, 40))
    }

    fn stands(&self) -> String {
        let name = whole(self.state);
        match self.detail.is_empty() {
            true => name,
            false => format!("{name}: {}", short(&self.detail, DETAIL)),
        }
    }

    fn played_by(&self) -> String {
        short(&self.models.join(", "), 60)
    }
}

/// Columns of a terminal below which a table has no room.
const TABLE_MIN: usize = 72;

/// Lines of a title or of models beyond which a list of campaigns reads better than a table.
const CELL_LINES_MAX: usize = 3;

/// Lines of a state beyond which the reasons stand below the rows, and the columns that it has at least.
const STATE_LINES_MAX: usize = 1;
const STATE_MIN: usize = 14;

/// Columns that all but the title, the model and the state take, with what lies between: id, time and a number.
const OTHERS_WIDTH: usize = 8 + 16 + 5 + 6 * 2;

/// Takes no column: between two of them stands what is to be styled. A table can be laid out with it, which it could not with styles.
const MARK: char = '\u{2060}';

fn table(rows: Vec<Listed>, all: &[CampaignId]) -> String {
    styled(&in_columns(&rows, all, columns()))
}

fn in_columns(rows: &[Listed], all: &[CampaignId], width: Option<usize>) -> String {
    let cells: Vec<[String; 3]> =
        rows.iter().map(|row| [row.titled(), row.played_by(), row.stands()]).collect();
    // Where there is no terminal, lines stay whole.
    let rooms = width.map(|width| rooms(&cells, width));
    let Some(rooms) = rooms.map_or(Some([None; 3]), |rooms| rooms.map(|rooms| rooms.map(Some))) else {
        return rows.iter().map(|row| stacked(row, all)).collect();
    };
    let mut table = bare();
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["id", "opened", "title", "model", "turn", "state"].map(heading));
    // Where one reason is too long all stand below their rows, so that all rows read alike.
    let is_long = cells.iter().any(|cells| broken(&cells[2], rooms[2]).lines().count() > STATE_LINES_MAX);
    for (row, [title, model, state]) in rows.iter().zip(&cells) {
        let state = if is_long { whole(row.state) } else { broken(state, rooms[2]) };
        table.add_row([
            id(row.campaign, all),
            opened(row),
            broken(title, rooms[0]),
            broken(model, rooms[1]),
            row.turns.to_string(),
            marked(row, &state),
        ]);
    }
    if let Some(first) = table.column_mut(0) {
        first.set_padding((0, 1));
    }
    if !is_long {
        return trimmed(&table);
    }
    let (mut out, mut told, mut open) = (String::new(), rows.iter(), None);
    let below = |open: Option<&Listed>| match open.filter(|row| !row.detail.is_empty()) {
        Some(row) => format!("{}\n", with_end(row, &hanging(&short(&row.detail, DETAIL), INDENT, INDENT))),
        None => String::new(),
    };
    for line in trimmed(&table).lines() {
        if line.starts_with(MARK) {
            out += &below(open.take());
            open = told.next();
        }
        out += line;
        out.push('\n');
    }
    out + &below(open)
}

/// When it was begun, where that can be read.
fn opened(row: &Listed) -> String {
    if row.opened_ms == 0 { "–".to_owned() } else { when(row.opened_ms) }
}

/// Columns for title, models and state in a table of this width, so that no word of them is broken and none takes many lines; nothing
/// where it has no room for them.
fn rooms(cells: &[[String; 3]], width: usize) -> Option<[usize; 3]> {
    if width < TABLE_MIN {
        return None;
    }
    let room = width.saturating_sub(OTHERS_WIDTH);
    let widest = |column: usize| cells.iter().map(|row| display_width(&row[column])).max().unwrap_or(0);
    let model = widest(1).min(room / 3);
    let title = widest(0).min(room.saturating_sub(model + STATE_MIN));
    let rooms = [title, model, room - model - title];
    let fits = |row: &[String; 3]| {
        (0..2).all(|column| {
            let lines = broken(&row[column], Some(rooms[column]));
            lines.lines().count() <= CELL_LINES_MAX
                && pieces(&row[column]).all(|word| display_width(word.word) <= rooms[column])
        })
    };
    cells.iter().all(fits).then_some(rooms)
}

/// A campaign in lines of its own.
fn stacked(row: &Listed, all: &[CampaignId]) -> String {
    let head = format!("{}, {}, turn {}, {}", row.titled(), opened(row), row.turns, row.played_by());
    let head = hanging(&head, &format!("{:.8}  ", row.campaign), INDENT);
    let head = head.replacen(&format!("{:.8}", row.campaign), &id(row.campaign, all), 1);
    let stands = hanging(&row.stands(), INDENT, INDENT);
    format!("{head}\n{}\n", marked(row, &stands))
}

/// What stands below the text beside an id.
const INDENT: &str = "          ";

/// The front of an id; marked is as much of it as no other campaign begins with.
fn id(campaign: CampaignId, all: &[CampaignId]) -> String {
    let shown = format!("{campaign:.8}");
    let common = |other: &CampaignId| {
        let other = format!("{other:.8}");
        shown.bytes().zip(other.bytes()).take_while(|(one, two)| one == two).count()
    };
    let others = all.iter().filter(|other| **other != campaign);
    let unique = others.map(|other| common(other) + 1).max().unwrap_or(1).min(shown.len());
    format!("{MARK}{}{MARK}{}", &shown[..unique], &shown[unique..])
}

/// The words for the state are marked.
fn marked(row: &Listed, stands: &str) -> String {
    let name = whole(row.state);
    with_end(row, &stands.replacen(&name, &format!("{MARK}{name}{MARK}"), 1))
}

/// That a campaign was lost is marked.
fn with_end(row: &Listed, stands: &str) -> String {
    match row.detail.split([',', ' ']).next() {
        Some(end @ ("failed" | "unresolved")) if row.state == Standing::Over => {
            stands.replacen(end, &format!("{MARK}{end}{MARK}"), 1)
        }
        _ => stands.to_owned(),
    }
}

/// The name of a state that no line breaks.
fn whole(state: Standing) -> String {
    state.name().replace(' ', KEPT)
}

/// The styles in the place of the marks: a word for a state in the colour of that state, the front of an id bold.
fn styled(text: &str) -> String {
    let mut out = String::new();
    for (place, piece) in text.split(MARK).enumerate() {
        let is_marked = place % 2 == 1;
        let standing = Standing::value_variants().iter().find(|one| whole(**one) == piece);
        let style = match (standing, piece) {
            (Some(standing), _) => standing.style(),
            (None, "failed") => TROUBLE,
            (None, "unresolved") => GOLD,
            _ => BOLD,
        };
        if is_marked {
            out += &format!("{style}{piece}{style:#}");
        } else {
            out += piece;
        }
    }
    out.replace(KEPT, " ")
}

fn row(library: &Library, campaign: CampaignId) -> Listed {
    let reader = library.read(campaign).map_err(Failure::from);
    let brief = reader.and_then(|reader| told(&*reader)?.brief(&library.view(campaign)));
    let brief = brief.unwrap_or_else(|why| Brief {
        title: String::new(),
        state: Standing::Unreadable,
        detail: why.line(),
        opened_ms: 0,
        turns: 0,
        calls: 0,
        models: Vec::new(),
    });
    let Brief { title, state, detail, opened_ms, turns, calls, models } = brief;
    let label = library.label(campaign).read();
    Listed { campaign, title, label, opened_ms, turns, calls, models, state, detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_broken_however_wide_the_table_is() {
        let row = |model: &str| Listed {
            campaign: CampaignId([7; 16]),
            title: "The Borrowed Boat".to_owned(),
            label: None,
            opened_ms: 1_700_000_000_000,
            turns: 12_345,
            calls: 3,
            models: vec![model.to_owned()],
            state: Standing::Over,
            detail: "resolved: boat-back-in-time".to_owned(),
        };
        for model in
            ["qwen3:8b", "meta-llama/llama-3.3-70b-instruct", "a-name.that/cannot:be.broken.anywhere.at.all"]
        {
            let rows = [row(model)];
            for width in [40, 72, 80, 100, 200] {
                let text = in_columns(&rows, &[CampaignId([7; 16])], Some(width));
                let text = anstream::adapter::strip_str(&text).to_string();
                let names = pieces(model).map(|word| word.word.to_owned()).chain(["12345".to_owned()]);
                for piece in names {
                    assert!(text.contains(&piece), "{piece} at {width} columns: {text}");
                }
                let is_table = text.starts_with("id ");
                assert!(
                    !is_table || text.lines().all(|line| display_width(line) <= width),
                    "{width}: {text}"
                );
                let wanted = match (width, model.len()) {
                    (40, _) => false,
                    (80.., 0..10) => true,
                    (80, 40..) => false,
                    _ => is_table,
                };
                assert_eq!(is_table, wanted, "{width}: {text}");
            }
            assert_eq!(in_columns(&rows, &[], None).lines().count(), 2);
        }
    }
}
