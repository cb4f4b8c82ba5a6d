//! A flaw, as a clause in the first person.

use super::Trait;

pub(in super::super) const FLAWS: &[Trait] = &[
    Trait::new(
        "I talk into every silence",
        [
            "I keep remarks about turnips by me as others keep candles, in case it should suddenly go quiet.",
            "Two breaths is the longest I ever left a pause alone, with my tongue counting them.",
        ],
    ),
    Trait::new(
        "I promise first and count afterwards",
        [
            "In my head I add up what I have sworn to do by Saturday, which is already full.",
            "My word is pledged in five villages, and only now am I reckoning how many of me that takes.",
        ],
    ),
    Trait::new(
        "I correct people's sums aloud",
        [
            "Seven and eight make fifteen, as I had to tell a priest in the middle of his sermon, and would again.",
            "Wrong totals go in at my ear and come straight out of my mouth corrected, with the carrying shown.",
        ],
    ),
    Trait::new(
        "I remember every slight, most fondly the small ones",
        [
            "A cooper once called my hat hopeful, and I have just taken the remark out again to polish it.",
            "The broken arm I let go long ago, but the half cup of tea I keep, for it still warms me.",
        ],
    ),
    Trait::new(
        "I give away what is not mine",
        [
            "Nothing in my pockets is strictly mine, so I am thinking who might like it.",
            "I glow to remember my present at the last wedding, which was my neighbour's good ladle.",
        ],
    ),
    Trait::new(
        "I trust anybody who feeds me",
        [
            "Anyone can change my opinion of them with soup, which is how I come to think well of several thieves.",
            "The kindest man I ever knew handed me a pie and sold my boots, and it is the pie I think about.",
        ],
    ),
    Trait::new(
        "I lie about small things to keep in practice",
        [
            "Asked what I had for breakfast I would say kippers, which is untrue, but a tongue goes stiff.",
            "I have just told myself that these boots were my uncle's, purely to hear whether it came out smoothly.",
        ],
    ),
    Trait::new(
        "I bet on anything that moves",
        [
            "A penny of mine rides on the left boot wearing through before the right, so I glance down at the runners.",
            "Two drops on a windowpane once cost me a coat, though I had studied the form of both.",
        ],
    ),
    Trait::new(
        "I apologise to furniture",
        [
            "Last week I begged a footstool's pardon, and I am not easy in my mind that I sounded sincere.",
            "Sorry is on my lips before I know what my elbow has touched, and over the years it has mostly been tables.",
        ],
    ),
    Trait::new(
        "I pick up things and find out later whose they were",
        [
            "My pocket holds a key I never bought, and my thumb goes round it wondering what its owner looks like.",
            "Things that fit the hand go into my hand, while the question of their owners follows by and by.",
        ],
    ),
    Trait::new(
        "I argue with signposts",
        [
            "I have a reply prepared for the last signpost I passed, which was very sure of itself for a plank.",
            "Painted arms at crossroads have told me three miles all my life, and under my breath I tell them four.",
        ],
    ),
    Trait::new(
        "I take every dare that is put politely",
        [
            "Please is the most dangerous word I know, and I can still taste the candle it made me eat.",
            "If anyone were to wonder, with respect, whether I could stand on my head, I should be upside down already.",
        ],
    ),
    Trait::new(
        "I tell the truth at the worst possible minute",
        [
            "Something true is coming up my throat like a hiccup, as it does whenever I ought to be quiet.",
            "I told a bride about the groom's debts between the vows and the ring, and I feel every bit as honest now.",
        ],
    ),
    Trait::new(
        "I fall asleep during speeches",
        [
            "My chin has gone down in so many orations that it sinks a little at the memory of a lectern.",
            "I have never heard a word that came after ladies and gentlemen, although I am told I snore.",
        ],
    ),
    Trait::new(
        "I hold a grudge like other people hold a cup",
        [
            "The quarrel with my cousin is nine years old and still warm, and in my mind both hands are round it.",
            "There is an old wrong about a wheelbarrow that I carry level, so as not to spill any.",
        ],
    ),
    Trait::new(
        "I open every locked box I meet",
        [
            "My thumbnail is worn crooked from other people's padlocks, and it itches for the next one.",
            "A shut lid with a keyhole in it has always looked to me like a letter with my name on.",
        ],
    ),
    Trait::new(
        "I finish other people's sentences, usually wrongly",
        [
            "A widow was halfway through the word goodbye when I kindly finished it for her as goat.",
            "The last word of whatever anyone says next is already in my mouth, and I fear it is herring.",
        ],
    ),
    Trait::new(
        "I run towards shouting",
        [
            "My knees are a little bent, as always, in case somebody somewhere should raise a voice.",
            "A good bellow draws me as dinner draws other people, so I keep one ear out for it.",
        ],
    ),
    Trait::new(
        "I believe I am good with children",
        [
            "Children adore the face I do with my cheeks, and I put the screaming down to high spirits.",
            "A baby was once sick on me in what I took for confidence, and I am flattered yet.",
        ],
    ),
    Trait::new(
        "I ask for help about an hour too late",
        [
            "No need to bother anybody so soon, I think, as I thought last time with the water at my chin.",
            "The word help is in me somewhere, but it puts its boots on slowly and comes about an hour behind.",
        ],
    ),
    Trait::new(
        "I haggle when the price is fair",
        [
            "To save a farthing on a fairly priced bun I once stood talking until it went stale.",
            "My head may call a figure just, but my mouth always has two thirds of it ready to say.",
        ],
    ),
    Trait::new(
        "I say yes to old women",
        [
            "A grandmother I had never met once handed me a goose to hold, and I held it until Thursday.",
            "Anything over seventy in a shawl has only to ask, for my chin begins nodding at the first wrinkle.",
        ],
    ),
    Trait::new(
        "I make plans with eleven parts",
        [
            "This is part four, or else part seven come early, while the other ten go round and round in my head.",
            "The plan has a step for the rope, a step for the wig, and two for explaining the wig.",
        ],
    ),
    Trait::new(
        "I laugh when I am frightened",
        [
            "A giggle is climbing my ribs, and anybody who knows me would ask what I was afraid of.",
            "I chuckled right through the great flood, white as flour on a gatepost, and was taken for a cheerful person.",
        ],
    ),
    Trait::new(
        "I read other people's letters, upside down",
        [
            "I read better with the writing wrong way up, having learned most of what I know across desks.",
            "My eyes can turn any page about to suit themselves, without once asking to whom it is addressed.",
        ],
    ),
    Trait::new(
        "I eat the last one on every plate",
        [
            "It would only have gone to waste, I rehearse, as I have over the last tart on a hundred plates.",
            "When one dumpling is left my fingers get there before my manners, and they are limbering already.",
        ],
    ),
    Trait::new(
        "I know a shorter way, every time",
        [
            "There is a cut I know through a bog, half a mile shorter, which took only two days last time.",
            "Roads have always seemed to me a little long, and in thought I am taking the corners off.",
        ],
    ),
    Trait::new(
        "I laugh at funerals and cry at fairs",
        [
            "At the last fair I wept into the gingerbread, while the thought of a good burial has me grinning.",
            "Coffins tickle me and maypoles undo me, so I keep a handkerchief handy to hide either.",
        ],
    ),
    Trait::new(
        "I give advice to people who are carrying things",
        [
            "Bend the knees is what I say to anyone with a trunk, generally from in front and on the stairs.",
            "I have views on grip, and have never met a person under a wardrobe who would stay for them all.",
        ],
    ),
    Trait::new(
        "I forget names and make up better ones",
        [
            "The last name I was told has slid out already, so I am fitting its owner with something grander.",
            "My godmother was christened something plain, I forget what, and has had a duchess's name from me ever since.",
        ],
    ),
    Trait::new(
        "I spend it before I have it",
        [
            "Next month's money went on a fiddle the month before last, so I am eyeing the month after.",
            "I am already wearing, in thought, a green coat to be paid for out of wages nobody has mentioned.",
        ],
    ),
    Trait::new(
        "I pick the wrong side and stay on it",
        [
            "I backed the old bridge against the river, and I still say the river was in the wrong.",
            "My feet choose the sorrier party in any quarrel before I have heard it, and then they set like plaster.",
        ],
    ),
    Trait::new(
        "I count the spoons in other people's houses",
        [
            "My aunt says she owns twelve teaspoons, when I have known since Easter that it is eleven.",
            "I am going through my last host's cutlery from memory, and I keep arriving one spoon over.",
        ],
    ),
    Trait::new(
        "I stop to pet things that bite",
        [
            "The teeth marks on both my thumbs come, I am sure, of having startled an otherwise friendly badger.",
            "Whatever growls has simply never been scratched behind the ear, I feel, and my fingers curl to think of it.",
        ],
    ),
    Trait::new(
        "I sing when I should listen",
        [
            "A tune is coming out of my nose, as one did all through the instructions for the lock gates.",
            "My ears close once I am on a chorus, and the song in my head has nineteen of them.",
        ],
    ),
    Trait::new(
        "I forgive too fast and remember too well",
        [
            "I had pardoned the thief before he was out of sight with my purse, and I could draw his boots today.",
            "All is forgiven, I tell myself, and then go through it once more with the dates.",
        ],
    ),
    Trait::new(
        "I start things",
        [
            "The business with the bees began with one word of mine, and I have another on my tongue.",
            "I own a third of a boat and one sleeve of a jersey, yet a fresh enthusiasm is stirring.",
        ],
    ),
    Trait::new(
        "I test wet paint with a finger",
        [
            "My right forefinger is still green from a gate, since anybody can write a notice saying wet.",
            "I believe no brush until I have touched what it left, so I rub my fingertip clean in readiness.",
        ],
    ),
    Trait::new(
        "I keep one boot on, in case",
        [
            "My left boot has not been off since the fire at the inn, and the foot inside is resigned.",
            "I sleep half shod, and even wide awake one leg of mine is readier to leave than the other.",
        ],
    ),
    Trait::new(
        "I ask the price of things that are not for sale",
        [
            "I once asked a bishop what he wanted for the font, and believe to this hour that he was tempted.",
            "Under whatever nobody is selling I see a little ticket, and I long to ask what the owner would take.",
        ],
    ),
    Trait::new(
        "I salute people who are not officers",
        [
            "My elbow rises by itself for brass buttons, having honoured a great many more doormen than captains.",
            "A chimney sweep once had me standing to attention, and my heels have been drawing together ever since.",
        ],
    ),
    Trait::new(
        "I swear that it was like that before",
        [
            "The crack was there when I came, I murmur, which is only what I say on arriving anywhere.",
            "I put on the face of somebody who has touched nothing, which I have been perfecting since the blue jug.",
        ],
    ),
    Trait::new(
        "I eat when I am nervous, and I am nervous",
        [
            "There was a crust in my left pocket and now there are crumbs, which is how I know I am uneasy.",
            "A rind of cheese is all that steadies me, and I have got as far as the wax.",
        ],
    ),
    Trait::new(
        "I put things right that were not wrong",
        [
            "My fingers have straightened a button that was straight, and are looking about for another.",
            "Having oiled a silent hinge until it squeaked, I feel the same helpfulness coming over me again.",
        ],
    ),
    Trait::new(
        "I owe money to everybody named Tom",
        [
            "I have tallied the Toms again, and what is due to them has not gone down by itself.",
            "Should any Tom inquire, my purse and I are abroad, and my collar is turned up to look it.",
        ],
    ),
    Trait::new(
        "I hold doors open until it is awkward",
        [
            "I held a chapel door for a family still two fields off, and my arm has the ache of it yet.",
            "No book of manners says when to let go of a door, so my polite smile has stiffened with the years.",
        ],
    ),
];
