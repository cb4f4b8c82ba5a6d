//! Forms of English words: all that a plain one may take, and what its forms have in common.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Verbs and nouns whose forms no rule makes: the plain one first.
const IRREGULAR: &str = "\
be am is are was were been being,have has had having,do does did done doing,go goes went gone going,come comes came coming,\
give gives gave given giving,take takes took taken taking,get gets got gotten getting,make makes made making,\
find finds found finding,fall falls fell fallen falling,fly flies flew flown flying,run runs ran running,\
see sees saw seen seeing,say says said saying,tell tells told telling,know knows knew known knowing,\
think thinks thought thinking,hear hears heard hearing,feel feels felt feeling,hold holds held holding,\
keep keeps kept keeping,leave leaves left leaving,lose loses lost losing,win wins won winning,\
strike strikes struck stricken striking,bite bites bit bitten biting,break breaks broke broken breaking,\
throw throws threw thrown throwing,swing swings swung swinging,spring springs sprang sprung springing,\
slide slides slid sliding,slip slips slipped slipping,sink sinks sank sunk sinking,swear swears swore sworn swearing,\
speak speaks spoke spoken speaking,shake shakes shook shaken shaking,shoot shoots shot shooting,stand stands stood standing,\
steal steals stole stolen stealing,sell sells sold selling,send sends sent sending,bring brings brought bringing,\
buy buys bought buying,catch catches caught catching,fight fights fought fighting,teach teaches taught teaching,\
draw draws drew drawn drawing,drive drives drove driven driving,ride rides rode ridden riding,rise rises rose risen rising,\
begin begins began begun beginning,drink drinks drank drunk drinking,ring rings rang rung ringing,sing sings sang sung singing,\
swim swims swam swum swimming,write writes wrote written writing,cut cuts cutting,hit hits hitting,put puts putting,\
let lets letting,set sets setting,shut shuts shutting,split splits splitting,burst bursts bursting,cast casts casting,\
hurt hurts hurting,spread spreads spreading,read reads reading,lead leads led leading,flee flees fled fleeing,\
bleed bleeds bled bleeding,creep creeps crept creeping,weep weeps wept weeping,sleep sleeps slept sleeping,\
sweep sweeps swept sweeping,leap leaps leapt leaped leaping,deal deals dealt dealing,mean means meant meaning,\
meet meets met meeting,pay pays paid paying,lay lays laid laying,lie lies lay lain lying,die dies died dying,\
tie ties tied tying,dig digs dug digging,stick sticks stuck sticking,sting stings stung stinging,cling clings clung clinging,\
fling flings flung flinging,wind winds wound winding,bind binds bound binding,grind grinds ground grinding,\
shine shines shone shining,choose chooses chose chosen choosing,freeze freezes froze frozen freezing,\
wake wakes woke woken waking,wear wears wore worn wearing,tear tears tore torn tearing,bear bears bore borne bearing,\
understand understands understood understanding,forget forgets forgot forgotten forgetting,hide hides hid hidden hiding,\
sit sits sat sitting,spit spits spat spitting,spin spins spun spinning,grow grows grew grown growing,blow blows blew blown blowing,\
eat eats ate eaten eating,beat beats beaten beating,build builds built building,spend spends spent spending,\
lend lends lent lending,bend bends bent bending,owe owes owed owing,stride strides strode striding,thief thieves,wolf wolves,\
knife knives,man men,woman women,child children,foot feet,tooth teeth,goose geese,mouse mice,wife wives,life lives,half halves";

static FORMS: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let rows = IRREGULAR.split(',').map(|row| row.split_whitespace().collect::<Vec<_>>());
    rows.filter_map(|row| Some((*row.first()?, row.clone()))).collect()
});

static PLAIN: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let pairs = FORMS.iter().flat_map(|(plain, forms)| forms.iter().map(|form| (*form, *plain)));
    pairs.collect()
});

/// All forms of a plain verb or noun.
pub(crate) fn forms(plain: &str) -> Vec<String> {
    if let Some(forms) = FORMS.get(plain) {
        return forms.iter().map(|form| (*form).to_owned()).collect();
    }
    let mut made = vec![plain.to_owned()];
    let letters: Vec<char> = plain.chars().collect();
    let vowel = |back: usize| letters.len().checked_sub(back).is_some_and(|at| "aeiou".contains(letters[at]));
    if let Some(front) = plain.strip_suffix('y').filter(|_| !vowel(2)) {
        made.extend([format!("{front}ies"), format!("{front}ied"), format!("{plain}ing")]);
    } else if let Some(front) = plain.strip_suffix('e') {
        made.extend([format!("{plain}s"), format!("{plain}d"), format!("{front}ing")]);
    } else {
        let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| plain.ends_with(end));
        made.push(format!("{plain}{}", if hisses { "es" } else { "s" }));
        made.extend([format!("{plain}ed"), format!("{plain}ing")]);
        // One short vowel before one consonant: "nod", "nodded". "Whisper" keeps its one r: both are taken.
        if let Some(last) = letters.last().filter(|last| !"aeiouwxy".contains(**last))
            && vowel(2)
            && !vowel(3)
        {
            made.extend([format!("{plain}{last}ed"), format!("{plain}{last}ing")]);
        }
    }
    made
}

/// Is a word a plain verb, as in "watch her fall", and no form that has a subject before it?
pub(crate) fn is_base(word: &str) -> bool {
    match PLAIN.get(word) {
        Some(plain) => *plain == word || word.ends_with("ing"),
        None => !(word.ends_with("ed") || (word.ends_with('s') && !word.ends_with("ss"))),
    }
}

/// What the forms of a word have in common. It is no word, and is compared with nothing but others of its kind.
pub(crate) fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if let Some(plain) = PLAIN.get(word) {
        return (*plain).to_owned();
    }
    if let Some(front) =
        word.strip_suffix("ies").or_else(|| word.strip_suffix("ied")).filter(|front| front.len() > 1)
    {
        return format!("{front}y");
    }
    let long = |front: &str| front.chars().count() >= 3;
    let cut = ["ingly", "edly", "ings", "ing", "es", "ed", "ly", "s", "e"];
    let end = cut.iter().find(|end| word.strip_suffix(**end).is_some_and(long) && !word.ends_with("ss"));
    let end = end.filter(|end| **end != "ly" || long(&word[..word.len() - 3]) && !word.ends_with("ply"));
    let front = end.map_or(word, |end| &word[..word.len() - end.len()]);
    let mut front = front.trim_end_matches('e').to_owned();
    let mut back = front.chars().rev();
    if let (Some(last), Some(other)) = (back.next(), back.next())
        && last == other
        && !"lsz".contains(last)
        && front.chars().count() > 3
    {
        front.pop();
    }
    front
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_follow_the_rules_and_their_exceptions() {
        for (plain, form) in [
            ("nod", "nodded"),
            ("whisper", "whispered"),
            ("cry", "cries"),
            ("seize", "seizing"),
            ("push", "pushes"),
            ("fall", "fell"),
            ("buy", "bought"),
            ("reply", "replied"),
        ] {
            assert!(forms(plain).iter().any(|made| made == form), "{plain}: {form}");
            assert_eq!(stem(plain), stem(form), "{plain}: {form}");
        }
    }

    #[test]
    fn forms_of_a_word_share_a_stem_and_others_do_not() {
        assert_eq!(stem("bridges"), stem("bridge"));
        assert_eq!(stem("burned"), stem("burning"));
        assert_eq!(stem("stolen"), stem("steal"));
        assert_ne!(stem("goblin"), stem("gobble"));
    }
}
