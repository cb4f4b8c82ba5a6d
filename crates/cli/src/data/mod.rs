//! What the program writes for other programs: a struct for each form of output, with its name, its version and its schema.

/// Gives a struct its form's name and what it is.
macro_rules! forms {
    ($($form:ty: $name:literal, $about:literal;)*) => {
        $(impl twicetold_report::form::Form for $form {
            const NAME: &'static str = $name;
            const ABOUT: &'static str = $about;
        })*
    };
}

mod asked;
mod campaigns;
mod checks;
mod documents;
mod keeping;
mod setting_up;
mod sweeps;

use std::collections::BTreeMap;

use serde_json::Value;
use twicetold_event::CampaignId;
use twicetold_journal::Source;
use twicetold_report::form::{Document, Form, Known, OfCampaign};
use twicetold_report::{ChatLine, ForeignChat, Hook, LogLine};

pub use asked::*;
pub use campaigns::*;
pub use checks::*;
pub use documents::*;
pub use keeping::*;
pub use setting_up::*;
pub use sweeps::*;

use crate::failure::{Failure, code};
use crate::terminal::json_line;

/// Lists forms; for a test, with what makes their schemas.
macro_rules! known {
    ($($kind:ident $form:ty;)*) => {
        /// Every form, in the order in which people meet them.
        pub const FORMS: &[Known] = &[$(Known::of::<$form>()),*];

        /// What makes the schema of each.
        #[cfg(test)]
        const MAKERS: &[(Known, fn() -> Value)] =
            &[$((Known::of::<$form>(), twicetold_report::form::schema::$kind::<$form>)),*];
    };
}

known! {
    of_campaign LogLine<'static>;
    of_campaign End;
    of_campaign Budget;
    of_campaign CalledAgain;
    document Campaigns;
    document Tree;
    of_campaign Branch;
    of_campaign Imported;
    of_campaign Written;
    of_campaign Label;
    of_campaign Removed;
    of_campaign Documents;
    of_campaign Party;
    of_campaign Goals;
    of_campaign GoalHistory;
    of_campaign Npcs;
    of_campaign Characters;
    of_campaign Memory;
    of_campaign Transcript;
    of_campaign Costs;
    of_campaign Why;
    of_campaign WhyGoal;
    of_campaign WhyReply;
    of_campaign WhyWords;
    of_campaign WhyShown;
    of_campaign WhyNames;
    of_campaign WhyNot;
    of_campaign WhyNotNames;
    document Audit;
    of_campaign Replay;
    of_campaign Verify;
    document Attestation;
    document NewAttestation;
    document Diff;
    of_campaign Fields;
    of_campaign History;
    of_campaign Bisect;
    document Previews;
    document Lint;
    document Packs;
    document ImportedPack;
    document Models;
    document Model;
    document ModelSkipped;
    document SweepResults;
    document SweepCampaigns;
    document SweepComparison;
    document Sweeps;
    document SweepScore;
    document BenchResults;
    of_campaign ChatLine;
    of_campaign ForeignChat;
    foreign Hook;
}

/// The schemas of all forms by their names, as compressed JSON. A test writes them and compares them with the types.
static SCHEMAS: &[u8] = include_bytes!("schemas.zst");

/// The schema of a form. To make it of the types here would take thirty times the bytes.
pub fn schema(form: &Known) -> Option<Value> {
    unpacked(SCHEMAS).ok()?.remove(form.name)
}

/// The forms that a command prints: each says behind its last colon which commands do.
pub fn printed_by(command: &str) -> Vec<&'static Known> {
    let is_of = |form: &&Known| {
        let lines = form.about.rsplit(": ").next().unwrap_or_default();
        lines.split(", ").any(|line| line.split(' ').next() == Some(command))
    };
    FORMS.iter().filter(is_of).collect()
}

/// All schemas.
fn unpacked(packed: &[u8]) -> std::io::Result<BTreeMap<String, Value>> {
    Ok(serde_json::from_slice(&twicetold_host::bundle::unpacked(packed)?)?)
}

/// What a command prints for programs of a campaign, in one line.
pub fn of(campaign: CampaignId, body: impl Form) -> String {
    json_line(&OfCampaign::new(campaign, body))
}

/// What it prints for programs of no campaign, or of several.
pub fn document(body: impl Form) -> String {
    json_line(&Document::new(body))
}

/// Whose journal it is.
pub fn campaign_of(source: &dyn Source) -> Result<CampaignId, Failure> {
    source.head().campaign.ok_or_else(|| {
        let help = "`twicetold list` lists the campaigns";
        Failure::new(code::DAMAGED, "the journal has no entries, so it is nobody's", help)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_form_has_a_name_of_its_own_and_is_told_in_a_line() {
        let names: BTreeSet<&str> = FORMS.iter().map(|form| form.name).collect();
        assert_eq!(names.len(), FORMS.len());
        let widest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        for form in FORMS {
            assert!(2 + widest + 2 + form.about.chars().count() < 80, "{}: {}", form.name, form.about);
        }
    }

    #[test]
    fn every_command_that_prints_json_has_a_form() {
        use clap::CommandFactory;
        fn prints(command: &clap::Command) -> bool {
            let own = command.get_arguments().any(|one| one.get_long() == Some("json"));
            own || command.get_subcommands().any(prints)
        }
        let program = crate::Arguments::command();
        for command in program.get_subcommands() {
            let forms = printed_by(command.get_name());
            assert_eq!(!forms.is_empty(), prints(command), "{}", command.get_name());
        }
    }

    #[test]
    fn the_schemas_in_the_program_are_those_of_the_types() {
        let made: BTreeMap<String, Value> =
            MAKERS.iter().map(|(form, make)| (form.name.to_owned(), make())).collect();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/data/schemas.zst");
        #[expect(clippy::disallowed_methods, reason = "asked for by the person who records")]
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            let text = serde_json::to_vec(&made).unwrap();
            std::fs::write(&path, zstd::encode_all(&text[..], 19).unwrap()).unwrap();
        }
        let kept = unpacked(&std::fs::read(path).unwrap()).unwrap();
        for (name, schema) in &made {
            assert_eq!(kept.get(name), Some(schema), "{name}: the type has changed (`just schemas`)");
        }
        assert_eq!(kept.len(), made.len(), "a schema is kept of a form that nobody prints");
    }
}
