//! Thresholds of the detectors, each with its reason. They are no part of any charter: an audit decides nothing.

/// Findings of one detector in a report: whoever has read fifty of a kind has seen the kind.
pub const FINDINGS_MAX: usize = 50;
/// Places of findings that say the same: the first ones, to look at some of them.
pub const PLACES_MAX: usize = 12;
/// Bytes of quoted words in a finding: two or three sentences.
pub const QUOTE_BYTES_MAX: usize = 300;

/// Turns before a line in which the roll may lie that it speaks of. People look back at a roll for about a round.
pub const ROLL_TURNS_BEFORE: u32 = 4;
/// Turns after a line: a difficulty is announced before the dice fall.
pub const ROLL_TURNS_AFTER: u32 = 2;
/// Turns after a roll in which its outcome is told.
pub const OUTCOME_TURNS: u32 = 1;
/// Sentences of such a line that speak of the outcome; after them narrators go on to what is next.
pub const OUTCOME_SENTENCES: usize = 3;

/// Lines of the narrator after a check in which what was won or lost is handed out: the outcome, and the answer to what comes next.
pub const AFTERMATH_LINES: usize = 2;
/// Rolls that are written out in a text before a number that no roll has means anything: one may be somebody's way of speaking.
pub const TOLD_ROLLS_MIN: usize = 2;

/// Lines of a player in which what they announced may stand: the last one, the one before, and an answer between.
pub const ANNOUNCED_LINES: usize = 3;
/// Words of a quotation without a closing mark that are speech and no name of something.
pub const SPEECH_WORDS_MIN: usize = 3;

/// Words in a row that two texts share when one quotes the other. Four in a row are common turns of speech.
pub const SHARED_WORDS_MIN: usize = 5;
/// Rare words in such a row that its speaker had never met before. One may be a coincidence of two writers, two in a row are none.
pub const UNHEARD_WORDS_MIN: usize = 2;

/// Failures of the very same call. The second may be an attempt to be sure; the third learns nothing.
pub const SAME_FAILURES_MIN: usize = 3;
/// Words of an answer that only says that a call failed; a page that was found may speak of errors too.
pub const FAILURE_WORDS_MAX: usize = 40;
/// Failures of one tool in a row, with whatever arguments: as many as a patient reader of error messages needs, twice over.
pub const TOOL_FAILURES_MIN: usize = 6;

/// Prompts after a fact that could have shown it. A fact may be meant for the narrator, who is asked every second time or so.
pub const PROMPTS_WITHOUT_FACT_MIN: usize = 6;

/// Turns without a word of a promise, a quest or a clue: about an evening's play. Shorter gaps are suspense.
pub const DORMANT_TURNS_MIN: u32 = 40;
/// Turns after a promise in another program's transcript, which is an evening or less, without a word of it to the end.
pub const DORMANT_TURNS_MIN_FOREIGN: u32 = 10;
/// Telling words of a promise of which none may come again; fewer say too little to know it by.
pub const PROMISE_WORDS_MIN: usize = 2;

/// Messages of the narrator from a victory on in which its end may be told: the blow, an answer, and the end.
pub const ENDING_LINES: usize = 3;
/// Messages of the narrator after a victory from which on play is idle: one may still be an answer.
pub const IDLE_LINES: usize = 2;
/// Words of such a message: more tell something.
pub const IDLE_WORDS: usize = 45;
/// Sentences after the last blow that tell an end, in whatever words.
pub const ENDING_SENTENCES: usize = 3;
/// Lines of players in which an objective could have been taken up.
pub const OBJECTIVE_LINES_MIN: usize = 5;

/// Lines between two tellings of the same beat: nearer ones are one scene.
pub const BEAT_LINES_MIN: usize = 8;
/// Telling words that two beats share. Three in common are the same place and the same people.
pub const BEAT_WORDS_MIN: usize = 4;
/// Percent of the telling words of the shorter beat.
pub const BEAT_PERCENT_MIN: usize = 45;

