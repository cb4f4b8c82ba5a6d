//! `verify`: checks that no byte of a journal was changed, lost or reordered.

use std::path::Path;
use std::process::ExitCode;

use twicetold_event::{Entry, Story};
use twicetold_host::Library;
use twicetold_host::attestation::{Compared, LastAttested, Verdict, compare, last_attested};
use twicetold_journal::verify_with;

use crate::data::{self, Attestation, Attested, campaign_of, document};
use crate::failure::{Failure, code};
use crate::terminal::{GOOD, TROUBLE, counted, paragraphs, print, safe, when};

/// Checks that no byte of a journal was changed, lost or reordered
///
/// If `--attest DIR` was used when the campaign was played here, its last attestation is compared, too.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    #[arg(required_unless_present = "attestation")]
    id: Option<String>,

    /// Compare all campaigns with an attestation written by `attest`
    #[arg(long, value_name = "FILE", conflicts_with = "id")]
    attestation: Option<std::path::PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(file) = &arguments.attestation {
        return with_attestation(library, file, arguments.json);
    }
    let id = arguments.id.as_deref().unwrap_or("last");
    let source = library.source(id)?;
    let mut story = Story::default();
    let found = verify_with(source.as_ref(), |header, body| {
        let entry = Entry::of_parts(*header, body).map_err(|error| error.to_string())?;
        story.add(&entry.input, &entry.events, body.frames);
        Ok(())
    })?;
    let attested = last_attested(library, source.as_ref())?;
    let text = if arguments.json {
        let attestation = attested.as_ref().map(|attested| Attested {
            file: attested.file.clone(),
            at_ms: attested.at_ms,
            next: attested.next.0,
            key: attested.key.clone(),
            verdict: attested.verdict,
        });
        let verified = data::Verify {
            whole: true,
            entries: found.entries,
            numbers: found.numbers,
            blobs: found.blobs,
            bytes: found.bytes,
            chain: found.head,
            story: story.0,
            attestation,
        };
        data::of(campaign_of(source.as_ref())?, verified)
    } else {
        let intact = format!(
            "{GOOD}Intact{GOOD:#}: {}, {}, {}, chain digest {:.16}\n",
            counted(found.entries, "entry"),
            counted(found.numbers, "sequence number"),
            counted(u64::from(found.blobs), "blob"),
            found.head
        );
        intact + &known(attested.as_ref())
    };
    print(&text)?;
    match attested.is_some_and(|attested| attested.verdict != Verdict::Unchanged) {
        true => Ok(ExitCode::from(code::DAMAGED)),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// What the bytes alone cannot show, and what the last attestation shows of it.
fn known(attested: Option<&LastAttested>) -> String {
    let (line, writes) = match attested {
        None => (String::new(), "; `--attest DIR` on `run` and `resume` writes them"),
        Some(LastAttested { file, at_ms, next, verdict, .. }) => {
            let style = if *verdict == Verdict::Unchanged { GOOD } else { TROUBLE };
            let (last, at, file) =
                (next.0.saturating_sub(1), when(*at_ms), safe(&file.display().to_string()));
            (format!("Attested up to #{last} on {at}: {style}{}{style:#}\n  {file}\n", verdict.text()), "")
        }
    };
    let note = format!(
        "Not checked here: whether each event follows from its inputs (`replay` does that). A journal that was rewritten without a contradiction, \
         cut at its end or given other times is detected only by an attestation that is stored where its writer cannot change it{writes}."
    );
    format!("{line}{}\n", paragraphs(&note, ""))
}

/// Compares every campaign of an attestation with the data folder. A rewritten history counts as damage, a missing one as not found.
fn with_attestation(library: &Library, path: &Path, json: bool) -> Result<ExitCode, Failure> {
    let (key, compared) = compare(library, path)?;
    let count = |verdict| compared.iter().filter(|campaign| campaign.verdict == verdict).count();
    let broken = count(Verdict::Rewritten) + count(Verdict::Damaged) > 0;
    let missing = count(Verdict::Missing);
    let campaigns = compared.iter().map(|compared| data::Compared {
        campaign: compared.campaign,
        next: compared.next.0,
        verdict: compared.verdict,
    });
    let text = match json {
        true => document(Attestation { key, campaigns: campaigns.collect() }),
        false => {
            let line = |row: &Compared| {
                let style = if row.verdict == Verdict::Unchanged { GOOD } else { TROUBLE };
                let (id, last) = (row.campaign, row.next.0.saturating_sub(1));
                format!("{id:.8} up to #{last}: {style}{}{style:#}\n", row.verdict.text())
            };
            let missing = match missing {
                0 => String::new(),
                missing => format!(
                    "{} of the attestation {} not found (deleted, renamed or moved). Restore from a copy or an export.\n",
                    counted(missing as u64, "campaign"),
                    if missing == 1 { "was" } else { "were" },
                ),
            };
            format!("signed by {key}\n{}{missing}", compared.iter().map(line).collect::<String>())
        }
    };
    print(&text)?;
    Ok(match (broken, missing) {
        (true, _) => ExitCode::from(code::DAMAGED),
        (false, 0) => ExitCode::SUCCESS,
        // Deleting a journal also hides a history, so a script must notice it.
        (false, _) => ExitCode::from(code::MISSING),
    })
}
