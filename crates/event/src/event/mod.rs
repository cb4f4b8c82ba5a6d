//! What was decided: immutable, past tense, one small frozen struct per type.

mod audience;
mod campaign;
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

use crate::words::words;

words! {
    /// One decision. Type numbers from 100; a number is never reused and never the enum's index.
    pub enum Event {
        100 v 1 CampaignOpened,
        101 v 1 CampaignParked,
        102 v 1 CampaignResumed,
        103 v 1 CampaignEnded,
        104 v 1 CharterAmended,
        105 v 1 SeatTaken,
        106 v 1 SeatReleased,
        107 v 1 CampaignForked,
        108 v 1 CallWithdrawn,
        110 v 1 TurnBegan,
        111 v 1 TurnEnded,
        112 v 1 SpeakerChosen,
        113 v 1 StateDigested,
        120 v 1 ModelCallRequested,
        121 v 1 RetryScheduled,
        122 v 1 CallAbandoned,
        123 v 1 ReplyIgnored,
        124 v 1 ReplyRejected,
        130 v 1 MessageSpoken,
        131 v 1 SpeechCut,
        132 v 1 SummaryWritten,
        133 v 1 NudgeGiven,
        134 v 1 DialogueBegan,
        135 v 1 DialogueJoined,
        136 v 1 DialogueEnded,
        137 v 1 DialogueSummarised,
        138 v 1 FactLearned,
        140 v 1 PhaseBegan,
        141 v 1 PhaseClosed,
        142 v 1 MarkerIgnored,
        143 v 1 MarkerRefused,
        144 v 1 ScenarioSet,
        145 v 1 CharacterAccepted,
        146 v 1 CharacterRefused,
        147 v 1 PartyDocumentUpdated,
        150 v 1 ToolAccepted,
        151 v 1 ToolRefused,
        152 v 1 DiceRolled,
        153 v 1 AbilityChecked,
        154 v 1 RulesLookedUp,
        155 v 1 RulesSearched,
        156 v 1 MemoryQueried,
        157 v 1 CampaignQueried,
        160 v 1 EncounterBegan,
        161 v 1 DetailRevealed,
        162 v 1 GoalRegistered,
        163 v 1 EncounterResolved,
        164 v 1 EncounterUnresolved,
        170 v 1 LocationChanged,
        171 v 1 TimeOfDayChanged,
        172 v 1 SceneChanged,
        173 v 1 ObjectiveSet,
        174 v 1 ItemAdded,
        175 v 1 ItemRemoved,
        176 v 1 HitPointsChanged,
        177 v 1 GoldChanged,
        178 v 1 ExperienceGained,
        179 v 1 ConditionAdded,
        180 v 1 ConditionRemoved,
        181 v 1 FlagSet,
        182 v 1 FlagDeleted,
        183 v 1 NotableEventRecorded,
        184 v 1 ImportantEventRecorded,
        185 v 1 MilestoneReached,
        186 v 1 QuestAdded,
        187 v 1 QuestCompleted,
        188 v 1 NpcMet,
        189 v 1 ItemExchanged,
        190 v 1 ItemUsed,
        191 v 1 CharacterCreated,
        192 v 1 SupportingNpcCreated,
        193 v 1 SupportingNpcUpdated,
        194 v 1 NpcProfiled,
        195 v 1 NpcProfileKept,
        196 v 1 NpcStatusChanged,
        197 v 1 NpcHitPointsChanged,
        198 v 1 NpcConditionAdded,
        199 v 1 NpcConditionRemoved,
        200 v 1 TrustChanged,
        201 v 1 FeelingChanged,
        202 v 1 FeelingExpired,
        203 v 1 NpcRemembered,
        210 v 1 CombatBegan,
        211 v 1 CombatTurnBegan,
        212 v 1 AttackMade,
        213 v 1 FoeHitPointsChanged,
        214 v 1 SavingThrowMade,
        215 v 1 MoraleChecked,
        216 v 1 CombatEnded,
        217 v 1 SpellCast,
        220 v 1 PartyCarried,
        221 v 1 NpcCarried,
        230 v 1 ForeignOpened,
        231 v 1 ForeignSpoke,
        232 v 1 ForeignCalled,
        233 v 1 ForeignAnswered,
    }
}

impl Event {
    /// Is it part of the story? What only says how often a call was tried, or that somebody closed a laptop, is not.
    pub fn is_story(&self) -> bool {
        !matches!(
            self,
            Event::RetryScheduled(_)
                | Event::CampaignParked(_)
                | Event::CampaignResumed(_)
                | Event::CampaignForked(_)
                | Event::Unknown(_)
        )
    }
}
