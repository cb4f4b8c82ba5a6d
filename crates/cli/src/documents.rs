//! The documents of a campaign as text.

use twicetold_projection::people;
use twicetold_session::{Appearance, GoalStep};

use crate::terminal::{BOLD, DIM, GOOD, TROUBLE, counted, paragraphs, safe};

fn heading(text: &str) -> String {
    format!("{BOLD}{}{BOLD:#}\n", safe(text))
}

fn nothing(text: &str) -> String {
    format!("{DIM}{text}{DIM:#}\n")
}

/// The party document, as text.
pub fn party(page: &people::PartyPage) -> String {
    let mut out = String::new();
    for (title, text) in
        [("Scenario", &page.scenario), ("Scenario, for the DM alone", &page.scenario_for_the_dm)]
    {
        if !text.is_empty() {
            out += &format!("{}{}\n\n", heading(title), paragraphs(text, "  "));
        }
    }
    for section in &page.sections {
        let title =
            format!("{} (version {}, #{})", capital(section.section), section.version, section.written);
        out += &heading(&title);
        for (place, entry) in section.entries.iter().enumerate() {
            out += &format!("{}\n\n", paragraphs(&format!("{}{}", dated(place, entry), entry.text), "  "));
        }
    }
    if out.is_empty() { nothing("The party document is empty: Session Zero has not finished.") } else { out }
}

