//! Who may know what an event says: the rules that the catalogue names.
//!
//! Parts that are more secret than the rest (a character's secret, the DM's part of the scenario) are shown by projections under the
//! audience of that part.

use crate::{
    Audience, CampaignQueried, CharacterRejected, DialogueSummarised, Event, MemoryQueried, MessageSpoken,
    MoveChosen, PartyDocumentUpdated, Seat, Section,
};

/// Everybody.
pub(super) fn all<W>(_: &W) -> Audience {
    Audience::All
}

/// The DM alone.
pub(super) fn dm<W>(_: &W) -> Audience {
    Audience::Dm
}

/// As the event states.
pub(super) fn stated(word: &MessageSpoken) -> Audience {
    word.audience.clone()
}

/// As the section of the party document has it.
pub(super) fn of_the_section(word: &PartyDocumentUpdated) -> Audience {
    Event::section_audience(word.section)
}

/// A sheet is between its player and the DM.
pub(super) fn owner_and_dm(word: &CharacterRejected) -> Audience {
    Audience::Seats([Seat::Dm, word.seat].into())
}

/// The DM and those who were part of it.
pub(super) fn those_who_talked(word: &DialogueSummarised) -> Audience {
    Audience::Seats([Seat::Dm].into_iter().chain(word.seats.iter().copied()).collect())
}

/// Only the asking seat sees its query and the answer; the memory agent makes no queries.
pub(super) fn who_asked_memory(word: &MemoryQueried) -> Audience {
    Audience::Seats([word.seat].into())
}

/// The same.
pub(super) fn who_asked_campaign(word: &CampaignQueried) -> Audience {
    Audience::Seats([word.seat].into())
}

/// A choice holds what a seat wants, and goals that the others may not know.
pub(super) fn who_chose(word: &MoveChosen) -> Audience {
    Audience::Seats([word.seat].into())
}

impl Event {
    /// Who may know the messages of a dialogue: its participants, and the memory agent, which summarises it for them.
    pub fn dialogue_audience(players: impl IntoIterator<Item = Seat>) -> Audience {
        let mut seats = vec![Seat::Dm];
        seats.extend(players);
        seats.push(Seat::Memory);
        Audience::Seats(seats.into())
    }

    /// Who may read a section of the party document.
    pub fn section_audience(section: Section) -> Audience {
        match section {
            Section::Secrets => Audience::Dm,
            _ => Audience::All,
        }
    }

    /// Who may know a secret that a seat shares with the DM: a character's, for one.
    pub fn secret_audience(owner: Seat) -> Audience {
        match owner {
            Seat::Dm => Audience::Dm,
            _ => Audience::Seats([Seat::Dm, owner].into()),
        }
    }
}
