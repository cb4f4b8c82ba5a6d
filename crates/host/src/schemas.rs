//! JSON Schemas of the files that authors write, for their editors: their texts, which file has which, and the line at the head of a
//! file that an editor finds its schema by.

use std::borrow::Cow;

use crate::bundle::BUNDLED;

/// A kind of file that people write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSchema {
    /// What its schema is asked for by: a file's name.
    pub name: &'static str,
    /// What the file holds, in a line.
    pub about: &'static str,
}

/// Every kind of file, in the order in which people meet them.
pub const FILES: [FileSchema; 20] = [
    of("campaign.toml", "campaigns/ID.toml: the premise and the list of encounters"),
    of("encounter.toml", "encounters/ID.toml: a situation, its people and goals"),
    of("vocabulary.toml", "vocabulary/FILE.toml: lists of words for random draws"),
    of("limits.toml", "every numeric limit of the game"),
    of("models.toml", "the models and their seats"),
    of("plan.toml", "the plan of a sweep"),
    of("pack.toml", "rules/PACK/pack.toml: abilities, dice, combat"),
    of("classes.toml", "rules/PACK/classes.toml: who may be played"),
    of("equipment.toml", "rules/PACK/equipment.toml: what can be owned"),
    of("monsters.toml", "rules/PACK/monsters.toml"),
    of("spells.toml", "rules/PACK/spells.toml"),
    of("topics.toml", "rules/PACK/topics.toml: pages about the rules"),
    of("pregenerated.toml", "rules/PACK/pregenerated.toml: ready characters"),
    of("results.toml", "prompts/results.toml: results of tools and public events"),
    of("rejections.toml", "prompts/rejections.toml: why something was rejected"),
    of("lines.toml", "prompts/lines.toml: lines of prompts and memories"),
    of("table-state.toml", "prompts/table-state.toml: the end of a prompt"),
    of("guided.toml", "prompts/guided.toml: questions to a guided model"),
    of("reading.toml", "prompts/reading.toml: words that are looked for in replies"),
    of("mapping.toml", "mappings/NAME.toml: how to read transcripts"),
];

/// What the bundled mappings share. Nobody else writes such a file, so that it is not listed.
const COMMON: FileSchema = of("common.toml", "mappings/common.toml");

const fn of(name: &'static str, about: &'static str) -> FileSchema {
    FileSchema { name, about }
}

impl FileSchema {
    /// The kind of a file, by its path below the configuration folder, with forward slashes.
    pub fn at(path: &str) -> Option<FileSchema> {
        let name = match path.split('/').collect::<Vec<_>>()[..] {
            ["campaigns", _] => "campaign.toml",
            ["encounters", _] => "encounter.toml",
            ["vocabulary", _] => "vocabulary.toml",
            ["mappings", "common.toml"] => return Some(COMMON),
            ["mappings", _] => "mapping.toml",
            ["rules", _, file] | ["prompts", file] | [file] => file,
            _ => return None,
        };
        FILES.into_iter().find(|one| one.name == name && path.ends_with(".toml"))
    }

    /// The path of its schema below a configuration folder.
    pub fn path(self) -> String {
        format!("schemas/{}.json", self.name.trim_end_matches(".toml"))
    }

    /// The schema.
    pub fn text(self) -> &'static str {
        BUNDLED.text(&self.path()).unwrap_or_default()
    }
}

/// A file of a configuration as it is written for an author: an editor that knows Taplo's line finds the schema beside it, without a
/// network.
pub fn headed<'t>(path: &str, content: &'t [u8]) -> Cow<'t, [u8]> {
    let Some(schema) = FileSchema::at(path) else { return Cow::Borrowed(content) };
    let up = match path.matches('/').count() {
        0 => "./".to_owned(),
        depth => "../".repeat(depth),
    };
    let line = format!("#:schema {up}{}\n", schema.path());
    Cow::Owned([line.as_bytes(), content].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_the_schema_of_its_kind_from_where_it_lies() {
        let head = |path: &str| {
            let headed = headed(path, b"id = 1\n").into_owned();
            String::from_utf8(headed).expect("text").replace("id = 1\n", "")
        };
        assert_eq!(head("limits.toml"), "#:schema ./schemas/limits.json\n");
        assert_eq!(head("encounters/a-b.toml"), "#:schema ../schemas/encounter.json\n");
        assert_eq!(head("rules/emberlight/pack.toml"), "#:schema ../../schemas/pack.json\n");
        assert_eq!(head("prompts/results.toml"), "#:schema ../schemas/results.json\n");
        assert_eq!(head("mappings/common.toml"), "#:schema ../schemas/common.json\n");
        assert_eq!(head("mappings/autogen.toml"), "#:schema ../schemas/mapping.json\n");
        for without in ["README.md", "prompts/dm-play.md", "schemas/pack.json", "rules/emberlight/notes.toml"]
        {
            assert_eq!(head(without), "", "{without}");
        }
    }
}
