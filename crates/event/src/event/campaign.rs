//! The life of a campaign, its turns and its model calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_model::{Digest, FaultKind};

use crate::samples::events::{
    each, edits, endings, pieces, places, purposes, sources, span, speaker_rules, turn_ends,
};
use crate::samples::{faults, seats};
use crate::{
    BlobId, CallId, CampaignId, Charter, Check, Edit, Event, Item, Manifest, Millis, Number, Place, Seat,
    Source, Values,
};

family! {
    ($) table
    /// The campaign's life, who sits where, whose turn it is.
    Table {
        100 v 1 CampaignOpened: all, story, [];
        101 v 1 CampaignPaused: all, aside, [];
        102 v 1 CampaignResumed: all, aside, [];
        103 v 1 CampaignEnded: all, story, [];
        104 v 1 CharterAmended: all, story, [];
        105 v 1 SeatTaken: all, story, [];
        106 v 1 SeatReleased: all, story, [];
        107 v 1 CampaignForked: all, aside, [];
        110 v 1 TurnBegan: all, story, [];
        111 v 1 TurnEnded: all, story, [];
        112 v 1 SpeakerChosen: all, story, [];
        113 v 1 StateDigested: all, story, [];
    }
}

family! {
    ($) calls
    /// Model calls.
    Calls {
        108 v 1 CallWithdrawn: all, story, [];
        120 v 1 ModelCallRequested: all, story, [];
        121 v 1 RetryScheduled: all, aside, [];
        122 v 1 CallAbandoned: all, story, [];
        123 v 1 ReplyIgnored: all, story, [];
        124 v 1 ReplyRejected: all, story, [] keeps call;
        125 v 1 HistoryShortened: all, story, [];
    }
}

/// The campaign exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignOpened {
    /// Digest of the charter that the input brought.
    pub charter: Digest,
    /// The seats of the players.
    pub players: u8,
}

impl CampaignOpened {
    /// The digest of a charter: its seed, rules version, and the paths and contents of its files.
    pub fn digest_of(charter: &Charter) -> Digest {
        let mut digester = twicetold_model::Digester::new("twicetold charter 1");
        digester.number(charter.seed);
        digester.number(u64::from(charter.rules));
        digester.number(charter.files.len() as u64);
        for file in &charter.files {
            digester.text(&file.path);
            digester.raw(&file.digest.0);
        }
        digester.finish()
    }
}

/// The campaign stopped for now; nothing is pending until it is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignPaused {
    /// How a model call failed; `None` where somebody asked to stop.
    pub fault: Option<FaultKind>,
    /// What the server, or who asked, said.
    pub reason: String,
    /// When the server wants to be asked again, where it wants to be left alone for longer than the campaign waits.
    pub until: Option<Millis>,
}

/// The campaign goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignResumed {}

/// How a campaign ended. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Ending {
    /// All encounters are over.
    Finished,
    /// The limit of turns was reached.
    TurnLimit,
    /// The limit of model calls was reached.
    CallLimit,
    /// The limit of tokens was reached.
    TokenLimit,
    /// Model calls failed again and again.
    ModelUnavailable,
    /// Nobody of the party is left alive.
    PartyLost,
}

/// The campaign is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignEnded {
    /// How.
    pub ending: Ending,
    /// The limit that was reached, or what is over.
    pub reason: Check,
}

/// A file of the charter was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CharterAmended {
    /// Its path.
    pub path: String,
    /// Digest of its new content, which the input holds.
    pub digest: Digest,
}

/// A person sits down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatTaken {
    /// Where.
    pub seat: Seat,
    /// Who.
    pub person: String,
}

/// The seat is its model's again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatReleased {
    /// Which.
    pub seat: Seat,
}

/// A branch of another campaign began here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignForked {
    /// The campaign that it branches off.
    pub parent: CampaignId,
    /// The number after the last that both share.
    pub at: Number,
    /// Where dice and draws come from now; `None`: as before.
    pub seed: Option<u64>,
}

/// A call is no longer pending: it is asked anew under what was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallWithdrawn {
    /// The call.
    pub call: CallId,
}

