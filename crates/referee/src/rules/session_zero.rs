//! Session Zero: markers, phases, and artefacts that are there and valid in the end, whatever the models say.

use twicetold_event::{
    CallId, CharacterAccepted, CharacterRejected, Check, ClosedBy, MarkerFault, MarkerIgnored,
    MarkerRejected, PartyDocumentUpdated, Phase, PhaseBegan, PhaseClosed, Provenance, ScenarioSet, Seat,
    Section, Text, Values,
};
use twicetold_model::{Finish, Reply};
use twicetold_projection::{missing, words, written};
use twicetold_tool::{dice, stream};
use twicetold_world::reading::Block;
use twicetold_world::setup::{Pregenerated, Rules};
use twicetold_world::{State, letters};

use super::encounter;
use super::text::{first_sentences, unquoted};
use crate::question::lacks_artefacts_alone;
use crate::table::Table;

const PHASES: [Phase; 3] = [Phase::Pitch, Phase::Converge, Phase::Lock];

/// What a message of Session Zero brings besides its words.
pub(super) fn message(
    table: &mut Table<'_>,
    seat: Seat,
    call: CallId,
    reply: &Reply,
    spoken: std::ops::Range<usize>,
) {
    if table.state().phase() == Phase::Lock {
        match seat {
            Seat::Dm => dm_artefacts(table, call, reply, spoken.clone()),
            _ => sheet(table, seat, call, reply, spoken.clone()),
        }
    }
    markers(table, seat, &reply.text[spoken]);
}

/// The artefact that a reply of the last phase lacks because the model was stopped at its limit of tokens: half of one is none, and it
/// is asked for again.
pub(super) fn cut_artefact(state: &State, seat: Seat, reply: &Reply) -> Option<String> {
    if state.phase() != Phase::Lock || reply.finish != Finish::Length {
        return None;
    }
    let wanted = match seat {
        Seat::Dm if lacks_artefacts_alone(state) => &[Block::Scenario, Block::PartyDocument][..],
        Seat::Player(_) if !state.characters().contains_key(&seat) => &[Block::Character][..],
        _ => &[],
    };
    let reading = state.setup().reading_of(seat);
    let lacks = wanted.iter().find(|block| !reading.is_whole(&reply.text, **block))?;
    Some(reading.tag(*lacks).to_owned())
}

/// Markers count only from the DM, only in their own phase, only outside quotation and code, once a message.
fn markers(table: &mut Table<'_>, seat: Seat, text: &str) {
    let bare = unquoted(text);
    let mut closed = false;
    let phase = table.state().phase();
    let setup = table.state().shared_setup();
    let reading = setup.reading_of(seat);
    for marked in PHASES {
        let Some(phrase) = reading.marker(marked).filter(|phrase| says(text, phrase)) else { continue };
        let why = if seat != Seat::Dm {
            Some(MarkerFault::NotTheDm)
        } else if !says(&bare, phrase) {
            Some(MarkerFault::Quoted)
        } else if closed {
            Some(MarkerFault::SecondInMessage)
        } else if marked != phase {
            Some(MarkerFault::WrongPhase)
        } else {
            None
        };
        match why {
            Some(why) => table.emit(MarkerIgnored { phrase: phrase.into(), seat, why }),
            None => closed = close_by_marker(table, phrase),
        }
    }
}

/// Does a text say a marker: as it is written, or in other letters where a line holds nothing else?
fn says(text: &str, phrase: &str) -> bool {
    text.contains(phrase) || text.lines().any(|line| letters(line) == letters(phrase))
}

/// Closes the phase if nothing is missing; otherwise says what is. True when it was closed.
fn close_by_marker(table: &mut Table<'_>, phrase: &str) -> bool {
    // A person writes lines and no documents: those of the files are theirs.
    if table.state().is_person(Seat::Dm) && lacks_artefacts_alone(table.state()) {
        derive_scenario(table);
        derive_document(table);
    }
    let missing = missing(table.state());
    if !missing.is_empty() {
        table.emit(MarkerRejected { phrase: phrase.into(), missing });
        return false;
    }
    close(table, ClosedBy::Marker);
    true
}

/// Closes the phase in the turn that is being played.
pub(super) fn close(table: &mut Table<'_>, by: ClosedBy) {
    // The turn that closes it is not over, and counts.
    let rounds = table.state().table().rounds + 1;
    close_phase(table, by, rounds);
}

fn close_phase(table: &mut Table<'_>, by: ClosedBy, rounds: u32) {
    let phase = table.state().phase();
    table.emit(PhaseClosed { phase, by, rounds });
    table.emit(PhaseBegan { phase: phase.next() });
    if phase.next() == Phase::Play {
        encounter::begin(table, 0);
    }
}

/// At the limit of rounds the referee closes the phase itself and makes what is missing.
pub(super) fn close_at_limit(table: &mut Table<'_>) {
    if table.state().table().rounds < table.state().setup().limits.session_zero_rounds_max {
        return;
    }
    if table.state().phase() == Phase::Lock {
        for seat in table.state().setup().players() {
            if !table.state().characters().contains_key(&seat) {
                derive_character(table, seat);
            }
        }
        derive_scenario(table);
        derive_document(table);
    }
    close_phase(table, ClosedBy::RoundLimit, table.state().table().rounds);
}

