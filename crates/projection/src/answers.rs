//! What names stand for in texts about pages of the rules and about what was asked of the campaign's memory.

use twicetold_event::{Answer, Detail, Source};
use twicetold_world::Npc;
use twicetold_world::setup::{Numbered, Page, Texts};

use crate::template::{Facts, Line, render};

/// A page at this detail.
pub(crate) fn page(facts: Facts, page: &Page, detail: Detail) -> Facts {
    let shown = page.shown(detail);
    let facts = facts.say("title", &page.title).say("text", shown.text).say("more", shown.more);
    let (name, numbers) = match shown.numbers {
        None => return facts,
        Some(Numbered::Item(item)) => {
            let used = item.consumable.as_ref();
            let cures = used.iter().flat_map(|used| &used.cures);
            let cures = cures.map(|condition| facts.fresh().say("condition", condition)).collect();
            let numbers = facts
                .fresh()
                .say("cost", item.cost)
                .say_some("armor_class", item.armor_class)
                .say_some("armor_bonus", item.armor_bonus)
                .say_some("damage", item.damage.as_ref())
                .say_some("ability", item.ability.as_ref())
                .flag("used_up", used.is_some())
                .say_some("heal", used.and_then(|used| used.heal.as_ref()))
                .say_some("harm", used.and_then(|used| used.damage.as_ref()))
                .list("cures", cures);
            ("item", numbers)
        }
        Some(Numbered::Monster(monster)) => {
            let attack = |attack: &twicetold_world::setup::MonsterAttack| {
                let facts = facts.fresh().say("name", &attack.name);
                facts.say("bonus", format!("{:+}", attack.bonus)).say("damage", &attack.damage)
            };
            let save = |(ability, bonus): (&String, &i32)| {
                facts.fresh().say("ability", ability).say("bonus", format!("{bonus:+}"))
            };
            let numbers = facts
                .fresh()
                .say("armor_class", monster.armor_class)
                .say("hit_points", monster.hit_points)
                .say("initiative", format!("{:+}", monster.initiative))
                .say("morale", monster.morale)
                .list("attacks", monster.attacks.iter().map(attack).collect())
                .list("saves", monster.saves.iter().map(save).collect());
            ("monster", numbers)
        }
        Some(Numbered::Spell(spell)) => {
            let uses = spell.uses_per_encounter;
            let numbers = facts
                .fresh()
                .flag("once", uses == 1)
                .say("uses", uses)
                .say("classes", spell.classes.join(", "))
                .say_some("damage", spell.damage.as_ref())
                .say_some("heal", spell.heal.as_ref())
                .say_some("save", spell.save.as_ref())
                .say_some("difficulty", spell.difficulty);
            ("spell", numbers)
        }
    };
    facts.list(name, vec![numbers])
}

/// What was found, a line for each.
pub(crate) fn answer(texts: &Texts, facts: &Facts, source: Source, answer: &[Answer]) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in answer {
        if !lines.is_empty() {
            lines.push(Line::written("\n".to_owned(), source));
        }
        lines.extend(render(texts, &format!("answers.{}", line.text), &facts.fresh().observed(&line.values)));
    }
    lines
}

/// What somebody is to the story: a word of the texts, or as the campaign has it.
pub(crate) fn role(facts: Facts, npc: &Npc) -> Facts {
    match npc.kind_name() {
        Some(kind) => facts.term("role", "kinds", kind),
        None => facts.say("role", &npc.description),
    }
}