/// A server found the prompt of a call too long: the call is no longer pending, and is asked anew with less of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryShortened {
    /// The call.
    pub call: CallId,
    /// Whose prompts are shorter from now on.
    pub seat: Seat,
    /// They show at most so many bytes of the history.
    pub bytes: u32,
}

/// Who speaks next. began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnBegan {
    /// Counted from 1 over the whole campaign.
    pub turn: u32,
    /// Whose.
    pub seat: Seat,
}

/// Why a turn ended. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TurnEnd {
    /// The reply asked for nothing more.
    Spoken,
    /// A tool that ends a reply was used.
    Tool,
    /// The tool rounds of the turn were used up.
    RoundLimit,
    /// The replies were unusable.
    Unusable,
    /// The call was given up.
    Abandoned,
}

/// A seat's turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnEnded {
    /// Which.
    pub turn: u32,
    /// Why.
    pub why: TurnEnd,
}

/// The rule that chose a speaker. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SpeakerRule {
    /// Every round ends with the DM.
    DmSpeaksLast,
    /// Asked a question by name at the end of the DM's message.
    AskedByName,
    /// Named at the start of the DM's message.
    AddressedFirst,
    /// The only name in bold.
    OnlyNameInBold,
    /// Has waited longest.
    WaitedLongest,
    /// Has waited so long that only who is asked by name may be preferred.
    Overdue,
    /// The DM opens every phase.
    DmOpensPhase,
    /// Speaks in a dialogue.
    InDialogue,
    /// The character of the DM's answers in a dialogue.
    CompanionAnswers,
    /// A dialogue is over, and the story goes on.
    DialogueOver,
    /// Its turn in a combat.
    Initiative,
    /// Begins a dialogue.
    BeginsDialogue,
    /// Tells a failure that has happened.
    TellsFailure,
}

impl SpeakerRule {
    /// As texts call it.
    pub fn name(self) -> &'static str {
        match self {
            SpeakerRule::DmSpeaksLast => "dm_speaks_last",
            SpeakerRule::AskedByName => "asked_by_name",
            SpeakerRule::AddressedFirst => "addressed_first",
            SpeakerRule::OnlyNameInBold => "only_name_in_bold",
            SpeakerRule::WaitedLongest => "waited_longest",
            SpeakerRule::Overdue => "overdue",
            SpeakerRule::DmOpensPhase => "dm_opens_phase",
            SpeakerRule::InDialogue => "in_dialogue",
            SpeakerRule::CompanionAnswers => "companion_answers",
            SpeakerRule::DialogueOver => "dialogue_over",
            SpeakerRule::Initiative => "initiative",
            SpeakerRule::BeginsDialogue => "begins_dialogue",
            SpeakerRule::TellsFailure => "tells_failure",
        }
    }
}

/// Who speaks next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpeakerChosen {
    /// Who.
    pub seat: Seat,
    /// By which rule.
    pub rule: SpeakerRule,
    /// What the rule saw, for example the `sentence`, or the `turns` waited.
    pub values: Values,
}

/// The state at the end of a turn: all that is not at its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateDigested {
    /// The digest.
    pub digest: Digest,
}

/// What a model call is for. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Purpose {
    /// A turn before play.
    SessionZero,
    /// A turn of play.
    Play,
    /// A summary of messages `from..to` of the main history.
    Summary {
        /// First message.
        from: u32,
        /// The message after the last.
        to: u32,
    },
    /// A turn of a dialogue.
    Dialogue,
    /// A summary of a dialogue that is over.
    DialogueSummary {
        /// Which.
        dialogue: u32,
    },
    /// A profile of a character who entered the story during play.
    Profile {
        /// The character's place among all of the DM's characters, counted from 0.
        npc: u32,
    },
}

impl Purpose {
    /// Is it one of the table's turns, and not the memory agent's work?
    pub fn is_turn(self) -> bool {
        matches!(self, Purpose::SessionZero | Purpose::Play | Purpose::Dialogue)
    }
}

/// A model call is pending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelCallRequested {
    /// Its number among the campaign's calls.
    pub call: CallId,
    /// Who is asked.
    pub seat: Seat,
    /// What for.
    pub purpose: Purpose,
    /// Digest of the request.
    pub digest: Digest,
    /// Estimated length of the request in tokens.
    pub tokens: u32,
    /// What the request is made of.
    pub manifest: Manifest,
}

