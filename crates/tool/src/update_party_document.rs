//! `update_party_document`: the party's own page, kept alive.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{PartyDocumentUpdated, Provenance, Seat, Text};
use twicetold_world::State;

use crate::menu::{Form, number, one_of, texts, words};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, clean_lines, lines_within, narrating,
    text,
};

pub(crate) struct UpdatePartyDocument;

#[derive(Clone, Copy, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

const ALL: [Section; 6] = [
    Section::Relationships,
    Section::Hooks,
    Section::Goals,
    Section::Tensions,
    Section::Events,
    Section::Secrets,
];

impl Section {
    fn kept(self) -> twicetold_event::Section {
        match self {
            Section::Relationships => twicetold_event::Section::Relationships,
            Section::Hooks => twicetold_event::Section::Hooks,
            Section::Goals => twicetold_event::Section::Goals,
            Section::Tensions => twicetold_event::Section::Tensions,
            Section::Events => twicetold_event::Section::Events,
            Section::Secrets => twicetold_event::Section::Secrets,
        }
    }
}

/// Arguments of `update_party_document`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    section: Section,
    text: String,
    reason: String,
    /// The number of one to replace.
    entry: Option<u32>,
}

impl Definition for UpdatePartyDocument {
    const NAME: &'static str = "update_party_document";
    const DESCRIPTION: &'static str =
        "Add to the party document, or revise an entry, after a bond, a betrayal, a discovery, a decision.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let section = arguments.section.kept();
        let words = lines_within("text", &arguments.text, entry_bytes_max(state))?;
        let reason = text(state, "reason", &arguments.reason)?;
        let written = state.document().sections.get(&section);
        let version = written.map_or(0, |section| section.version) + 1;
        let count = written.map_or(0, |section| section.entries.len() as u32);
        let entry = arguments.entry.unwrap_or(count + 1);
        if arguments.entry.is_some() && !(1..=count).contains(&entry) {
            let rejection = Rejection::new("unknown_entry").with("entry", entry);
            return Err(rejection.with("section", section.name()).with("entries", count));
        }
        let most = state.setup().limits.document_entries_max;
        if entry > most {
            let rejection = Rejection::new("section_full").with("section", section.name());
            return Err(rejection.with("entries", count).with("most", most));
        }
        let origin = Provenance::Tool(caller.call);
        Ok(Accepted::one(PartyDocumentUpdated {
            section,
            version,
            entry,
            text: Text::Written(words),
            reason,
            origin,
        }))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let most = state.setup().limits.document_entries_max;
        let written = |section: &Section| {
            let kept = state.document().sections.get(&section.kept());
            kept.map_or(0, |kept| kept.entries.len() as u32)
        };
        let form = |sections: &[Section]| {
            let named = sections.iter().map(|section| section.kept().name());
            Form::new()
                .must("section", one_of(named))
                .must("text", texts(entry_bytes_max(state)))
                .must("reason", words(state))
        };
        let revised = ALL.into_iter().filter(|section| written(section) > 0);
        let revised =
            revised.map(|section| form(&[section]).must("entry", number(1, i64::from(written(&section)))));
        let room: Vec<Section> = ALL.into_iter().filter(|section| written(section) < most).collect();
        let added = (!room.is_empty()).then(|| form(&room));
        added.into_iter().chain(revised).collect()
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let (text, reason) = (clean_lines(&arguments.text), clean(&arguments.reason));
        let mut call = json!({"section": arguments.section, "text": text, "reason": reason});
        if let Some(entry) = arguments.entry {
            call["entry"] = json!(entry);
        }
        vec![call]
    }
}

fn entry_bytes_max(state: &State) -> usize {
    state.setup().limits.document_entry_bytes_max as usize
}
