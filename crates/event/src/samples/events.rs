//! Every variant that may stand inside an event.

use super::every;
use crate::*;

every!(texts: Text { Reply { call: CallId(300), start: 5, end: 1_200 }, Written("The rain stops.".into()), });
every!(channels: Channel {
    SessionZero, Main, Dialogue("old-mara".into()), Whisper(Seat::Player(1), Seat::Player(2)),
});
every!(audiences: Audience { All, Dm, Seats([Seat::Dm, Seat::Player(2), Seat::Memory].into()), });
every!(places: Place { Blob(BlobId(130), 1_000), Reply(CallId(300), 200), Inline("Turn 3".into()), });
every!(sources: Source { Charter, Event(Number(70_000)), State, });
every!(pieces: Item {
    Message(203),
    Span(span(Place::Inline("Turn 3".into()), Source::State)),
    ToolCall { call: CallId(300), index: 1, id: 12 },
    ToolResult { id: 12 },
    Tool(5),
    Opaque { call: CallId(300), index: 2 },
    ReplySchema,
    NoTools,
});
every!(edits: Edit { Keep { from: 4, count: 300 }, Add(Item::Tool(5)), });
every!(purposes: Purpose {
    SessionZero, Play, Summary { from: 12, to: 200 }, Dialogue, DialogueSummary { dialogue: 130 }, Profile { npc: 131 },
});
every!(endings: Ending { Finished, TurnLimit, CallLimit, TokenLimit, ModelUnavailable, PartyLost, });
every!(turn_ends: TurnEnd { Spoken, Tool, RoundLimit, Unusable, Abandoned, });
every!(speaker_rules: SpeakerRule {
    DmSpeaksLast, AskedByName, AddressedFirst, OnlyNameInBold, WaitedLongest, Overdue, DmOpensPhase,
    InDialogue, CompanionAnswers, DialogueOver, Initiative, BeginsDialogue, TellsFailure,
});
every!(phases: Phase { Pitch, Converge, Lock, Play, });
every!(closers: ClosedBy { Marker, RoundLimit, NothingMissing, });
every!(marker_faults: MarkerFault { NotTheDm, WrongPhase, Quoted, SecondInMessage, });
every!(origins: Provenance { Reply(CallId(300)), Charter, Derived, Pregenerated, Tool(CallId(300)), Carried, });
every!(sections: Section { Relationships, Hooks, Goals, Tensions, Events, Secrets, });
every!(cut_rules: CutRule { SpokeForAnother, TooLong, Unfinished, Repeats, Copied, CallText, EndMark, });
every!(nudges: Nudge { PartyDocumentStale, NpcNotRecorded, DialogueLeftOpen, PlayerWaits, FailureStruck, GoalReached, });
every!(dialogue_ends: DialogueEnd { Tool, ExchangeLimit, EncounterOver, NobodyAble, });
every!(memory_queries: MemoryQuery { ImportantEvents, SupportingNpcs, All, });
every!(campaign_queries: CampaignQuery { Npc, Act, Encounter, });
every!(archetypes: Archetype { Companion, Townsperson, Foe, LoveInterest, });
every!(npc_roles: NpcRole { Ally, Rival, Neutral, Informant, Merchant, QuestGiver, });
every!(npc_statuses: NpcStatus { Active, Dead, Departed, });
every!(holders: Holder { Character("Brannoc".into()), Npc("old-mara".into()), });
every!(combat_outcomes: CombatOutcome { Victory, Defeat, FoesFled, PartyFled, Truce, BrokenOff, });
every!(details: Detail { Summary, Stats, Full, });

/// One event for each of `values`.
pub(crate) fn each<T, E: Into<Event>>(values: Vec<T>, event: impl Fn(T) -> E) -> Vec<Event> {
    values.into_iter().map(|value| event(value).into()).collect()
}

pub(crate) fn span(place: Place, source: Source) -> Span {
    Span { place, length: 640, source }
}

pub(crate) fn written() -> Text {
    Text::Written("The bridge is watched.".into())
}

every!(foreign_parts: ForeignPart { Calls, Rolls, Usage, Audience, });
every!(foreign_roles: ForeignRole { Narrator, Player, Other, });
