//! Session Zero: markers, phases, and artefacts that are there and valid in the end, whatever the models say.

use twicetold_event::*;
use twicetold_model::Reply;
use twicetold_projection::{missing, words, written};
use twicetold_tool::{dice, stream};
use twicetold_world::setup::Pregenerated;

use crate::speech::unquoted;
use crate::{Campaign, artefacts};

const PHASES: [Phase; 3] = [Phase::Pitch, Phase::Converge, Phase::Lock];

impl Campaign {
    /// What a message of Session Zero brings besides its words.
    pub(crate) fn session_zero_message(
        &mut self,
        seat: Seat,
        call: CallId,
        reply: &Reply,
        spoken: std::ops::Range<usize>,
    ) {
        if self.state.phase() == Phase::Lock {
            match seat {
                Seat::Dm => self.dm_artefacts(call, reply, spoken.clone()),
                _ => self.sheet(seat, call, reply, spoken.clone()),
            }
        }
        self.markers(seat, &reply.text[spoken]);
    }

    /// Markers count only from the DM, only in their own phase, only outside quotation and code, once a message.
    fn markers(&mut self, seat: Seat, text: &str) {
        let bare = unquoted(text);
        let mut closed = false;
        let phase = self.state.phase();
        for marked in PHASES {
            let phrase = marked.marker().unwrap_or_default();
            if !text.contains(phrase) {
                continue;
            }
            let why = if seat != Seat::Dm {
                Some(MarkerFault::NotTheDm)
            } else if !bare.contains(phrase) {
                Some(MarkerFault::Quoted)
            } else if closed {
                Some(MarkerFault::SecondInMessage)
            } else if marked != phase {
                Some(MarkerFault::WrongPhase)
            } else {
                None
            };
            match why {
                Some(why) => self.emit(MarkerIgnored { phrase: phrase.into(), seat, why }),
                None => closed = self.close_by_marker(phrase),
            }
        }
    }

    /// Closes the phase if nothing is missing; otherwise says what is. True when it was closed.
    fn close_by_marker(&mut self, phrase: &str) -> bool {
        let missing = missing(&self.state);
        if !missing.is_empty() {
            self.emit(MarkerRejected { phrase: phrase.into(), missing });
            return false;
        }
        self.close_phase(ClosedBy::Marker);
        true
    }

    fn close_phase(&mut self, by: ClosedBy) {
        let phase = self.state.phase();
        let rounds = self.state.table().rounds + 1;
        self.emit(PhaseClosed { phase, by, rounds });
        self.emit(PhaseBegan { phase: phase.next() });
        if phase.next() == Phase::Play {
            self.begin_encounter(0);
        }
    }

    /// At the limit of rounds the referee closes the phase itself and makes what is missing.
    pub(crate) fn close_phase_at_its_limit(&mut self) {
        if self.state.table().rounds < self.state.setup().limits.session_zero_rounds_max {
            return;
        }
        if self.state.phase() == Phase::Lock {
            for seat in self.state.setup().players() {
                if !self.state.characters().contains_key(&seat) {
                    self.derive_character(seat);
                }
            }
            self.derive_scenario();
            self.derive_document();
        }
        self.close_phase(ClosedBy::RoundLimit);
    }

    fn dm_artefacts(&mut self, call: CallId, reply: &Reply, spoken: std::ops::Range<usize>) {
        let text = &reply.text[spoken.clone()];
        let at = |range: std::ops::Range<usize>| Text::Reply {
            call,
            start: (spoken.start + range.start) as u32,
            end: (spoken.start + range.end) as u32,
        };
        if let Some(whole) = artefacts::block(text, "SCENARIO").filter(|range| !range.is_empty()) {
            let (public, dm) = artefacts::scenario(text, whole);
            let own = self.state.setup().campaign.scenario.dm.trim().to_owned();
            let dm = dm.filter(|range| !range.is_empty()).map_or(Text::Written(own), at);
            if !public.is_empty() {
                self.emit(ScenarioSet { public: at(public), dm, origin: Provenance::Reply(call) });
            }
        }
        if let Some(whole) = artefacts::block(text, "PARTY_DOCUMENT") {
            for (section, range) in artefacts::sections(text, whole) {
                let version = self.state.document().sections.get(&section).map_or(0, |kept| kept.version) + 1;
                self.emit(PartyDocumentUpdated {
                    section,
                    version,
                    text: at(range),
                    reason: String::new(),
                    origin: Provenance::Reply(call),
                });
            }
        }
    }

