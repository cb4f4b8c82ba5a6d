//! The table of documents, their paths and what stands there. A new field of the state is named here, or named as left out.

use twicetold_event::{AbilityChecked, Check, DetailRevealed, Foe, Initiative, ScenarioSet, Sheet};
use twicetold_model::Digest;

use super::{Canon, Lines, canon};
use crate::state::{
    Calls, Character, Choice, Combat, CombatEnd, Conversations, Dialogue, Doc, Encounter, EncounterEnd,
    Facts, Feeling, FoeState, Goal, History, Inventory, Log, Memory, Met, Npc, Npcs, Origin, PartyDocument,
    PastDialogue, Pending, Profile, SectionEntry, SectionText, SessionZero, State, Struck, Summary, Table,
    Turn, Whisper, Window,
};

/// Says once which documents there are: their digests, and in tests their paths.
macro_rules! documents {
    ($pattern:pat => { $($name:literal: $document:ident,)* }) => {
        impl State {
            /// The documents that the digest is taken over, each with its own; none for one at its default.
            pub(in crate::state) fn documents(&self) -> impl Iterator<Item = (&'static str, Option<Digest>)> {
                let $pattern = self;
                [$(($name, $document.digest($name)),)*].into_iter()
            }
        }

        /// All paths of all documents, in the order of their lines.
        #[cfg(test)]
        pub(super) fn paths() -> Vec<String> {
            fn of<'a, T: Canon + 'a>(name: &str, all: &mut Vec<String>, _: impl FnOnce(&'a State) -> &'a Doc<T>) {
                T::paths(name, false, all);
            }
            let mut all = Vec::new();
            $(of($name, &mut all, |state| &state.$document);)*
            Npc::paths(PERSON, false, &mut all);
            all
        }
    };
}

documents! {
    State {
        table, turn, calls, session_zero, history, characters, document, encounter, encounters_over, facts,
        npcs, conversations, combat, combats_over, spells_used, dice,
        setup: _, at: _, life: _, spec: _
    } => {
        "table": table,
        "turn": turn,
        "calls": calls,
        "session_zero": session_zero,
        "history": history,
        "characters": characters,
        "party": document,
        "encounter": encounter,
        "encounters_over": encounters_over,
        "facts": facts,
        "people": npcs,
        "conversations": conversations,
        "combat": combat,
        "combats_over": combats_over,
        "spells": spells_used,
        "dice": dice,
    }
}

canon! {
    Table = Table { #[cfg(feature = "new-field")] new_field, phase, rounds, spoken, last_spoke, apart, people, nudged, tool_ids } => {
        "phase": phase,
        #[cfg(feature = "new-field")]
        "new_field": new_field,
        "rounds": rounds,
        "spoken": spoken,
        "last_spoke": last_spoke,
        "apart": apart,
        "people": people,
        "nudged": nudged,
        "tool_ids": tool_ids,
    }
    Turn = Turn { #[cfg(feature = "new-field")] new_field, number, seat, rounds, lookups, checks, unusable, messages, tools, warned, choice, before, began: _ } => {
        "number": number,
        #[cfg(feature = "new-field")]
        "new_field": new_field,
        "seat": seat,
        "rounds": rounds,
        "lookups": lookups,
        "checks": checks,
        "unusable": unusable,
        "messages": messages,
        "tools": tools,
        "warned": warned,
        "choice": choice,
        "before": before,
    }
    Choice = Choice { key, intent, tool, arguments, complete } => {
        "key": key,
        "intent": intent,
        "tool": tool,
        "arguments": arguments,
        "complete": complete,
    }
    (u64, bool) = (fingerprint, accepted) => {
        "fingerprint": fingerprint,
        "accepted": accepted,
    }
    // The pending call and the costs depend on interruptions.
    Calls = Calls { next, shown, repeats_lookups, repeats_checks, pending: _, abandoned: _, unusable_turns: _, spent: _ } => {
        "next": next,
        "shown": shown,
        "repeats_lookups": repeats_lookups,
        "repeats_checks": repeats_checks,
    }
    History = History { messages, running, main, summary, session_zero: _, main_bytes: _ } => {
        "messages": messages,
        "running": running,
        "window": main.len(),
        "summary": summary,
    }
    // Its words lie in the journal.
    Summary = Summary { to, text: _, fallback: _, origin: _ } => {
        "to": to,
    }
    SessionZero = SessionZero { scenario, refused, reasons, missing, pitches } => {
        "scenario": scenario,
        "refused": refused,
        "reasons": reasons,
        "missing": missing,
        "pitches": pitches,
    }
    Check = Check { rule, values } => {
        "rule": rule,
        "values": values,
    }
    ScenarioSet = ScenarioSet { public, dm, origin } => {
        "public": public,
        "dm": dm,
        "from": origin,
    }
    Character = Character { #[cfg(feature = "new-field")] new_field,
        sheet, hit_points, gold, inventory, conditions, down, lost,
        hit_points_changed: _, gold_changed: _, accepted: _, changed: _
    } => {
        "sheet": sheet,
        #[cfg(feature = "new-field")]
        "new_field": new_field,
        "hit_points": hit_points,
        "gold": gold,
        "inventory": inventory,
        "conditions": conditions,
        "down": down,
        "lost": lost,
    }
    Sheet = Sheet { name, class, abilities, hit_points, armor_class, equipment, background, secret } => {
        "name": name,
        "class": class,
        "abilities": abilities,
        "hit_points": hit_points,
        "armor_class": armor_class,
        "equipment": equipment,
        "background": background,
        "secret": secret,
    }
    (String, u32, Origin) = (name, quantity, _) => {
        "name": name,
        "quantity": quantity,
    }
    PartyDocument = PartyDocument { sections, turn } => {
        "sections": sections,
        "turn": turn,
    }
    SectionText = SectionText { version, entries } => {
        "version": version,
        "entries": entries,
    }
    SectionEntry = SectionEntry { text, turn, origin: _ } => {
        "text": text,
        "turn": turn,
    }
    Encounter = Encounter {
        index, id, draws, registered, messages, narrations, revealed, passed, failed, achieved,
        tried, unplanned, recent_checks, evidence, struck, began: _
    } => {
        "index": index,
        "id": id,
        "draws": draws,
        "registered": registered,
        "messages": messages,
        "narrations": narrations,
        "revealed": revealed,
        "passed": passed,
        "failed": failed,
        "achieved": achieved,
        "tried": tried,
        "unplanned": unplanned,
        "recent_checks": recent_checks,
        "evidence.length": evidence.len(),
        "struck": struck,
    }
    Struck = Struck { goal, label, reason, turn, origin: _ } => {
        "goal": goal,
        "label": label,
        "reason": reason,
        "turn": turn,
    }
    Goal = Goal { id, label, primary, failure, registered } => {
        "id": id,
        "label": label,
        "primary": primary,
        "failure": failure,
        "registered": registered,
    }
    DetailRevealed = DetailRevealed { reveal, text, character, score, threshold } => {
        "reveal": reveal,
        "text": text,
        "character": character,
        "score": score,
        "threshold": threshold,
    }
    AbilityChecked = AbilityChecked {
        character, check, ability, stream, counter, faces, modifier, total, difficulty, success, reason
    } => {
        "character": character,
        "check": check,
        "ability": ability,
        "stream": stream,
        "counter": counter,
        "faces": faces,
        "modifier": modifier,
        "total": total,
        "difficulty": difficulty,
        "success": success,
        "reason": reason,
    }
    EncounterEnd = EncounterEnd { id, outcome, summary, later, limit, messages, failed, passed, goals, ended: _ } => {
        "id": id,
        "outcome": outcome,
        "summary": summary,
        "later": later,
        "limit": limit,
        "messages": messages,
        "failed": failed,
        "passed": passed,
        "goals": goals,
    }
    (String, String) = (id, label) => {
        "id": id,
        "label": label,
    }
    Facts = Facts { #[cfg(feature = "new-field")] new_field,
        location, time_of_day, scene, objective, experience, flags, notable, important, milestones, quests,
        npcs, major_event_turn
    } => {
        "location": location,
        #[cfg(feature = "new-field")]
        "new_field": new_field,
        "time_of_day": time_of_day,
        "scene": scene,
        "objective": objective,
        "experience": experience,
        "flags": flags,
        "notable": notable,
        "important": important,
        "milestones": milestones,
        "quests": quests,
        "met": npcs,
        "major_event_turn": major_event_turn,
    }
    Log = Log { entries, running } => {
        "length": entries.len(),
        "running": running,
    }
    (Origin, String, bool) = (_, text, done) => {
        "text": text,
        "done": done,
    }
    Met = Met { name, met: _ } => {
        "name": name,
    }
    Npcs = Npcs { by_id, order } => {
        "order": order,
        "person": by_id,
    }
    Npc = Npc { #[cfg(feature = "new-field")] new_field,
        id, name, kind, description, role, archetype, persona, memory_key, monster, location, profile, status,
        trust, feelings, inventory, hit_points, conditions, dialogues, learned, memories, witnessed, history,
        encounter, entered: _, changed: _
    } => {
        "id": id,
        #[cfg(feature = "new-field")]
        "new_field": new_field,
        "name": name,
        "kind": kind,
        "description": description,
        "role": role,
        "archetype": archetype,
        "persona": persona,
        "memory_key": memory_key,
        "monster": monster,
        "location": location,
        "profile": profile,
        "status": status,
        "trust": trust,
        "feelings": feelings,
        "inventory": inventory,
        "hit_points": hit_points,
        "conditions": conditions,
        "dialogues": dialogues,
        "learned": learned,
        "memories": memories,
        "witnessed": witnessed,
        "history": history,
        "encounter": encounter,
    }
    Profile = Profile { appearance, personality, motivations, notes, origin: _ } => {
        "appearance": appearance,
        "personality": personality,
        "motivations": motivations,
        "notes": notes,
    }
    Feeling = Feeling { strength, until, origin: _ } => {
        "strength": strength,
        "until": until,
    }
    PastDialogue = PastDialogue { number, seats, text, origin: _ } => {
        "number": number,
        "seats": seats,
        "text": text,
    }
    Memory = Memory { encounter, values, carried, origin: _ } => {
        "encounter": encounter,
        "text": carried,
        "values": values,
    }
    Window = Window { messages, running, kept } => {
        "messages": messages,
        "running": running,
        "window": kept.len(),
    }
    Conversations = Conversations { #[cfg(feature = "new-field")] new_field, dialogue, begun, in_encounter, ended_turn, pending, whispers } => {
        "dialogue": dialogue,
        #[cfg(feature = "new-field")]
        "new_field": new_field,
        "begun": begun,
        "in_encounter": in_encounter,
        "ended_turn": ended_turn,
        "pending": pending,
        "whispers": whispers,
    }
    Dialogue = Dialogue { number, npc, partner, joined, present, exchanges, began: _ } => {
        "number": number,
        "npc": npc,
        "partner": partner,
        "joined": joined,
        "present": present,
        "exchanges": exchanges,
    }
    Whisper = Whisper { from, to, text, origin: _ } => {
        "from": from,
        "to": to,
        "text": text,
    }
    Combat = Combat { round, place, order, foes, acting, attacked, tried, began: _ } => {
        "round": round,
        "place": place,
        "order": order,
        "foes": foes,
        "acting": acting,
        "attacked": attacked,
        "tried": tried,
    }
    Initiative = Initiative { combatant, stream, counter, faces, total } => {
        "combatant": combatant,
        "stream": stream,
        "counter": counter,
        "faces": faces,
        "total": total,
    }
    FoeState = FoeState { foe, hit_points, fled, changed: _ } => {
        "foe": foe,
        "hit_points": hit_points,
        "fled": fled,
    }
    Foe = Foe { id, name, monster, npc, armor_class, hit_points, morale } => {
        "id": id,
        "name": name,
        "monster": monster,
        "npc": npc,
        "armor_class": armor_class,
        "hit_points": hit_points,
        "morale": morale,
    }
    CombatEnd = CombatEnd { outcome, rounds, ended: _ } => {
        "outcome": outcome,
        "rounds": rounds,
    }
}

impl Canon for Inventory {
    fn lines(&self, out: &mut Lines) {
        self.0.lines(out);
    }

    #[cfg(test)]
    fn paths(path: &str, is_element: bool, all: &mut Vec<String>) {
        <std::collections::BTreeMap<String, (String, u32, Origin)>>::paths(path, is_element, all);
    }
}

impl Canon for Pending {
    fn lines(&self, out: &mut Lines) {
        match self {
            Pending::DialogueSummary { dialogue, npc, seats } => {
                out.field("dialogue", dialogue);
                out.field("npc", npc);
                out.field("seats", seats);
            }
            Pending::Profile { npc } => out.field("profile", npc),
        }
    }

    #[cfg(test)]
    fn paths(path: &str, _: bool, all: &mut Vec<String>) {
        all.push(path.to_owned());
        u32::paths(&format!("{path}.dialogue"), false, all);
        String::paths(&format!("{path}.npc"), false, all);
        Vec::<twicetold_event::Seat>::paths(&format!("{path}.seats"), false, all);
        String::paths(&format!("{path}.profile"), false, all);
    }
}

/// The name of the document that a person is.
const PERSON: &str = "person";

/// A person is a document of its own: most of them stay as they are while one of them speaks.
impl Canon for Doc<Npc> {
    fn lines(&self, out: &mut Lines) {
        if let Some(digest) = self.digest(PERSON) {
            digest.element(out);
        }
    }

    fn element(&self, out: &mut Lines) {
        match self.digest(PERSON) {
            Some(digest) => digest.element(out),
            None => out.line("{}"),
        }
    }

    #[cfg(test)]
    fn paths(path: &str, _: bool, all: &mut Vec<String>) {
        all.push(path.to_owned());
    }
}
