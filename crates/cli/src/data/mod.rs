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
mod setting_up;
mod sweeps;

use twicetold_event::CampaignId;
use twicetold_journal::Source;
use twicetold_report::form::{Document, Form, Known, OfCampaign};
use twicetold_report::{ChatLine, ForeignChat, Hook, LogLine};

pub use asked::*;
pub use campaigns::*;
pub use checks::*;
pub use documents::*;
pub use setting_up::*;
pub use sweeps::*;

use crate::failure::{Failure, code};
use crate::terminal::json_line;

/// Every form, in the order in which people meet them.
pub const FORMS: &[Known] = &[
    Known::of_campaign::<LogLine<'static>>(),
    Known::of_campaign::<End>(),
    Known::of_campaign::<Budget>(),
    Known::of_campaign::<CalledAgain>(),
    Known::document::<Campaigns>(),
    Known::document::<Tree>(),
    Known::of_campaign::<Branch>(),
    Known::of_campaign::<Imported>(),
    Known::of_campaign::<Documents>(),
    Known::of_campaign::<Party>(),
    Known::of_campaign::<Goals>(),
    Known::of_campaign::<GoalHistory>(),
    Known::of_campaign::<Npcs>(),
    Known::of_campaign::<Characters>(),
    Known::of_campaign::<Memory>(),
    Known::of_campaign::<Transcript>(),
    Known::of_campaign::<Costs>(),
    Known::of_campaign::<Why>(),
    Known::of_campaign::<WhyGoal>(),
    Known::of_campaign::<WhyReply>(),
    Known::of_campaign::<WhyWords>(),
    Known::of_campaign::<WhyShown>(),
    Known::of_campaign::<WhyNames>(),
    Known::of_campaign::<WhyNot>(),
    Known::of_campaign::<WhyNotNames>(),
    Known::document::<Audit>(),
    Known::of_campaign::<Replay>(),
    Known::of_campaign::<Verify>(),
    Known::document::<Attestation>(),
    Known::document::<Diff>(),
    Known::of_campaign::<Fields>(),
    Known::of_campaign::<History>(),
    Known::of_campaign::<Bisect>(),
    Known::document::<Previews>(),
    Known::document::<Lint>(),
    Known::document::<Packs>(),
    Known::document::<ImportedPack>(),
    Known::document::<Models>(),
    Known::document::<Model>(),
    Known::document::<ModelSkipped>(),
    Known::document::<SweepResults>(),
    Known::document::<SweepCampaigns>(),
    Known::document::<SweepComparison>(),
    Known::document::<SweepScore>(),
    Known::of_campaign::<ChatLine>(),
    Known::of_campaign::<ForeignChat>(),
    Known::foreign::<Hook>(),
];

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
}