    /// A player's sheet: accepted, rejected with the reasons, or after too many tries derived from the pitch.
    fn sheet(&mut self, seat: Seat, call: CallId, reply: &Reply, spoken: std::ops::Range<usize>) {
        let text = &reply.text[spoken];
        let Some(range) = artefacts::block(text, "CHARACTER") else { return };
        let rules = &self.state.setup().rules;
        let sheet = artefacts::sheet(rules, &text[range]);
        let mut reasons = rules.faults(&sheet);
        let taken = |(other, character): (&Seat, &twicetold_world::Character)| {
            *other != seat && character.sheet.name.eq_ignore_ascii_case(&sheet.name)
        };
        if self.state.characters().iter().any(taken) {
            reasons.push(Check::new("name_taken").with("name", &sheet.name));
        }
        if reasons.is_empty() {
            self.emit(CharacterAccepted { seat, sheet, origin: Provenance::Reply(call) });
            return;
        }
        let attempt = self.state.session_zero().refused.get(&seat).copied().unwrap_or(0) + 1;
        self.emit(CharacterRejected { seat, attempt, reasons });
        if attempt >= self.state.setup().limits.sheet_attempts_max
            && !self.state.characters().contains_key(&seat)
        {
            self.derive_character(seat);
        }
    }

    /// A legal character for a player who brought none: of the class that was pitched, with the pitch as its background; for a
    /// mute player one that the seed draws.
    fn derive_character(&mut self, seat: Seat) {
        let setup = self.state.setup();
        let taken = |ready: &&Pregenerated| {
            !self
                .state
                .characters()
                .values()
                .any(|character| character.sheet.name.eq_ignore_ascii_case(&ready.name))
        };
        let free: Vec<&Pregenerated> = setup.rules.pregenerated.iter().filter(taken).collect();
        let pitch = self
            .state
            .session_zero()
            .pitches
            .get(&seat)
            .map(|text| words(&self.replies, text).trim().to_owned());
        let folded = pitch.as_deref().unwrap_or("").to_lowercase();
        let pitched = |ready: &&&Pregenerated| {
            let class = setup.rules.class(&ready.class);
            class.is_some_and(|class| {
                folded.contains(&class.name.to_lowercase()) || folded.contains(&class.id)
            })
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
        self.emit(CharacterAccepted { seat, sheet, origin });
    }

    fn derive_scenario(&mut self) {
        if self.state.session_zero().scenario.is_none() {
            let draft = &self.state.setup().campaign.scenario;
            let public = Text::Written(draft.public.trim().to_owned());
            let dm = Text::Written(draft.dm.trim().to_owned());
            self.emit(ScenarioSet { public, dm, origin: Provenance::Charter });
        }
    }

    fn derive_document(&mut self) {
        if !self.state.document().sections.is_empty() {
            return;
        }
        let hooks: Vec<String> = self
            .state
            .characters()
            .values()
            .map(|character| format!("- {}: {}", character.sheet.name, character.sheet.background))
            .collect();
        let names: Vec<&str> =
            self.state.characters().values().map(|character| character.sheet.name.as_str()).collect();
        let values = Values::default().with("names", names.join(", "));
        let together = written(&self.state, "derived.together", &values);
        for (section, text) in [(Section::Relationships, together), (Section::Hooks, hooks.join("\n"))] {
            let text = Text::Written(text);
            self.emit(PartyDocumentUpdated {
                section,
                version: 1,
                text,
                reason: String::new(),
                origin: Provenance::Derived,
            });
        }
    }
}

/// A background made from a pitch is at most this long.
const BACKGROUND_BYTES_MAX: usize = 300;

/// Whole sentences from the front, at most `bytes` of them; a longer first sentence is cut.
pub(crate) fn first_sentences(text: &str, bytes: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.len() <= bytes {
        return flat;
    }
    let cut = &flat[..flat.floor_char_boundary(bytes)];
    match cut.rfind(['.', '!', '?']) {
        Some(end) => cut[..=end].to_owned(),
        None => format!("{}…", cut.rfind(' ').map_or(cut, |space| &cut[..space])),
    }
}
