//! What was decided: immutable, past tense, one small frozen struct per type.

mod audience;
mod campaign;
mod catalogue;
mod combat;
mod dialogue;
mod encounter;
mod facts;
mod foreign;
mod memory;
mod party;
mod people;
mod session_zero;
mod speech;
mod tools;

pub use campaign::*;
pub use combat::*;
pub use dialogue::*;
pub use encounter::*;
pub use facts::*;
pub use foreign::*;
pub use memory::*;
pub use party::*;
pub use people::*;
pub use session_zero::*;
pub use speech::*;
pub use tools::*;

use audience::{
    all, dm, of_the_section, owner_and_dm, stated, those_who_talked, who_asked_campaign, who_asked_memory,
};
use catalogue::catalogue;

// One line for each event, by families: type number, version, name; who may know it; whether it is part of the story; its texts, and
// `keeps call` when prompts show the reply's tool call beside it. A new event is a struct, a line here, an arm in its family's file of
// `world/src/state/evolve`, and words. Numbers start at 100, are never reused and are no index.
catalogue! {
    /// The campaign's life, who sits where, whose turn it is.
    Table {
        100 v 1 CampaignOpened: all, story, [];
        101 v 1 CampaignParked: all, aside, [];
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
    /// Model calls.
    Calls {
        108 v 1 CallWithdrawn: all, story, [];
        120 v 1 ModelCallRequested: all, story, [];
        121 v 1 RetryScheduled: all, aside, [];
        122 v 1 CallAbandoned: all, story, [];
        123 v 1 ReplyIgnored: all, story, [];
        124 v 1 ReplyRejected: all, story, [];
    }
    /// What is said to the table, and about it.
    Speech {
        130 v 1 MessageSpoken: stated, story, [text];
        131 v 1 SpeechCut: all, story, [];
        132 v 1 SummaryWritten: all, story, [text];
        133 v 1 NudgeGiven: dm, story, [];
    }
    /// A player and one of the DM's characters apart from the others.
    Dialogue {
        134 v 1 DialogueBegan: all, story, [];
        135 v 1 DialogueJoined: all, story, [];
        136 v 1 DialogueEnded: all, story, [];
        137 v 1 DialogueSummarised: those_who_talked, story, [text];
        138 v 1 FactLearned: dm, story, [text];
    }
    /// How a scenario, a party document and characters come about.
    SessionZero {
        140 v 1 PhaseBegan: all, story, [];
        141 v 1 PhaseClosed: all, story, [];
        142 v 1 MarkerIgnored: all, story, [];
        143 v 1 MarkerRejected: dm, story, [];
        144 v 1 ScenarioSet: all, story, [public, dm];
        145 v 1 CharacterAccepted: all, story, [];
        146 v 1 CharacterRejected: owner_and_dm, story, [];
        147 v 1 PartyDocumentUpdated: of_the_section, story, [text];
    }
    /// Tool calls, dice, and what was looked up.
    Tools {
        150 v 1 ToolAccepted: all, story, [] keeps call;
        151 v 1 ToolRejected: all, story, [] keeps call;
        152 v 1 DiceRolled: all, story, [];
        153 v 1 AbilityChecked: all, story, [];
        154 v 1 RulesLookedUp: all, story, [];
        155 v 1 RulesSearched: all, story, [];
        156 v 1 MemoryQueried: who_asked_memory, story, [];
        157 v 1 CampaignQueried: who_asked_campaign, story, [];
        190 v 1 ItemUsed: all, story, [];
    }
    /// Encounters and their goals.
    Encounter {
        160 v 1 EncounterBegan: dm, story, [];
        161 v 1 DetailRevealed: all, story, [];
        162 v 1 GoalRegistered: dm, story, [];
        163 v 1 EncounterResolved: all, story, [];
        164 v 1 EncounterUnresolved: all, story, [];
    }
    /// What is known of the world.
    Facts {
        170 v 1 LocationChanged: all, story, [];
        171 v 1 TimeOfDayChanged: all, story, [];
        172 v 1 SceneChanged: all, story, [];
        173 v 1 ObjectiveSet: all, story, [];
        178 v 1 ExperienceGained: all, story, [];
        181 v 1 FlagSet: dm, story, [];
        182 v 1 FlagDeleted: dm, story, [];
        183 v 1 NotableEventRecorded: all, story, [];
        184 v 1 ImportantEventRecorded: all, story, [];
        185 v 1 MilestoneReached: all, story, [];
        186 v 1 QuestAdded: all, story, [];
        187 v 1 QuestCompleted: all, story, [];
        188 v 1 NpcMet: all, story, [];
    }
    /// What happens to the party's characters.
    Characters {
        174 v 1 ItemAdded: all, story, [];
        175 v 1 ItemRemoved: all, story, [];
        176 v 1 HitPointsChanged: all, story, [];
        177 v 1 GoldChanged: all, story, [];
        179 v 1 ConditionAdded: all, story, [];
        180 v 1 ConditionRemoved: all, story, [];
        189 v 1 ItemExchanged: all, story, [];
    }
    /// The DM's characters.
    People {
        191 v 1 CharacterCreated: dm, story, [];
        192 v 1 SupportingNpcCreated: dm, story, [];
        193 v 1 SupportingNpcUpdated: dm, story, [];
        194 v 1 NpcProfiled: dm, story, [];
        195 v 1 NpcProfileKept: dm, story, [];
        196 v 1 NpcStatusChanged: all, story, [];
        197 v 1 NpcHitPointsChanged: all, story, [];
        198 v 1 NpcConditionAdded: all, story, [];
        199 v 1 NpcConditionRemoved: all, story, [];
        200 v 1 TrustChanged: dm, story, [];
        201 v 1 FeelingChanged: dm, story, [];
        202 v 1 FeelingExpired: dm, story, [];
        203 v 1 NpcRemembered: dm, story, [];
    }
    /// Combats.
    Combat {
        210 v 1 CombatBegan: all, story, [];
        211 v 1 CombatTurnBegan: all, story, [];
        212 v 1 AttackMade: all, story, [];
        213 v 1 FoeHitPointsChanged: all, story, [];
        214 v 1 SavingThrowMade: all, story, [];
        215 v 1 MoraleChecked: all, story, [];
        216 v 1 CombatEnded: all, story, [];
        217 v 1 SpellCast: all, story, [];
    }
    /// What a party brings along from another campaign.
    Party {
        220 v 1 PartyCarried: all, story, [];
        221 v 1 NpcCarried: dm, story, [];
    }
    /// Transcripts of other programs.
    Foreign {
        230 v 1 ForeignOpened: all, story, [];
        231 v 1 ForeignSpoke: dm, story, [];
        232 v 1 ForeignCalled: dm, story, [];
        233 v 1 ForeignAnswered: dm, story, [];
    }
}
