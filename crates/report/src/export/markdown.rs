//! The story and the party document as Markdown: for a wiki, a repository or a printer.

use std::fmt::Write;

use twicetold_projection::people::{self, Line, LineKind};
use twicetold_world::Life;

use crate::LoadedJournal;
use crate::text::{clean, tagged};

/// The story, without what is hidden from the players, and the party document with all of it. What only concerns the table is left out: rejections, look-ups, reminders, pauses, dice without a check. Models' emphasis
/// and lists stay, their HTML and links become text.
pub fn markdown(journal: &LoadedJournal) -> String {
    let state = journal.state();
    let ending = match state.life() {
        Life::Ended { reason, .. } => format!("It is over: {}", people::why_over(reason)),
        Life::Paused { fault, reason, .. } => format!("It is paused: {}", people::why_paused(*fault, reason)),
        _ => "It is not over.".to_owned(),
    };
    let total = state.calls().total();
    let mut out = format!("# {}\n\n{}\n\n", line(&state.setup().campaign.title), line(&ending));
    let _ = writeln!(
        out,
        "{} turns, {} calls, {} tokens; seed {}; story {:.12}; campaign {}\n",
        state.turn().number,
        total.calls,
        total.input_tokens.saturating_add(total.output_tokens),
        state.setup().seed,
        journal.campaign.story(),
        journal.id
    );
    out += "## Story\n";
    let lines: Vec<Line> = super::unspoiled(journal).filter(is_told).collect();
    out += &story(lines.iter());
    out += &document(journal);
    clean(&out)
}

/// The lines of a transcript of another program, as far as it has any.
pub fn foreign_markdown(title: &str, lines: &[Line]) -> String {
    clean(&format!("# {}\n{}", line(title), story(lines.iter())))
}

/// Does this belong to the story?
fn is_told(line: &Line) -> bool {
    let tag = tagged(&line.text).0;
    match line.kind {
        LineKind::Note | LineKind::Trouble => false,
        LineKind::Effect => !["reminder", "dice"].contains(&tag),
        LineKind::Heading | LineKind::Speech | LineKind::Goal => true,
    }
}

/// The lines in the order in which a story is read: the attempt first, and then what the dice showed and what came of it. A record that says
/// no more than the dice before it is left out.
fn in_order<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<&'l Line> {
    let (mut told, mut held) = (Vec::new(), Vec::new());
    let mut last_check = String::new();
    for line in lines {
        let (tag, text) = tagged(&line.text);
        if tag == "check" {
            last_check = record_of(text).unwrap_or_default();
        }
        match line.kind {
            _ if tag != "check" && text.eq_ignore_ascii_case(&last_check) => {}
            // It was part of what was just said.
            LineKind::Effect if held.is_empty() && tag == "table" => told.push(line),
            LineKind::Effect => held.push(line),
            LineKind::Speech => {
                told.push(line);
                told.append(&mut held);
            }
            LineKind::Heading | LineKind::Goal | LineKind::Trouble | LineKind::Note => {
                told.append(&mut held);
                told.push(line);
            }
        }
    }
    told.append(&mut held);
    told
}

/// "Kira Ashford managed to climb the wall." of "Kira Ashford: climb the wall (DEX): 9+1 = 10 against 9: success".
fn record_of(check: &str) -> Option<String> {
    let (who, rest) = check.split_once(": ")?;
    let (name, rest) = rest.split_once(" (")?;
    let how = if rest.ends_with("success") { "managed" } else { "failed" };
    Some(format!("{who} {how} to {name}."))
}

fn story<'l>(lines: impl Iterator<Item = &'l Line>) -> String {
    let mut out = String::new();
    let mut listed = false;
    for shown in in_order(lines) {
        let item = !matches!(shown.kind, LineKind::Heading | LineKind::Speech);
        // A list begins and ends with an empty line, its items follow each other.
        if !(item && listed) {
            out.push('\n');
        }
        listed = item;
        let number = shown.number;
        match shown.kind {
            LineKind::Heading => {
                let _ = writeln!(out, "### {}", line(&shown.text));
            }
            LineKind::Speech => {
                let _ = writeln!(out, "**{}** (#{number})\n\n{}", line(&shown.speaker), quoted(&shown.text));
            }
            _ => {
                let (tag, text) = tagged(&shown.text);
                let tag = if tag.is_empty() { String::new() } else { format!("*{}* ", line(tag)) };
                let _ = writeln!(out, "- {tag}{} (#{number})", line(text));
            }
        }
    }
    out
}

fn document(journal: &LoadedJournal) -> String {
    let page = people::party(journal.state(), journal.campaign.replies());
    let mut out = String::from("\n## Party document\n");
    for (title, text) in
        [("Scenario", &page.scenario), ("Scenario, for the DM alone", &page.scenario_for_the_dm)]
    {
        if !text.trim().is_empty() {
            let _ = write!(out, "\n### {title}\n\n{}\n", quoted(text));
        }
    }
    for section in &page.sections {
        let (name, version, number) = (section.section, section.version, section.written);
        let _ = write!(out, "\n### {name} (version {version}, #{number})\n");
        for entry in &section.entries {
            let _ = write!(out, "\n{}\n", quoted(&entry.text));
        }
    }
    out
}

/// Text of several lines as a quotation, so that headings and rules in it are the quotation's. Every line stays a line.
fn quoted(text: &str) -> String {
    let lines = text.trim().lines().map(|line| match line.trim_end() {
        "" => ">".to_owned(),
        line => format!("> {}  ", without_markup(line)),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What would be HTML, a link or a picture is text.
fn without_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            // One before a bracket would take its escape away.
            '[' | ']' | '\\' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}

/// Text of one line in which nothing is markup.
fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(text.len());
    for letter in without_markup(&text).chars() {
        match letter {
            '*' | '_' | '`' | '~' | '|' => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attempt_is_told_before_the_dice_and_nothing_twice() {
        let line =
            |number, kind, text: &str| Line { number, kind, speaker: String::new(), text: text.to_owned() };
        let lines = [
            line(
                1,
                LineKind::Effect,
                "[check] Kira Ashford: climb the wall (DEX): 9+1 = 10 against 9: success",
            ),
            line(2, LineKind::Trouble, "attack rejected (unknown_character)"),
            line(3, LineKind::Speech, "I throw the hook."),
            line(4, LineKind::Effect, "[important] Kira Ashford managed to climb the Wall."),
            line(5, LineKind::Note, "reads guides/names"),
            line(6, LineKind::Effect, "[reminder] Call encounter_resolve."),
            line(7, LineKind::Effect, "[hp] Kira Ashford: -1, now 5"),
            line(8, LineKind::Speech, "You are over."),
            line(9, LineKind::Effect, "[item] Kira Ashford gains Rope"),
            line(10, LineKind::Heading, "Act two"),
            line(11, LineKind::Speech, "Here she is:"),
            line(12, LineKind::Effect, "[table] Player 1 plays Kira Ashford."),
            line(13, LineKind::Speech, "[dice] are no way to thank anybody."),
            line(14, LineKind::Effect, "[dice] Kira Ashford: 1d6 = 2 (2), for climb the wall"),
        ];
        let told = in_order(lines.iter().filter(|line| is_told(line)));
        let numbers: Vec<u64> = told.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [3, 1, 8, 7, 9, 10, 11, 12, 13]);
    }

    #[test]
    fn a_backslash_gives_no_markup_back() {
        assert_eq!(without_markup(r"!\[x\](http://a)"), r"!\\\[x\\\](http://a)");
        assert_eq!(line(r"\*x\*"), r"\\\*x\\\*");
    }
}
