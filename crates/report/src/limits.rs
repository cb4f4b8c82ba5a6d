//! How long things may get, each with its reason.

/// Events of a prompt that the chain behind an effect names: the last ones, which the model answered. All of them are in the journal.
pub const SOURCES_SHOWN_MAX: usize = 8;

/// Steps back towards the opening that a chain shows: one sees who led to whom; the rest is only more of it.
pub const TRIGGERS_SHOWN_MAX: usize = 5;

/// Characters of a line about another event: a hint of what it was, with a link to all of it.
pub const HINT_CHARACTERS_MAX: usize = 110;

/// Characters of a tool call's arguments, and of the words beside it, that a chain shows.
pub const ARGUMENTS_CHARACTERS_MAX: usize = 2_000;

/// Characters of a name in a picture, where a longer one would run into its neighbour.
pub const LABEL_CHARACTERS_MAX: usize = 18;

/// Characters of a variant's name on the page of a sweep: a column holds some lines of it.
pub const VARIANT_CHARACTERS_MAX: usize = 60;

/// Characters of what a campaign of a sweep is called on its page.
pub const LINE_CHARACTERS_MAX: usize = 120;

/// Campaigns that the page of a sweep lists with all their scores: about three megabytes, which browsers open at once.
pub const SWEEP_CAMPAIGNS_MAX: usize = 1_000;

/// Events behind a score that the page of a sweep names; a command lists all.
pub const SCORE_EVENTS_MAX: usize = 8;

/// Embeds of one message, by Discord's documentation, as are all limits below.
pub const EMBEDS_MAX: usize = 10;
/// Units of all texts in all embeds of one message.
pub const EMBEDS_UNITS_MAX: usize = 6_000;
/// Units of an embed's title.
pub const TITLE_UNITS_MAX: usize = 256;
/// Units of an embed's description.
pub const DESCRIPTION_UNITS_MAX: usize = 4_096;
/// Fields of an embed.
pub const FIELDS_MAX: usize = 25;
/// Units of a field's name.
pub const FIELD_NAME_UNITS_MAX: usize = 256;
/// Units of a field's value.
pub const FIELD_VALUE_UNITS_MAX: usize = 1_024;
/// Units of an embed's footer.
pub const FOOTER_UNITS_MAX: usize = 2_048;
/// Units of an embed's author.
pub const AUTHOR_UNITS_MAX: usize = 256;