/// The call failed and will be made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RetryScheduled {
    /// Which call.
    pub call: CallId,
    /// The attempt that is to come, counted from 1.
    pub attempt: u32,
    /// Not before this time.
    pub due: Millis,
    /// What went wrong.
    pub fault: FaultKind,
}

/// The call failed for the last time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallAbandoned {
    /// Which call.
    pub call: CallId,
    /// What went wrong last.
    pub fault: FaultKind,
}

/// A reply came that nobody waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplyIgnored {
    /// The call that it claims to answer.
    pub call: CallId,
    /// The call that is pending, if any.
    pub pending: Option<CallId>,
}

/// A reply could not be used and was charged as a tool round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplyRejected {
    /// Which.
    pub call: CallId,
    /// The rule, for example `empty_reply`.
    pub rule: String,
    /// What it observed.
    pub values: Values,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    [campaign(), turns(), calls()].concat()
}

fn campaign() -> Vec<Event> {
    let mut events = vec![
        CampaignOpened { charter: Digest([0x61; 32]), players: 200 }.into(),
        CampaignPaused { fault: Some(FaultKind::Timeout), reason: "no answer in 60 s".into(), until: None }
            .into(),
        CampaignPaused {
            fault: Some(FaultKind::RateLimited),
            reason: "try again tomorrow".into(),
            until: Some(Millis(1_700_000_000_250)),
        }
        .into(),
        CampaignResumed {}.into(),
        CharterAmended { path: "limits.toml".into(), digest: Digest([0x62; 32]) }.into(),
    ];
    events.extend(each(endings(), |ending| CampaignEnded {
        ending,
        reason: Check::new("turns_max").with("turns", 80).with("most", 80),
    }));
    events.extend(each(seats(), |seat| SeatTaken { seat, person: "Ada".into() }));
    events.extend(each(seats(), |seat| SeatReleased { seat }));
    events
}

fn turns() -> Vec<Event> {
    let mut events = each(seats(), |seat| TurnBegan { turn: 200, seat });
    events.extend(each(turn_ends(), |why| TurnEnded { turn: 200, why }));
    events.extend(each(speaker_rules(), |rule| SpeakerChosen {
        seat: Seat::Player(2),
        rule,
        values: Values::default().with("sentence", "Brannoc, what do you do?"),
    }));
    events.push(StateDigested { digest: Digest([0x63; 32]) }.into());
    events
}

fn calls() -> Vec<Event> {
    let requested = |purpose, manifest| ModelCallRequested {
        call: CallId(301),
        seat: Seat::Player(2),
        purpose,
        digest: Digest([0x64; 32]),
        tokens: 4_321,
        manifest,
    };
    let mut every_edit = edits();
    every_edit.extend(pieces().into_iter().map(Edit::Add));
    every_edit.extend(places().into_iter().map(|place| Edit::Add(Item::Span(span(place, Source::Charter)))));
    every_edit.extend(
        sources().into_iter().map(|source| Edit::Add(Item::Span(span(Place::Blob(BlobId(130), 7), source)))),
    );
    let difference = Manifest { base: Some(CallId(298)), edits: every_edit.into() };
    let whole = Manifest { base: None, edits: vec![Edit::Add(Item::Message(1))].into() };
    let mut events = vec![requested(Purpose::Play, difference).into()];
    events.extend(each(purposes(), |purpose| requested(purpose, whole.clone())));
    events.extend(each(faults(), |fault| RetryScheduled {
        call: CallId(301),
        attempt: 2,
        due: Millis(1_700_000_000_250),
        fault,
    }));
    events.extend([
        CallAbandoned { call: CallId(301), fault: FaultKind::OutOfScript }.into(),
        ReplyIgnored { call: CallId(301), pending: Some(CallId(302)) }.into(),
        ReplyIgnored { call: CallId(301), pending: None }.into(),
        ReplyRejected { call: CallId(301), rule: "empty_reply".into(), values: Values::default() }.into(),
    ]);
    events
}
