//! Tool calls, dice, and what was looked up.

use twicetold_event::Seat;
use twicetold_event::family::Tools;

use super::{Keep, draw};
use crate::state::{Choice, Origin, State, Turn};

/// What a player tries something with.
const CHECK: &str = "ability_check";

/// Does the tool look up what stands in the rules?
fn is_lookup(tool: &str) -> bool {
    matches!(tool, "lookup_rules" | "search_rules")
}

pub(super) fn evolve(state: &mut State, origin: Origin, event: Tools<'_>) -> Keep {
    match event {
        Tools::ToolAccepted(word) => {
            if is_lookup(&word.tool) {
                state.turn.lookups = state.turn.lookups.saturating_add(1);
            }
            if word.tool == CHECK {
                state.turn.checks = state.turn.checks.saturating_add(1);
            }
            state.turn.tools.push((word.fingerprint, true));
            return Keep::Call(next_tool_id(state));
        }
        Tools::ToolRejected(word) => {
            // What is only asked for once more may come again as it is.
            let rule = word.rule.as_str();
            if Turn::WARNINGS.contains(&rule) || rule == "repeated_call" {
                state.turn.warned.insert(word.rule.clone());
                let about = word.values.get("goal").or_else(|| word.values.get("check"));
                state.turn.warned.extend(about.map(|about| Turn::warning(rule, about)));
            }
            // People may look at a page as often as they like.
            let is_model = |seat: &Seat| rule == "repeated_call" && !state.is_person(*seat);
            if let Some(seat) = state.turn.seat.filter(is_model) {
                if is_lookup(&word.tool) {
                    state.calls.repeats_lookups.insert(seat);
                }
                // The DM lets others try as well.
                if word.tool == CHECK && seat != Seat::Dm {
                    state.calls.repeats_checks.insert(seat);
                }
            }
            // Nor was one looked at for which a reply had no room.
            if !Turn::WARNINGS.contains(&rule) && rule != "tool_calls_per_reply_max" {
                state.turn.tools.push((word.fingerprint, false));
            }
            return Keep::Call(next_tool_id(state));
        }
        Tools::MoveChosen(word) => {
            state.turn.choice = Some(Choice {
                key: word.key.clone(),
                intent: word.intent.clone(),
                tool: word.tool.clone(),
                arguments: word.arguments.clone(),
                complete: word.complete,
            });
            return Keep::Nowhere;
        }
        Tools::DiceRolled(word) => draw(state, &word.stream, word.counter),
        Tools::AbilityChecked(word) => {
            draw(state, &word.stream, word.counter);
            if let Some(encounter) = state.encounter.as_mut() {
                let tally = if word.success { &mut encounter.passed } else { &mut encounter.failed };
                *tally = tally.saturating_add(1);
                if !word.check.is_empty() {
                    *encounter.tried.entry(word.check.clone()).or_default() |= word.success;
                }
                if word.success && !word.check.is_empty() {
                    encounter.achieved.insert(word.check.clone(), origin);
                    let goals = state.spec.iter().flat_map(|spec| &spec.goals);
                    let last: Vec<&String> = goals.filter_map(|goal| goal.needs.last()).collect();
                    let checks = state.spec.iter().flat_map(|spec| &spec.checks);
                    // A goal is not reached by what has made its last step impossible.
                    let overtaken = checks
                        .filter(|check| check.until.contains(&word.check) && !last.contains(&&check.name));
                    for check in overtaken {
                        encounter.achieved.entry(check.name.clone()).or_insert(origin);
                    }
                }
                encounter.recent_checks.push((origin, word.clone()));
            }
        }
        Tools::EvidenceCited(_)
        | Tools::RulesLookedUp(_)
        | Tools::RulesSearched(_)
        | Tools::MemoryQueried(_)
        | Tools::CampaignQueried(_)
        | Tools::ItemUsed(_) => {}
    }
    Keep::Here
}

/// The seat's own counter of tool calls, by which a model knows them.
fn next_tool_id(state: &mut State) -> u32 {
    let seat = state.turn.seat.unwrap_or(Seat::Dm);
    let id = state.table.tool_ids.entry(seat).or_default();
    *id = id.saturating_add(1);
    *id
}
