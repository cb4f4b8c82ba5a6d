//! What a character wants, after "wants to".

use super::Trait;

/// Six texts of each want: its words, two that show it, what somebody says who hears of it, what became of it where it went well, and where not.
macro_rules! wants {
    ($($is:literal, $one:literal, $other:literal, $heard:literal, $well:literal, $badly:literal;)*) => {
        &[$(Trait { is: $is, shows: [$one, $other], heard: $heard, after: [$well, $badly] }),*]
    };
}

pub(in super::super) const WANTS: &[Trait] = wants! {
    "buy back the ferry my mother lost at cards",
    "I test the weight of my purse first, since every penny in it is already a plank of my mother's ferry.",
    "Nothing gets shuffled by me, not even my feet, for it was shuffling that took the ferry from under my mother.",
    "A whole ferry, at cards. You'll want to buy it sober, and count the oars.",
    "{who} lays out coins in the shape of a ferry, a short one as yet, and leaves room at the stern for a mother.",
    "Somewhere a ferry is crossing under other colours, and {who} counts the purse again from the far end, in case.";
    "find whoever taught my brother to lie so well",
    "My face does this honestly, having had none of the lessons in lying that somebody once gave my brother.",
    "Whoever taught my brother to lie would have told him to breathe slowly now, and I am breathing like a pump.",
    "I had a brother too. His lying was all his own, and you could hear it coming.",
    "{who} practises one small untruth on a spoon, does it badly, and is pleased to have been nobody's pupil.",
    "Going over the brother's best lie once more, {who} still cannot see the join, and admires the stitching, whoever's it was.";
    "be trusted with a key, any key, for a whole year",
    "Where a key would hang there is a bare bit of cord, and I am careful of it.",
    "I set out as I would with somebody's key, by the straight way and without showing it about.",
    "A year is long for a key. Mine only hangs there, and I pat it all day.",
    "{who} knots a new cord, hangs it round the neck with nothing on it, and tries how it sits under a shirt.",
    "{who} turns out both pockets before sleeping and puts everything back, string, crumbs and button, none of it anything that locks.";
    "hear one honest apology from the abbot of Wickmere",
    "I leave a small pause in the middle, the length of an apology, in case the abbot of Wickmere should ever need it.",
    "Sorry is a short word, and I try it silently as I go, in the voice of the abbot of Wickmere.",
    "An abbot saying sorry. I would walk some way for that, and I don't for the singing.",
    "A letter to the abbot of Wickmere gets its first line tonight, and {who} has spelled sorry for him, to save time.",
    "{who} rehearses the apology aloud, taking both parts, and the abbot of Wickmere still will not come to the point.";
    "clear my old master's name before he is too old to enjoy it",
    "Everything I start is started the way my old master taught, so that it may be entered to his good name.",
    "I hurry a little, as I do with everything now, because my old master is at the age of naps and still disgraced.",
    "You had best not leave it long. A cleared name wants teeth, to be properly enjoyed.",
    "{who} writes the old master's name out fair, without the word that usually follows it, and lets the ink take its time.",
    "Another day has gone onto the old master's age and none off the charge, and {who} does that sum without a pencil.";
    "earn enough to stop sleeping in other people's boats",
    "My knees bend from habit, being used to other people's boats, where I do most of my sleeping.",
    "I reckon it up as I go, so many pence to a bed, so many beds till I am done with boats.",
    "You'll lie awake the first week in a bed. It's the keeping still.",
    "{who} puts a coin in the left boot, which is the boot for a bed, and leaves the boat money in the right.",
    "Wherever the nearest boat is, {who} knows already how the tarpaulin will be tied, and brings dry socks for the morning.";
    "learn who paid for my schooling, and why they stopped",
    "I can do this as far as my schooling goes, and then guess, since somebody stopped paying at about this point.",
    "Long division is where the money stopped, and my thoughts still slow down there, looking about for whoever paid.",
    "Paid, then stopped. I have been both those people, and it was only ever the price of corn.",
    "On the back of a bill {who} lists everybody who could once have spared the school fees, and crosses out two.",
    "{who} recites the last lesson that was paid for, gets to the end of it, and waits a while for the next.";
    "bring home the bell that my village sold in a bad winter",
    "Everything I do goes to the beat of a bell that is not there, as in all my village since that winter.",
    "My arms still know the rope of the bell we sold, and they do everything in long pulls.",
    "You can eat a bell for about one winter. Then you hear it, I suppose, somewhere else.",
    "{who} taps each cup with a fingernail until one comes within a tone of the village bell, and drinks from that one.",
    "At the hour when the village ought to be rung to bed, {who} says the strokes of the bell, all nine, under the breath.";
    "pay off a debt that is older than I am",
    "The debt was walking before I was, and I still set out on everything half a step behind it.",
    "Thrift comes over me at the start of anything, out of respect for a debt that was grown when I was born.",
    "Older than you, is it. Then you should call it sir, and pay it on Fridays.",
    "{who} sets aside a farthing for the old debt, which has had birthdays enough, and enters it in a good round hand.",
    "The debt puts on its evening's interest, as it did before there was a cradle, and {who} takes in the belt a notch.";
    "finish the map that my father left half drawn",
    "I treat it as lying beyond the middle fold, where my father's map turns to bare paper.",
    "My thumb takes the measure of it, for the half of the map that my father did not get to.",
    "My own father left a wall half built. I finished it, and you can see where.",
    "{who} puts one bend of road on the white half of the map, and takes some trouble to meet the father's line.",
    "{who} holds the pencil over the white half of the father's map for some time, then uses it to stir a cup.";
    "be thanked by somebody who means it",
    "Thanks have mostly been said to my back, in passing, so I do this facing forwards.",
    "My left ear is the one I keep clean, for the day somebody says thank you and means it.",
    "I say it forty times a day. You've made me wonder about thirty of them.",
    "{who} says thank you to a boot for having held, means it, and listens with interest to how that sounds.",
    "{who} sorts what was said today into the meant and the merely said, and could carry the first lot in a thimble.";
    "open a bakery and never be interesting again",
    "My hands go at this as if it were dough, and most of me would prefer the bakery.",
    "I note with regret that this is interesting, which will not be allowed in my bakery.",
    "Bread, and no stories. I have had the second part for years, and you'd like it.",
    "{who} explains yeast to nobody in particular, at length and with figures, and is at no point interesting.",
    "Instead of a loaf there is a story to tell, and {who}, who never asked for another, puts it with the rest.";
    "find the child I pulled out of the flood and see how they turned out",
    "I count up the child from the flood, as I do most days, and it must need longer sleeves by now.",
    "My grip is the one I had on a child's collar in the flood, and it has never quite let go.",
    "They turn out, mostly. I was pulled out of something myself, and you see how that went.",
    "{who} holds a flat hand in the air at about the height of a child, then raises it a little for the years.",
    "{who} wrings out both cuffs, which are dry, and does the child's age again, so many years from the flood.";
    "win back my good name from the man who wrote it down wrong",
    "I spell my name under my breath as I go, in case somebody is writing this down wrong as well.",
    "There is one letter amiss in my good name, and it makes me a little too correct in all I do.",
    "Ink is stubborn. I was once written down as two people, and you would not believe the tax.",
    "{who} enters the good name once, correctly, in the margin of something that will be kept, and blots it with a sleeve.",
    "{who} catches the pen spelling the name wrong, of its own accord, and puts the cork back in the ink.";
    "see the sea once, and then complain about it for ever",
    "I do it grumbling a little, to be in practice for the sea.",
    "Wet, loud and overpraised is what I have ready for the sea, and I rehearse it as I go.",
    "It is too big, I'll say that. You would do better to complain of a pond.",
    "{who} licks a little salt off one finger, thinks it overdone, and has made a start on complaining of the sea.",
    "{who} has a great deal to complain of tonight, and it is a waste, since none of it is the sea.";
    "learn to read the letter I have carried for nine years",
    "I know the letter in my coat by its feel, all but what it says, and I go by feel now too.",
    "Nine years of carrying one letter have taught my hand to be gentle with what it does not understand.",
    "Nine years. I'd have asked a priest, and then you would have had to believe him.",
    "{who} lays a finger under the smallest word in the letter, says it, and moves along to the one beside it.",
    "{who} smooths the letter, holds it the right way up, which is known by the stain, and folds it along nine years of creases.";
    "prove that the mill fire was nobody's fault",
    "I look first for how it could come about by itself, which is how I have gone over the mill fire.",
    "Straw dries, bearings heat and nobody is to blame, I tell myself as I start, and then I think of the mill.",
    "People like it to be somebody. When our rick went up I had chosen a cousin by supper.",
    "Under the word mill, {who} writes straw, bearing and draught, in that order, and leaves the space for a name quite clean.",
    "{who} pinches out a spark on one sleeve, lit by nobody, with not a soul from the mill there to see it.";
    "keep a promise that I made to a dying horse-thief",
    "My promise to the horse-thief goes in front of me like a led horse, and I try to keep up.",
    "I gave my word once to a horse-thief with no time left to doubt it, and it has made me careful.",
    "A thief can't hold you to it now. I suppose that's what's holding you.",
    "{who} says over the promise, word for word, as the horse-thief heard it, and none of it has worn away.",
    "{who} asks the horse-thief, in a low voice, for a little longer, and the horse-thief, as always, has no objection.";
    "put my grandmother's fiddle back in her hands",
    "My chin tucks itself to the left, as my grandmother's did before she had to do without her fiddle.",
    "Carefully is how one carries a fiddle, and I am careful now, with my grandmother's hands in mind at the other end.",
    "Old hands don't stop, I've noticed. You'll see them playing on the blanket.",
    "{who} hums the grandmother's reel, only as far as the hard bar, and leaves that for the fiddle.",
    "{who} warms a lump of fiddle rosin in one hand, as the grandmother did, and puts it away again in its rag.";
    "be somebody's first choice for once",
    "I begin as though two better people had been asked first, which in my case they generally have.",
    "At the picking of sides I stood until the last, and my feet still shuffle before I start.",
    "I married a third choice, and was one. You may come to like that end of the list.",
    "{who} picks the good spoon out of all the spoons, for once, and eats with it slowly, like one who was picked.",
    "{who} takes the last cup, the one with the chip, before it can be handed over, to save everybody the choosing.";
    "give back a thing I stole before its owner notices",
    "My fingers are spread and light, which is how I mean to put back what I stole.",
    "There is a stolen thing in my keeping, and I go about everything so as not to wake it.",
    "Putting back is the harder half. I've done it with a pie dish, and you sweat more.",
    "{who} polishes the stolen thing with a cuff, so that it will go back cleaner than it came, which may be noticed.",
    "By now the owner may have gone to the drawer, and {who} wraps the stolen thing in a second sock.";
    "stand up in a full room and not be laughed at",
    "I straighten up by degrees, so that no one part of me is there to be laughed at.",
    "Up is the hard part, my knees say, remembering a full room and the noise it made.",
    "The trick is not the standing. I sat down wrong once, and you can still hear it told.",
    "{who} stands up, says good night to all present in a full voice, and remains standing for a moment afterwards, on purpose.",
    "When nobody is looking, {who} gets up and says the whole speech in a whisper, and still sits down red about the ears.";
    "find an honest use for a dishonest pair of hands",
    "My hands would rather do this behind somebody's back, and I keep them in front of me, where I can see them.",
    "I ask my dishonest fingers to do it the long way, which they regard as showing off.",
    "Hands don't know what they're at. I would start you on knots.",
    "{who} threads a needle first time, by poor light, and looks at those ten fingers, which have a past, with some respect.",
    "{who} sits on both hands for a while, and when they come out again they have somebody's button.";
    "hear my own name spoken kindly in this town",
    "I say my name over in my head as I go, more kindly than the town does.",
    "My ears are braced for the town's way with my name, which has a stone in it.",
    "Say it to me again, slowly. I may have only heard it shouted.",
    "Somewhere in the town a name is called, not unkindly, and it is nearly the right one, and {who} nearly answers.",
    "Into a cupped hand {who} says the name once, kindly, the way the town does not, and closes the hand.";
    "get my sister released from a contract that she signed for me",
    "I waste no motion on it, since the contract has my sister's name at the foot and every hour is hers.",
    "My signing hand is as good as new, my sister having used hers on the contract, so I use it now.",
    "She signed, you say. My own sister would not have lent me the pen.",
    "{who} goes through the sister's contract from memory, slowly, and stops for some time at the word until.",
    "{who} counts the sister's days off on both hands, and then, since the contract is a long one, begins on the buttons.";
    "outlive a prophecy, if only by an afternoon",
    "My prophecy did not mention this, as far as I recall, and I go over the wording again as I start.",
    "Some of my breath is kept back, as always, for the afternoon that comes after the prophecy.",
    "An afternoon's not greedy. I would spend it fishing, and not tell you where.",
    "{who} counts knees, ribs and ears, in defiance of the prophecy, and begins to plan an afternoon with a cold pie in it.",
    "{who} says the prophecy over, comes to the last line, which has not moved, and pulls the blanket up to the chin.";
    "sleep one night without counting anything",
    "I am at seven before I notice that I am counting, and the rest of the numbers will be up all night.",
    "Each finger is told off as it starts, one to ten and back, which is also how I do not sleep.",
    "Sheep never helped me either. You end up wondering who owns them.",
    "{who} gets as far as four, forgets what was being counted, and does not go back to look.",
    "All the buttons have been counted, and the breaths, and {who} lies with both eyes open and starts on the teeth.";
    "own a door that locks from the inside",
    "My back feels for a door as I start, my own one, with the bolt on my side.",
    "Nothing has ever been bolted behind me, and I listen over one shoulder for the door I have not got.",
    "I have one. You bolt it, and then you sit there, and it is very good.",
    "{who} draws a door on a scrap of paper, the hinges, the panels, and last of all, on the near side, the bolt.",
    "{who} stands a boot where a door of one's own would be, and sleeps, if it is sleep, with the lace round a wrist.";
    "get an answer to the eleven letters I sent to Hollin Ferry",
    "Having written eleven letters to Hollin Ferry, I can be patient about this, for they are in no hurry either.",
    "A twelfth letter has begun in my head, describing this, and I keep it short for Hollin Ferry.",
    "Eleven. I'd have stopped at two, and you'd have thought the worse of me.",
    "{who} rules a sheet for the twelfth letter to Hollin Ferry, and this time there is no question in it, only the news.",
    "By every road from Hollin Ferry there comes no post, and {who} sharpens a pen that has been sharp since the ninth letter.";
    "see my daughter's school play, from a seat",
    "I start from the edge, which is where one stands at a daughter's school play when one comes late.",
    "My daughter's part has three lines, and I go through them as I begin, picturing a seat.",
    "Sit behind somebody short. I saw half a king, and you would not call it seeing.",
    "{who} sits down early, quite straight, hat on knees, and practises watching nothing for the length of a daughter's school play.",
    "On both feet still, {who} mouths the daughter's whole part in the school play, and claps with two fingers.";
    "win the plum-cake prize at Sallow fair, fairly",
    "My hands are as exact in this as with plums and flour, being in training for Sallow fair.",
    "No thumb of mine is on the scale, for a plum cake has to be judged at Sallow, and so do I.",
    "I have judged a cake. You look at the bottom, and then at the cook.",
    "There is half an egg less in the plum cake now, on paper, and {who} sits back from it as the judges do at Sallow.",
    "The cake that {who} bakes in thought tonight sinks in the middle, and at Sallow there is no prize for plums alone.";
    "find the fourth verse of a song that everybody else has forgotten",
    "I go through three verses in my head as I start, then the bare tune, where the fourth belongs.",
    "There are three verses to my breathing, and a gap where the fourth ought to be sung.",
    "I only knew the chorus. But I believe you about a fourth, for it always felt short.",
    "{who} tries a rhyme for the end of the fourth verse, and it is wrong, but wrong in the right key.",
    "Three verses, the tune alone, and then {who} stops with mouth ajar, just where everybody else forgot the fourth.";
    "pay for the window that I broke when I was ten",
    "Gently is how I have done everything since I was ten and there was a window.",
    "My throwing arm stays close to my side, where it has owed for a window since I was ten.",
    "I broke one too, at nine. You'll see they've gone up.",
    "{who} wraps the price of one pane in paper, writes window on it, and then, after thought, adds the putty.",
    "{who} hears glass go, far off or long ago, and lies with both arms down flat, aged ten.";
    "be rid of a house that I won at dice",
    "I take hold of this lightly, having once been too pleased with the dice and come away with a house.",
    "The house that I got at dice comes along with me, as a snail's does, and I allow for the weight.",
    "You could leave it unlocked. I've a cousin who left a goat that way, and it came home.",
    "{who}'s house has a bill of sale now, honest about the roof and the dice, with the price left open.",
    "It is as well to have a house, and {who} would change it tonight for a dry hat and no dice.";
    "hear a certain judge say that he was mistaken",
    "I set about it in good order, like evidence, in case a certain judge should wish to think again.",
    "Whatever I begin, I leave room to say afterwards that I was mistaken, which a certain judge has never tried.",
    "They sit up high so as not to hear it. You and I would have to shout.",
    "{who} says mistaken, in a judge's voice, with the chin well down, and it takes only a moment and hurts nobody.",
    "No letter comes tonight from a certain judge, and {who} pleads the whole case over for the defence, and is again convicted.";
    "teach a crow to say something polite",
    "I say please as I begin, to nobody, because a crow learns by hearing it often.",
    "Somewhere there is a crow that I taught to swear by accident, and I mind my mouth as I go.",
    "A crow said good morning to me once. You'd have to teach it to mean it.",
    "From overhead comes a sound that could be good evening or could be a crow, and {who} bows to be safe.",
    "{who} says good night, clearly and with pauses, to a crow if there is one, and what comes back is not polite.";
    "buy a headstone for a man who had no name",
    "I do this squarely, as one ought to set a stone, with the top left plain for want of a name.",
    "Letters are charged by the dozen, and I try to think, as I go, what a nameless man's headstone should say.",
    "You might put the year. I have walked past stones all my life and only read the years.",
    "{who} tries one word in chalk on a flat stone, short, and true of most men, and does not rub it out.",
    "Through all the common names {who} goes again, for the man who had none, and the headstone stays at the mason's.";
    "dance at a wedding without being asked to leave",
    "My feet begin it in three time, discreetly, as they would at a wedding where nobody had noticed me yet.",
    "I take the corners wide and keep my elbows in, having been shown out of weddings for less than dancing.",
    "They asked me to leave one too, and it was mine. You'll get over it.",
    "{who} does eight bars of a wedding dance with a folded coat, lays it down with thanks, and is not asked to leave.",
    "Somewhere tonight there is a wedding with a fiddle, and {who} holds both feet still under the blanket until it has gone by.";
    "learn what was in the parcel that I carried to Dunmere",
    "I shake it a little first, in my mind, as I wish that I had shaken the parcel for Dunmere.",
    "The size of that parcel is still in my arms, all the way to Dunmere, and I carry myself round it.",
    "You never looked. I should like to say I would not have either.",
    "The parcel that {who} ties out of socks tonight is of the old size, and whatever it was, it was not cheese.",
    "It might have been buttons, {who} thinks, or butter, or somebody's reason, and Dunmere keeps it, with the string.";
    "get my tools back from the pawnbroker in Cress Lane",
    "The proper tool for this is in Cress Lane with a ticket on it, so I use what I have.",
    "My hand goes to my belt for what the pawnbroker has, and is made to do without.",
    "I pawned a coat once, in spring, very pleased with myself. You know what comes after spring.",
    "{who} wraps a coin in the pawn ticket, so that the two can get used to each other before Cress Lane.",
    "{who} oils a rag, having the oil and the rag left, and folds it to the shape of what is in Cress Lane.";
    "make a chair that does not wobble",
    "I stand to it like a chair that I have hopes of, with my weight on every leg I have.",
    "Three legs would be easy, I always think, but I go about things as I do a chair, the hard way.",
    "I put a folded paper under mine. You'd think that in all these years I would have sat elsewhere.",
    "Four twigs and a crust make a very small chair, which {who} presses with one finger at each corner, twice.",
    "{who} saws the long leg, in thought, and then the other three, until the chair is a tray.";
    "be believed by my own mother",
    "I go about it in full view, as though my mother had asked where I was off to.",
    "My face has on it what my mother calls that look, though I am only doing what I am doing.",
    "Mine never did. I told her the barn was alight, and you know what she said.",
    "{who} tells the day over as if to a mother, leaving in the parts that sound made up, and does not blush.",
    "Even the true parts sound like stories tonight, and {who} cuts them down, one by one, to what a mother would believe.";
    "meet the other Barnstaple twin, who owes me an explanation",
    "Half of my attention is on this, the other half being kept for the other Barnstaple twin.",
    "One Barnstaple I have met, and the explanation was not in that one, so I look twice at everything.",
    "Be sure it's the other one. I had twin uncles, and you can thank the wrong one for years.",
    "{who} makes out four questions for the other Barnstaple twin, in order of politeness, and sleeps with the list in a shoe.",
    "Two cups are set out, one for {who} and one for an explanation, and no Barnstaple of either kind comes to drink.";
    "have a dog again",
    "My left hand hangs down at the height of a dog's head, and I go about it with the right.",
    "I still step over the place where a dog would be lying, even when I am busy.",
    "You'll want a plain one. Mine was clever, and it was always right.",
    "{who} saves a crust in one pocket for no dog as yet, and says two or three names aloud to hear which carries.",
    "{who} whistles once, low, the old dog's whistle, from habit, and then has nothing to scratch but a knee.";
    "walk into the Three Herrings and not owe for anything",
    "I begin it chin up, which is how I should like to go into the Three Herrings, owing for nothing.",
    "Whatever I do, I seem to do by the side door, as is usual with people who owe at the Three Herrings.",
    "There's a slate I walk round myself. You go first.",
    "{who} adds up what is owing at the Three Herrings, and for the first time writes the sum without squinting.",
    "The Three Herrings has everything tonight but forgiveness, and for {who} there is water, which has never been put on a slate.";
    "see one thing that I mended still in use",
    "All the things I ever mended are out there holding or not holding, and I bear down a little harder.",
    "I have my own way of finishing, a small extra stitch, so that I should know my mending if I saw it.",
    "Somebody mended my bucket once. I never wondered about them until you spoke.",
    "{who} studies a patch on somebody's sleeve from some way off, and cannot be certain, but the stitches lean the right way.",
    "{who} pulls the thread of a cuff mended only last week, and winds it round one finger until it is all there.";
    "shake the hand of whoever pulled me out at Cold Lock",
    "I keep my right hand dry and ready, for whoever had hold of it at Cold Lock.",
    "A good part of me has been on loan since Cold Lock, and I use it carefully, as one does.",
    "I was thanked for something like that once. You would not believe how long I hid.",
    "{who} washes the right hand longer than the left, for whoever it was at Cold Lock, and leaves it outside the blanket.",
    "{who} takes one hand in the other and pulls, as was done at Cold Lock, but it is not the same grip.";
    "grow a pear that is worth stealing",
    "I press it gently near the stalk first, so to speak, as anybody does who has hopes of a pear.",
    "None of my pears has ever been stolen, and it makes a person try harder at everything else.",
    "I used to be a judge of that. At eight, I would have told you over the wall.",
    "{who} folds a pear pip into damp paper, writes the year on it, and looks about for thieves.",
    "{who} eats a pear down to the stalk, and it is a pear that anybody could have had for the asking.";
    "sit through a whole supper with my brothers",
    "Elbows in and temper under them is how I begin, as at supper, when my brothers start.",
    "Soup is as far as I have ever got with my brothers, and I set about this with pudding in mind.",
    "It's the carving that does it. Try them on a supper that you can't cut.",
    "{who} lays supper in thought for every brother, moves the mustard out of reach, and gets as far as the cheese.",
    "{who} eats standing up, facing the way out, which is how the brothers' suppers have always ended.";
    "be on the winning side before I am fifty",
    "I note which side I am on, for the record, and how many years there are to fifty.",
    "History has generally gone over to the other side, but I turn up for it, not being fifty yet.",
    "I was on it once. They didn't tell us until spring, and you still had to walk home.",
    "{who} keeps very still, in case this is what the winning side feels like, and it is a little like being early.",
    "{who} does the subtraction from fifty, and the answer is one evening smaller, on this side as on the other.";
    "find the man who sold me the map, and have a word",
    "By the map that I was sold, none of this is here, and I proceed with a certain warmth.",
    "One word is kept aside from all those I use, and it is for the man who sold me the map.",
    "I bought a horse off one of those. You think of the word, and then of a better.",
    "{who} inks one true path onto the map, and beside it, for the man who sold it, one word, neatly.",
    "{who} turns the map round, and round again, and it is no truer, and the word for the man is getting longer.";
    "keep one secret until it is no use to anybody",
    "A secret is going slowly stale behind my teeth, and I do most things with my mouth shut.",
    "I lean a little to the side where I keep my one secret, which weighs less every year.",
    "I kept one till I forgot what it was. You can have that for nothing.",
    "{who} brings the secret out in private, tries its edge with a thumb, and thinks it a good deal blunter.",
    "Tonight the secret would still fetch something, and {who} lies down on that side of it, as on a stone.";
};