/// When an entry was written; the first one is mostly from Session Zero.
fn dated(place: usize, entry: &people::EntryLine) -> String {
    if place == 0 { String::new() } else { format!("Turn {} (#{}): ", entry.turn, entry.written) }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// Numbers in a row; of many the first ones and the last.
fn shortened(numbers: &[u64]) -> String {
    const FIRST: usize = 8;
    let named =
        |numbers: &[u64]| numbers.iter().map(|number| format!("#{number}")).collect::<Vec<_>>().join(", ");
    match numbers {
        [first @ .., last] if first.len() > FIRST => format!("{} … #{last}", named(&first[..FIRST])),
        _ => named(numbers),
    }
}

/// The lives of goals, as text.
pub fn goal_history(steps: &[GoalStep]) -> String {
    let line = |step: &GoalStep| {
        let what = match &step.step {
            Appearance::Specified => "one of the encounter's own".to_owned(),
            Appearance::Registered { proposed, reason } if *proposed == step.goal => {
                format!("registered: {reason}")
            }
            Appearance::Registered { proposed, reason } => {
                format!("proposed as {proposed}, registered: {reason}")
            }
            Appearance::Rejected { rule, observed } => {
                format!("proposed, and rejected by {rule}: {observed}")
            }
            Appearance::Shown { requests: 0, .. } => "shown in no request".to_owned(),
            Appearance::Shown { numbers, .. } => {
                format!("shown in {}: {}", counted(numbers.len() as u64, "request"), shortened(numbers))
            }
            Appearance::Resolved { reply } => {
                format!("the encounter was resolved by it, in the reply #{reply}")
            }
            Appearance::Abandoned { ended } => format!("the encounter ended with another goal: {ended}"),
        };
        let number = format!("#{}", step.number);
        format!("{number:>7}  {BOLD}{}{BOLD:#}\n{}\n", safe(&step.goal), paragraphs(&what, "         "))
    };
    match steps.is_empty() {
        true => nothing("No encounter has begun yet."),
        false => steps.iter().map(line).collect(),
    }
}

/// How a goal is marked in a list.
pub fn mark(goal: &people::GoalLine) -> String {
    match (goal.reached, goal.failure) {
        (true, true) => format!("{TROUBLE}✘{TROUBLE:#}"),
        (true, false) => format!("{GOOD}✔{GOOD:#}"),
        (false, _) => "·".to_owned(),
    }
}

/// The goals of every encounter, as text.
pub fn goals(pages: &[people::Goals]) -> String {
    let mut out = String::new();
    for page in pages {
        out += &heading(&format!("{} ({})", page.title, counted(u64::from(page.messages), "message")));
        for goal in &page.goals {
            let (mark, kind) = (mark(goal), goal.kind());
            let registered =
                goal.registered.map_or_else(String::new, |number| format!(", registered at #{number}"));
            out += &format!(
                "  {mark} {} ({kind}{registered})\n{}\n",
                safe(&goal.id),
                paragraphs(&goal.label, "      ")
            );
        }
        if let Some(ended) = &page.ended {
            out += &format!("{}\n", paragraphs(ended, "  "));
        }
        out.push('\n');
    }
    if out.is_empty() { nothing("No encounter has begun yet.") } else { out }
}

/// The DM's characters, as text.
pub fn npcs(npcs: &[people::NpcLine]) -> String {
    let mut out = String::new();
    for npc in npcs {
        let met = npc.met.map_or_else(|| "not met yet".into(), |number| format!("met at #{number}"));
        let role = if npc.role.is_empty() { String::new() } else { format!(", {}", npc.role) };
        let status = match npc.status.as_str() {
            "" | "active" => String::new(),
            status => format!(", {status}"),
        };
        out += &heading(&format!("{}{role} ({met}{status})", npc.name));
        for text in [Some(&npc.persona), npc.profile.as_ref()].into_iter().flatten() {
            if !text.is_empty() {
                out += &format!("{}\n", paragraphs(text, "  "));
            }
        }
        out += &relations(npc);
        for (number, text) in npc.dialogues.iter().chain(&npc.memories) {
            out += &format!("{}\n", paragraphs(&format!("#{number} {text}"), "    "));
        }
        out.push('\n');
    }
    if out.is_empty() { nothing("The party has met no NPC, and no encounter is in progress.") } else { out }
}

/// Trust, feelings, belongings and health, as far as there is something to say.
fn relations(npc: &people::NpcLine) -> String {
    if npc.status.is_empty() {
        return String::new();
    }
    let mut parts = vec![format!("trust {}", npc.trust)];
    parts.extend(npc.feelings.iter().map(|(name, strength)| format!("{name} {strength}")));
    parts.extend(npc.hit_points.map(|points| format!("HP {points}")));
    parts.extend(npc.conditions.iter().cloned());
    let items = npc
        .items
        .iter()
        .map(|(name, count)| if *count == 1 { name.clone() } else { format!("{name} ×{count}") });
    let items: Vec<String> = items.collect();
    if !items.is_empty() {
        parts.push(format!("carries {}", items.join("; ")));
    }
    format!("{DIM}{}{DIM:#}\n", paragraphs(&parts.join("; "), "  "))
}

/// The party's characters, as text.
pub fn characters(pages: &[people::CharacterPage]) -> String {
    let mut out = String::new();
    for page in pages {
        out += &heading(&format!("{}, {} ({})", page.name, page.class, page.seat));
        let (now, most) = page.hit_points;
        out += &format!("  {}\n", page.abilities.join("  "));
        out += &format!("  HP {now}/{most}   AC {}   gold {}\n", page.armor_class, page.gold);
        let carried: Vec<String> = page
            .inventory
            .iter()
            .map(|(name, count)| if *count == 1 { name.clone() } else { format!("{name} ×{count}") })
            .collect();
        out += &format!("{}\n", paragraphs(&format!("Carries {}.", carried.join("; ")), "  "));
        if !page.conditions.is_empty() {
            out += &format!("  Now {}.\n", safe(&page.conditions.join(", ")));
        }
        out += &format!("{}\n", paragraphs(&page.background, "  "));
        if !page.secret.is_empty() {
            out += &format!("{DIM}{}{DIM:#}\n", paragraphs(&format!("Secret: {}", page.secret), "  "));
        }
        out.push('\n');
    }
    if out.is_empty() { nothing("There are no characters yet.") } else { out }
}

/// What is remembered, as text.
pub fn memory(memory: &people::Memory) -> String {
    let mut out = String::new();
    for (name, fact) in [
        ("Place", &memory.location),
        ("Time", &memory.time_of_day),
        ("Scene", &memory.scene),
        ("Objective", &memory.objective),
    ] {
        if let Some((number, text)) = fact {
            out += &format!("{}{}\n", heading(&format!("{name} (#{number})")), paragraphs(text, "  "));
        }
    }
    if let Some((to, text)) = &memory.summary {
        out += &format!(
            "{}{}\n",
            heading(&format!("Summary of the first {to} messages")),
            paragraphs(text, "  ")
        );
    }
    for (name, facts) in [
        ("Turning points", &memory.milestones),
        ("Important events", &memory.important_events),
        ("Notable events", &memory.notable_events),
    ] {
        if !facts.is_empty() {
            out += &heading(name);
        }
        for (number, text) in facts {
            out += &format!("{}\n", paragraphs(&format!("#{number} {text}"), "  "));
        }
    }
    for (number, text, done) in &memory.quests {
        let done = if *done { "done" } else { "open" };
        out += &format!("{}\n", paragraphs(&format!("Quest #{number} ({done}): {text}"), ""));
    }
    for (number, note, value) in &memory.notes {
        out += &format!("{}\n", paragraphs(&format!("Note #{number} {note}: {value}"), ""));
    }
    if memory.experience > 0 {
        out += &format!("Experience: {}\n", memory.experience);
    }
    if out.is_empty() { nothing("Nothing is remembered yet.") } else { out }
}
