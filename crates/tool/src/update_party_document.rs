//! `update_party_document`: the party's own page, kept alive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{PartyDocumentUpdated, Provenance, Seat, Text};
use twicetold_world::State;

use crate::menu::{Form, one_of, variants, words};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, clean, narrating, text};

pub(crate) struct UpdatePartyDocument;

/// A section of the party document.
#[derive(Clone, Copy, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Section {
    /// Who is what to whom.
    Relationships,
    /// What draws each of them in.
    Hooks,
    Goals,
    /// What may divide them.
    Tensions,
    Events,
    /// For the DM alone.
    Secrets,
}

/// Arguments of `update_party_document`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    section: Section,
    /// The section's whole new text.
    text: String,
    reason: String,
}

impl Definition for UpdatePartyDocument {
    const NAME: &'static str = "update_party_document";
    const DESCRIPTION: &'static str = "Replace a section of the party document after something important: a bond, a betrayal, a discovery, a decision.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let section = match arguments.section {
            Section::Relationships => twicetold_event::Section::Relationships,
            Section::Hooks => twicetold_event::Section::Hooks,
            Section::Goals => twicetold_event::Section::Goals,
            Section::Tensions => twicetold_event::Section::Tensions,
            Section::Events => twicetold_event::Section::Events,
            Section::Secrets => twicetold_event::Section::Secrets,
        };
        let words = text(state, "text", &arguments.text)?;
        let reason = text(state, "reason", &arguments.reason)?;
        let version = state.document().sections.get(&section).map_or(0, |section| section.version) + 1;
        let origin = Provenance::Tool(caller.call);
        Ok(Accepted::one(PartyDocumentUpdated {
            section,
            version,
            text: Text::Written(words),
            reason,
            origin,
        }))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let form = Form::new().must("section", one_of(variants::<Section>()));
        vec![form.must("text", words(state)).must("reason", words(state))]
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let (text, reason) = (clean(&arguments.text), clean(&arguments.reason));
        vec![json!({"section": arguments.section, "text": text, "reason": reason})]
    }
}