fn dm_artefacts(table: &mut Table<'_>, call: CallId, reply: &Reply, spoken: std::ops::Range<usize>) {
    let text = &reply.text[spoken.clone()];
    let at = |range: std::ops::Range<usize>| Text::Reply {
        call,
        start: (spoken.start + range.start) as u32,
        end: (spoken.start + range.end) as u32,
    };
    let setup = table.state().shared_setup();
    let reading = setup.reading_of(Seat::Dm);
    if let Some(whole) = reading.block(text, Block::Scenario).filter(|range| !range.is_empty()) {
        let (public, dm) = reading.scenario(text, whole);
        let own = table.state().setup().campaign.scenario.dm.trim().to_owned();
        let dm = dm.filter(|range| !range.is_empty()).map_or(Text::Written(own), at);
        if !public.is_empty() {
            table.emit(ScenarioSet { public: at(public), dm, origin: Provenance::Reply(call) });
        }
    }
    if let Some(whole) = reading.block(text, Block::PartyDocument) {
        for (section, range) in reading.sections(text, whole) {
            let version = table.state().document().sections.get(&section).map_or(0, |kept| kept.version) + 1;
            let reason = String::new();
            table.emit(PartyDocumentUpdated {
                section,
                version,
                entry: 1,
                text: at(range),
                reason,
                origin: Provenance::Reply(call),
            });
        }
    }
}

/// A player's sheet: accepted, rejected with the reasons, or after too many tries derived from the pitch.
fn sheet(table: &mut Table<'_>, seat: Seat, call: CallId, reply: &Reply, spoken: std::ops::Range<usize>) {
    let text = &reply.text[spoken];
    let reading = table.state().setup().reading_of(seat);
    let Some(range) = reading.block(text, Block::Character) else { return };
    let rules = &table.state().setup().rules;
    let sheet = reading.sheet(rules, &text[range]);
    let mut reasons = rules.faults(&sheet);
    let taken = |(other, character): (&Seat, &twicetold_world::Character)| {
        *other != seat && character.sheet.name.eq_ignore_ascii_case(&sheet.name)
    };
    if table.state().characters().iter().any(taken) {
        reasons.push(Check::new("name_taken").with("name", &sheet.name));
    }
    if reasons.is_empty() {
        table.emit(CharacterAccepted { seat, sheet, origin: Provenance::Reply(call) });
        return;
    }
    let attempt = table.state().session_zero().refused.get(&seat).copied().unwrap_or(0) + 1;
    let counted = reasons.iter().all(|fault| Rules::COUNTED.contains(&fault.rule.as_str()));
    let counted = counted.then(|| table.state().setup().rules.counted(sheet));
    table.emit(CharacterRejected { seat, attempt, reasons });
    if attempt >= table.state().setup().limits.sheet_attempts_max
        && !table.state().characters().contains_key(&seat)
    {
        match counted {
            Some(sheet) => table.emit(CharacterAccepted { seat, sheet, origin: Provenance::Derived }),
            None => derive_character(table, seat),
        }
    }
}

/// A legal character for a player who brought none: of the class that was pitched, with the pitch as its background; for a
/// mute player one that the seed draws.
fn derive_character(table: &mut Table<'_>, seat: Seat) {
    let setup = table.state().setup();
    let taken = |ready: &&Pregenerated| {
        !table
            .state()
            .characters()
            .values()
            .any(|character| character.sheet.name.eq_ignore_ascii_case(&ready.name))
    };
    let free: Vec<&Pregenerated> = setup.rules.pregenerated.iter().filter(taken).collect();
    let pitch = table
        .state()
        .session_zero()
        .pitches
        .get(&seat)
        .map(|text| words(table.replies(), text).trim().to_owned());
    let folded = pitch.as_deref().unwrap_or("").to_lowercase();
    let pitched = |ready: &&&Pregenerated| {
        let class = setup.rules.class(&ready.class);
        class.is_some_and(|class| folded.contains(&class.name.to_lowercase()) || folded.contains(&class.id))
    };
    let drawn = dice::pick(setup, &stream::sheet(seat), 0, free.len());
    let Some(ready) = free.iter().find(pitched).or_else(|| free.get(drawn)).copied() else { return };
    let mut sheet = setup.rules.sheet(ready);
    let origin = match pitch.filter(|pitch| !pitch.is_empty()) {
        Some(pitch) => {
            sheet.background = first_sentences(&pitch, BACKGROUND_BYTES_MAX);
            Provenance::Derived
        }
        None => Provenance::Pregenerated,
    };
    table.emit(CharacterAccepted { seat, sheet, origin });
}

fn derive_scenario(table: &mut Table<'_>) {
    if table.state().session_zero().scenario.is_none() {
        let draft = &table.state().setup().campaign.scenario;
        let public = Text::Written(draft.public.trim().to_owned());
        let dm = Text::Written(draft.dm.trim().to_owned());
        table.emit(ScenarioSet { public, dm, origin: Provenance::Charter });
    }
}

fn derive_document(table: &mut Table<'_>) {
    if !table.state().document().sections.is_empty() {
        return;
    }
    let hooks: Vec<String> = table
        .state()
        .characters()
        .values()
        .map(|character| format!("- {}: {}", character.sheet.name, character.sheet.background))
        .collect();
    let names: Vec<&str> =
        table.state().characters().values().map(|character| character.sheet.name.as_str()).collect();
    let values = Values::default().with("names", names.join(", "));
    let together = written(table.state(), "derived.together", &values);
    for (section, text) in [(Section::Relationships, together), (Section::Hooks, hooks.join("\n"))] {
        let reason = String::new();
        let text = Text::Written(text);
        table.emit(PartyDocumentUpdated {
            section,
            version: 1,
            entry: 1,
            text,
            reason,
            origin: Provenance::Derived,
        });
    }
}

/// A background made from a pitch is at most this long.
const BACKGROUND_BYTES_MAX: usize = 300;