/// Sentences of a passage that may tell a beat: who comes, whence, and with what news.
pub const PASSAGE_SENTENCES: usize = 4;
/// Lines that speak of something rare: both tellings, an answer to each, and two more.
pub const RARE_LINES: usize = 6;
/// Rare words that two passages share where both bring news or a discovery.
pub const NEWS_WORDS_MIN: usize = 4;
/// Rare words that two passages share when the later one tells the earlier one again; a return to a place shares three or four.
pub const PASSAGE_WORDS_MIN: usize = 5;
/// Percent of the rare words of the shorter passage.
pub const PASSAGE_PERCENT_MIN: usize = 35;

/// Times that one voice says one sentence. A motto comes twice.
pub const SAME_SENTENCE_MIN: usize = 3;
/// Turns within which these lie: whoever says it once an evening does not loop.
pub const SAME_SENTENCE_TURNS: u32 = 16;
/// Words of such a sentence: shorter ones are exclamations and answers.
pub const LOOP_WORDS_MIN: usize = 5;
/// Words of a clause that is said again word by word: "I'm technically qualified" is enough to know it by.
pub const CLAUSE_WORDS_MIN: usize = 3;
/// Telling words of such a clause: with one, it may be anybody's answer.
pub const CLAUSE_TELLING_MIN: usize = 2;
/// Percent of the words of two sentences that both have when they are nearly the same: one word in six may differ.
pub const LOOP_PERCENT_MIN: usize = 80;
/// Turns in a row without any effect. The longest talk apart that the rules allow has 20, and a party may plan after it.
pub const STALL_TURNS_MIN: u32 = 26;

/// Lines of players, for each of them, from which on shares mean something: below, one line more or less is a third of it.
pub const SPOTLIGHT_LINES_PER_PLAYER: usize = 4;
/// Lines of each of the others from which on somebody who spoke once and never again has been left out.
pub const ONCE_LINES_PER_PLAYER: usize = 3;
/// A share of lines below this many percent of a fair one. Fair is one in so many players; shy people speak half as often.
pub const SPOTLIGHT_PERCENT_MIN: usize = 34;
/// Lines of other players during which one says nothing, for each player at the table. A talk apart takes ten from the others.
pub const SILENCE_LINES_PER_PLAYER: usize = 8;
/// Lines before a silence in which its reason may be told.
pub const AWAY_LINES: usize = 6;

/// Expected faces of each kind for the chi-square test: below five the approximation is no good.
pub const EXPECTED_FACES_MIN: u64 = 5;
/// Dice that could show something: six equal ones say much, five of anything say nothing.
pub const DICE_MIN: usize = 6;
/// Dice of one kind that are looked at: so many show whatever there is to see, and more take long to count.
pub const DICE_MAX: usize = 400;
/// From these odds on, dice are called lucky: one campaign in twenty is.
pub const ODD_ODDS: u64 = 20;
/// One in so many fair campaigns may be accused, whatever the number of seats, kinds of dice and ways to look at them.
pub const UNFAIR_ODDS: u64 = 2_000;
/// One in so many fair dice exceeds the chi-square below.
pub const CHI_SQUARE_ODDS: u64 = 10_000;
/// Chi-square, in thousandths, that fair dice exceed once in [`CHI_SQUARE_ODDS`]: sides and critical value (sides − 1 degrees).
pub const CHI_SQUARE_THOUSANDTHS: [(u16, u64); 7] =
    [(4, 21_108), (6, 25_745), (8, 29_878), (10, 33_720), (12, 37_367), (20, 50_795), (100, 160_100)];

/// Percent of an allowance from which on a campaign is about to be cut off.
pub const ALLOWANCE_PERCENT: u64 = 90;
/// Model calls from which on prompts can be said to grow.
pub const GROWTH_CALLS_MIN: usize = 24;
/// How many times as long prompts of the last quarter are as those of the second. The first quarter is Session Zero's.
pub const GROWTH_TIMES: u64 = 4;

/// Bytes of a sentence from which on it is an author's own: "You fall." may be anybody's.
pub(crate) const WRITTEN_BYTES_MIN: usize = 20;
