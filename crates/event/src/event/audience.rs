//! Who may know what an event says: the one place where that is decided.

use crate::{Audience, Event, Seat, Section};

impl Event {
    /// Who may know the event's text. Parts that are more secret than the rest (a character's secret, the DM's part of the
    /// scenario) are shown by projections under the audience of that part, below.
    pub fn audience(&self) -> Audience {
        match self {
            Event::MessageSpoken(word) => word.audience.clone(),
            Event::PartyDocumentUpdated(word) => Event::section_audience(word.section),
            Event::CharacterRefused(word) => Audience::Seats(vec![Seat::Dm, word.seat]),
            Event::ReplyRejected(_)
            | Event::ToolRefused(_)
            | Event::ToolAccepted(_)
            | Event::SpeechCut(_) => Audience::All,
            Event::DialogueSummarised(word) => {
                let mut seats = vec![Seat::Dm];
                seats.extend(&word.seats);
                Audience::Seats(seats)
            }
            Event::MemoryQueried(word) => Event::own_audience(word.seat),
            Event::CampaignQueried(word) => Event::own_audience(word.seat),
            Event::EncounterBegan(_)
            | Event::FactLearned(_)
            | Event::SupportingNpcCreated(_)
            | Event::SupportingNpcUpdated(_)
            | Event::CharacterCreated(_)
            | Event::NpcProfiled(_)
            | Event::NpcProfileKept(_)
            | Event::NpcRemembered(_)
            | Event::NpcCarried(_)
            | Event::TrustChanged(_)
            | Event::FeelingChanged(_)
            | Event::FeelingExpired(_)
            | Event::GoalRegistered(_)
            | Event::MarkerRefused(_)
            | Event::NudgeGiven(_)
            | Event::FlagSet(_)
            | Event::FlagDeleted(_)
            | Event::ForeignCalled(_)
            | Event::ForeignAnswered(_)
            | Event::ForeignSpoke(_)
            | Event::Unknown(_) => Audience::Dm,
            Event::CampaignOpened(_)
            | Event::CampaignParked(_)
            | Event::CampaignResumed(_)
            | Event::CampaignEnded(_)
            | Event::CharterAmended(_)
            | Event::CampaignForked(_)
            | Event::CallWithdrawn(_)
            | Event::SeatTaken(_)
            | Event::SeatReleased(_)
            | Event::TurnBegan(_)
            | Event::TurnEnded(_)
            | Event::SpeakerChosen(_)
            | Event::StateDigested(_)
            | Event::ModelCallRequested(_)
            | Event::RetryScheduled(_)
            | Event::CallAbandoned(_)
            | Event::ReplyIgnored(_)
            | Event::SummaryWritten(_)
            | Event::PhaseBegan(_)
            | Event::PhaseClosed(_)
            | Event::MarkerIgnored(_)
            | Event::ScenarioSet(_)
            | Event::CharacterAccepted(_)
            | Event::DiceRolled(_)
            | Event::AbilityChecked(_)
            | Event::RulesLookedUp(_)
            | Event::RulesSearched(_)
            | Event::DetailRevealed(_)
            | Event::EncounterResolved(_)
            | Event::EncounterUnresolved(_)
            | Event::LocationChanged(_)
            | Event::TimeOfDayChanged(_)
            | Event::SceneChanged(_)
            | Event::ObjectiveSet(_)
            | Event::ItemAdded(_)
            | Event::ItemRemoved(_)
            | Event::HitPointsChanged(_)
            | Event::GoldChanged(_)
            | Event::ExperienceGained(_)
            | Event::ConditionAdded(_)
            | Event::ConditionRemoved(_)
            | Event::NotableEventRecorded(_)
            | Event::ImportantEventRecorded(_)
            | Event::MilestoneReached(_)
            | Event::QuestAdded(_)
            | Event::QuestCompleted(_)
            | Event::CombatBegan(_)
            | Event::CombatTurnBegan(_)
            | Event::AttackMade(_)
            | Event::FoeHitPointsChanged(_)
            | Event::SavingThrowMade(_)
            | Event::MoraleChecked(_)
            | Event::CombatEnded(_)
            | Event::SpellCast(_)
            | Event::PartyCarried(_)
            | Event::ForeignOpened(_)
            | Event::DialogueBegan(_)
            | Event::DialogueJoined(_)
            | Event::DialogueEnded(_)
            | Event::ItemExchanged(_)
            | Event::ItemUsed(_)
            | Event::NpcStatusChanged(_)
            | Event::NpcHitPointsChanged(_)
            | Event::NpcConditionAdded(_)
            | Event::NpcConditionRemoved(_)
            | Event::NpcMet(_) => Audience::All,
        }
    }

    /// What a seat asked and was told is its own; the keeper of memory asks nothing.
    fn own_audience(seat: Seat) -> Audience {
        Audience::Seats(vec![seat])
    }

    /// Who may know what is said in a dialogue: those who are part of it, and the keeper of memory, who sums it up for them.
    pub fn dialogue_audience(players: impl IntoIterator<Item = Seat>) -> Audience {
        let mut seats = vec![Seat::Dm];
        seats.extend(players);
        seats.push(Seat::Memory);
        Audience::Seats(seats)
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
            _ => Audience::Seats(vec![Seat::Dm, owner]),
        }
    }
}
