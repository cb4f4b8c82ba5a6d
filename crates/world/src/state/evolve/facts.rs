//! What is known of the world.

use twicetold_event::family::Facts as Fact;

use super::{Keep, people};
use crate::state::{Met, Origin, State, fold};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Fact<'_>) -> Keep {
    let turn = state.turn.number;
    let facts = &mut state.facts;
    match event {
        Fact::LocationChanged(word) => facts.location = Some((origin, word.text.clone())),
        Fact::TimeOfDayChanged(word) => facts.time_of_day = Some((origin, word.text.clone())),
        Fact::SceneChanged(word) => facts.scene = Some((origin, word.text.clone())),
        Fact::ObjectiveSet(word) => facts.objective = Some((origin, word.text.clone())),
        Fact::ExperienceGained(word) => facts.experience = word.now,
        Fact::FlagSet(word) => {
            facts.flags.insert(word.flag.clone(), (origin, word.value.clone()));
        }
        Fact::FlagDeleted(word) => {
            facts.flags.remove(&word.flag);
        }
        Fact::NotableEventRecorded(word) => facts.notable.push(origin, &word.text),
        Fact::ImportantEventRecorded(word) => {
            facts.important.push(origin, &word.text);
            facts.major_event_turn = turn;
            people::witness(state, &word.witnesses);
        }
        Fact::MilestoneReached(word) => {
            facts.milestones.push(origin, &word.text);
            facts.major_event_turn = turn;
        }
        Fact::QuestAdded(word) => facts.quests.push((origin, word.text.clone(), false)),
        Fact::QuestCompleted(word) => {
            let wanted = fold(&word.text);
            for quest in facts.quests.iter_mut().filter(|quest| fold(&quest.1) == wanted) {
                quest.2 = true;
            }
        }
        Fact::NpcMet(word) => {
            facts
                .npcs
                .entry(word.npc.clone())
                .or_insert_with(|| Met { name: word.name.clone(), met: origin });
        }
    }
    Keep::Here
}
