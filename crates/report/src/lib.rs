//! A journal as pages and files for people: HTML, Markdown, JSON, messages for a chat; and a sweep as a page. To text, and nothing else.
//!
//! Whatever comes from models and files is text, never markup: templates escape it, Markdown keeps none of its HTML and none of its
//! links. A page needs nothing but itself: it holds its styles, its script and its pictures, and its policy forbids all else.

mod embeds;
mod endings;
mod export;
mod finding;
pub mod form;
pub mod limits;
mod loaded_journal;
mod markdown;
mod models;
mod page;
mod text;

pub use embeds::{Embed, Field, Hook, card as card_embed, messages, of_lines};
pub use endings::{Ending, endings};
pub use export::{
    ChatLine, ForeignChat, JsonLines, LogLine, chat, discord, foreign_chat, foreign_markdown, jsonl, markdown,
};
pub use finding::{Examination, Finding, Severity};
pub use loaded_journal::{LoadedJournal, Record, ReportError};
pub use markdown::html as markdown_html;
pub use models::{models, models_text};
pub use page::{
    Frame, Full, STYLE, Served, SweepCell, TURNS_SHOWN_MAX, WhyPage, foreign_html, heard_html, html, served,
    side, story_after, sweep_html, why_page,
};
pub use text::day;
