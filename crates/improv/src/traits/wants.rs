//! What a character wants, after "wants to".

use super::Trait;

/// Six texts of each want: its words, two that show it, what somebody says who hears of it, and what comes of it when the story has ended
/// well and when it has not.
macro_rules! wants {
    ($($is:literal, $one:literal, $other:literal, $heard:literal, $won:literal, $lost:literal;)*) => {
        &[$(Trait { is: $is, shows: [$one, $other], heard: $heard, after: [$won, $lost] }),*]
    };
}

pub(in super::super) const WANTS: &[Trait] = wants! {
    "buy back the ferry my mother lost at cards",
    "I test the weight of my purse first, since every penny in it is already a plank of my mother's ferry.",
    "Nothing gets shuffled by me, not even my feet, for it was shuffling that took the ferry from under my mother.",
    "A whole ferry, at cards. You'll want to buy it sober, and count the oars.",
    "{who} puts something by that week, towards a ferry, in a sock.",
    "{who} turns out a sock with the price of a ferry in it, counts it, and finds that it has not grown.";
    "find whoever taught my brother to lie so well",
    "My face does this honestly, having had none of the lessons in lying that somebody once gave my brother.",
    "Whoever taught my brother to lie would have told him to breathe slowly now, and I am breathing like a pump.",
    "I had a brother too. His lying was all his own, and you could hear it coming.",
    "{who} asks a brother something by letter, and for once it is something that can be checked.",
    "{who} writes home that all went well, and sees at the last line that it runs in the family.";
    "be trusted with a key, any key, for a whole year",
    "Where a key would hang there is a bare bit of cord, and I am careful of it.",
    "I set out as I would with somebody's key, by the straight way and without showing it about.",
    "A year is long for a key. Mine only hangs there, and I pat it all day.",
    "Before they part somebody gives {who} a key to mind, and does not say for how long.",
    "{who} goes home to the hook where a key would hang, and hangs a hat on it.";
    "hear one honest apology from the abbot of Wickmere",
    "I leave a small pause in the middle, the length of an apology, in case the abbot of Wickmere should ever need it.",
    "Sorry is a short word, and I try it silently as I go, in the voice of the abbot of Wickmere.",
    "An abbot saying sorry. I would walk some way for that, and I don't for the singing.",
    "Somebody who is no abbot tells {who} that they are sorry, and it is put down as a first instalment.",
    "{who} says sorry to three people that week, and does it well, so that somebody should know how.";
    "clear my old master's name before he is too old to enjoy it",
    "Everything I start is started the way my old master taught, so that it may be entered to his good name.",
    "I hurry a little, as I do with everything now, because my old master is at the age of naps and still disgraced.",
    "You had best not leave it long. A cleared name wants teeth, to be properly enjoyed.",
    "{who} tells it to an old master as if all of it had been done in the old way, and some of it had.",
    "{who} tells it everywhere, and leaves out whose pupil it happened to.";
    "earn enough to stop sleeping in other people's boats",
    "My knees bend from habit, being used to other people's boats, where I do most of my sleeping.",
    "I reckon it up as I go, so many pence to a bed, so many beds till I am done with boats.",
    "You'll lie awake the first week in a bed. It's the keeping still.",
    "{who} sleeps in a bed that night, badly, and pays for it with pleasure.",
    "{who} asks that night, as so often, whether anybody has a boat that is not in use.";
    "learn who paid for my schooling, and why they stopped",
    "I can do this as far as my schooling goes, and then guess, since somebody stopped paying at about this point.",
    "Long division is where the money stopped, and my thoughts still slow down there, looking about for whoever paid.",
    "Paid, then stopped. I have been both those people, and it was only ever the price of corn.",
    "{who} finds a name on an old school bill that autumn, and means to thank it before asking why.",
    "{who} has an answer at last about the schooling, and it says that the file is with somebody else.";
    "bring home the bell that my village sold in a bad winter",
    "Everything I do goes to the beat of a bell that is not there, as in all my village since that winter.",
    "My arms still know the rope of the bell we sold, and they do everything in long pulls.",
    "You can eat a bell for about one winter. Then you hear it, I suppose, somewhere else.",
    "{who} asks everybody on the way home about a bell, and the third one asks: with a chip in the lip?",
    "{who} goes home by the long way, on which there are no towers.";
    "pay off a debt that is older than I am",
    "The debt was walking before I was, and I still set out on everything half a step behind it.",
    "Thrift comes over me at the start of anything, out of respect for a debt that was grown when I was born.",
    "Older than you, is it. Then you should call it sir, and pay it on Fridays.",
    "{who} pays one more week of a very old debt, is given a receipt, and bows to it.",
    "{who} writes to ask for another month on a debt that is used to waiting.";
    "finish the map that my father left half drawn",
    "I treat it as lying beyond the middle fold, where my father's map turns to bare paper.",
    "My thumb takes the measure of it, for the half of the map that my father did not get to.",
    "My own father left a wall half built. I finished it, and you can see where.",
    "That night {who} draws one line on the empty half of a father's map, in ink.",
    "That night {who} unfolds a father's map, looks at the empty half, and folds it up along the old creases.";
    "be thanked by somebody who means it",
    "Thanks have mostly been said to my back, in passing, so I do this facing forwards.",
    "My left ear is the one I keep clean, for the day somebody says thank you and means it.",
    "I say it forty times a day. You've made me wonder about thirty of them.",
    "{who} is thanked, later on, by somebody who has come back to say it, and has no answer ready.",
    "{who} goes home with one ear turned to the back, in case somebody says it after all.";
    "open a bakery and never be interesting again",
    "My hands go at this as if it were dough, and most of me would prefer the bakery.",
    "I note with regret that this is interesting, which will not be allowed in my bakery.",
    "Bread, and no stories. I have had the second part for years, and you'd like it.",
    "{who} buys two sacks of flour on the way home, and tells the miller nothing at all.",
    "{who} tells it to a baker, who says that it sounds interesting, and {who} winces.";
    "find the child I pulled out of the flood and see how they turned out",
    "I count up the child from the flood, as I do most days, and it must need longer sleeves by now.",
    "My grip is the one I had on a child's collar in the flood, and it has never quite let go.",
    "They turn out, mostly. I was pulled out of something myself, and you see how that went.",
    "{who} sees a stranger that month with a certain way of holding on to a sleeve, and follows for a street, smiling.",
    "{who} thinks of the child from the flood that night, and lets it be a year older.";
    "win back my good name from the man who wrote it down wrong",
    "I spell my name under my breath as I go, in case somebody is writing this down wrong as well.",
    "There is one letter amiss in my good name, and it makes me a little too correct in all I do.",
    "Ink is stubborn. I was once written down as two people, and you would not believe the tax.",
    "{who} has a paper to show for it, with the name on it, and every letter is where it should be.",
    "In the account of it that goes about, {who}'s name is spelt wrong, in the usual place.";
    "see the sea once, and then complain about it for ever",
    "I do it grumbling a little, to be in practice for the sea.",
    "Wet, loud and overpraised is what I have ready for the sea, and I rehearse it as I go.",
    "It is too big, I'll say that. You would do better to complain of a pond.",
    "{who} asks what the sea is like at this time of year, is told, and says that it sounds damp.",
    "{who} does not see the sea that year, and complains of that.";
    "learn to read the letter I have carried for nine years",
    "I know the letter in my coat by its feel, all but what it says, and I go by feel now too.",
    "Nine years of carrying one letter have taught my hand to be gentle with what it does not understand.",
    "Nine years. I'd have asked a priest, and then you would have had to believe him.",
    "{who} asks somebody kind for the first word of a letter, gets it, and wants no more that night.",
    "{who} puts a letter back under the coat, still unread, and still kind for all one knows.";
    "prove that the mill fire was nobody's fault",
    "I look first for how it could come about by itself, which is how I have gone over the mill fire.",
    "Straw dries, bearings heat and nobody is to blame, I tell myself as I start, and then I think of the mill.",
    "People like it to be somebody. When our rick went up I had chosen a cousin by supper.",
    "{who} finds somebody who remembers which way the wind was on the night of the mill, and writes it down.",
    "{who} is told once more whose fault the mill was, and listens to the end.";
    "keep a promise that I made to a dying horse-thief",
    "My promise to the horse-thief goes in front of me like a led horse, and I try to keep up.",
    "I gave my word once to a horse-thief with no time left to doubt it, and it has made me careful.",
    "A thief can't hold you to it now. I suppose that's what's holding you.",
    "{who} goes some way about to stand at a certain crossroads, for as long as a promise takes, and comes back lighter.",
    "{who} begs a dead horse-thief's pardon that night, and asks for a little longer.";
    "put my grandmother's fiddle back in her hands",
    "My chin tucks itself to the left, as my grandmother's did before she had to do without her fiddle.",
    "Carefully is how one carries a fiddle, and I am careful now, with my grandmother's hands in mind at the other end.",
    "Old hands don't stop, I've noticed. You'll see them playing on the blanket.",
    "{who} has seen a fiddle in a window, and goes back to look whether it knows a grandmother.",
    "{who} stops at a window with a fiddle in it, and it is the wrong one, and that takes some time to see.";
    "be somebody's first choice for once",
    "I begin as though two better people had been asked first, which in my case they generally have.",
    "At the picking of sides I stood until the last, and my feet still shuffle before I start.",
    "I married a third choice, and was one. You may come to like that end of the list.",
    "The next time that something is to be done somebody says: ask {who}. There is no second name on the list.",
    "When it is settled who walks home with whom, {who} is left over, and says that it is quite all right.";
    "give back a thing I stole before its owner notices",
    "My fingers are spread and light, which is how I mean to put back what I stole.",
    "There is a stolen thing in my keeping, and I go about everything so as not to wake it.",
    "Putting back is the harder half. I've done it with a pie dish, and you sweat more.",
    "{who} leaves by way of a certain windowsill, and has one thing less to carry.",
    "{who} gets as far as a certain windowsill, but there is a light in the room, and the thing comes home again.";
    "stand up in a full room and not be laughed at",
    "I straighten up by degrees, so that no one part of me is there to be laughed at.",
    "Up is the hard part, my knees say, remembering a full room and the noise it made.",
    "The trick is not the standing. I sat down wrong once, and you can still hear it told.",
    "{who} tells it afterwards in a full room, standing, and they laugh where they should.",
    "{who} is asked to tell it, in a full room, and tells it sitting down.";
    "find an honest use for a dishonest pair of hands",
    "My hands would rather do this behind somebody's back, and I keep them in front of me, where I can see them.",
    "I ask my dishonest fingers to do it the long way, which they regard as showing off.",
    "Hands don't know what they're at. I would start you on knots.",
    "{who}'s hands have an honest day's work behind them, and do not know what to do with each other.",
    "{who} goes through everybody's pockets that night, in thought, and puts it all back.";
    "hear my own name spoken kindly in this town",
    "I say my name over in my head as I go, more kindly than the town does.",
    "My ears are braced for the town's way with my name, which has a stone in it.",
    "Say it to me again, slowly. I may have only heard it shouted.",
    "Round a corner that evening somebody says {who}'s name, quite kindly, and {who} stands still to hear it again.",
    "Round a corner that evening somebody says {who}'s name, in the usual tone, and {who} goes another way.";
    "get my sister released from a contract that she signed for me",
    "I waste no motion on it, since the contract has my sister's name at the foot and every hour is hers.",
    "My signing hand is as good as new, my sister having used hers on the contract, so I use it now.",
    "She signed, you say. My own sister would not have lent me the pen.",
    "{who} writes to a sister, eleven pages, and puts in the name of a good lawyer.",
    "{who} writes a sister a funny account of it, and leaves out how it ended.";
    "outlive a prophecy, if only by an afternoon",
    "My prophecy did not mention this, as far as I recall, and I go over the wording again as I start.",
    "Some of my breath is kept back, as always, for the afternoon that comes after the prophecy.",
    "An afternoon's not greedy. I would spend it fishing, and not tell you where.",
    "Next day, at four in the afternoon, {who} is still alive, has it confirmed, and asks for something sweet.",
    "{who} reads a prophecy through again that night, looking for the word lose.";
    "sleep one night without counting anything",
    "I am at seven before I notice that I am counting, and the rest of the numbers will be up all night.",
    "Each finger is told off as it starts, one to ten and back, which is also how I do not sleep.",
    "Sheep never helped me either. You end up wondering who owns them.",
    "{who} is asleep that night by forty-one, which is the lowest in years.",
    "{who} has got to six thousand that night when the birds begin.";
    "own a door that locks from the inside",
    "My back feels for a door as I start, my own one, with the bolt on my side.",
    "Nothing has ever been bolted behind me, and I listen over one shoulder for the door I have not got.",
    "I have one. You bolt it, and then you sit there, and it is very good.",
    "{who} asks the price of a bolt on the way home, a brass one, and holds it for a while.",
    "{who} sleeps that night across a door, from the inside, which is the next best thing.";
    "get an answer to the eleven letters I sent to Hollin Ferry",
    "Having written eleven letters to Hollin Ferry, I can be patient about this, for they are in no hurry either.",
    "A twelfth letter has begun in my head, describing this, and I keep it short for Hollin Ferry.",
    "Eleven. I'd have stopped at two, and you'd have thought the worse of me.",
    "{who} writes a twelfth letter to Hollin Ferry, about all this, and it is answered, in one word, which is: Really?",
    "{who} does not write to Hollin Ferry about it. Eleven are enough to lie unanswered.";
    "see my daughter's school play, from a seat",
    "I start from the edge, which is where one stands at a daughter's school play when one comes late.",
    "My daughter's part has three lines, and I go through them as I begin, picturing a seat.",
    "Sit behind somebody short. I saw half a king, and you would not call it seeing.",
    "{who} is in time for the second act, and somebody small on the stage sees it.",
    "{who} comes in as they are clapping, and claps.";
    "win the plum-cake prize at Sallow fair, fairly",
    "My hands are as exact in this as with plums and flour, being in training for Sallow fair.",
    "No thumb of mine is on the scale, for a plum cake has to be judged at Sallow, and so do I.",
    "I have judged a cake. You look at the bottom, and then at the cook.",
    "{who} comes second at Sallow fair that year, and can tell anybody why.",
    "{who}'s cake sinks in the middle at Sallow fair that year, and it sinks honestly.";
    "find the fourth verse of a song that everybody else has forgotten",
    "I go through three verses in my head as I start, then the bare tune, where the fourth belongs.",
    "There are three verses to my breathing, and a gap where the fourth ought to be sung.",
    "I only knew the chorus. But I believe you about a fourth, for it always felt short.",
    "Somebody hums along with {who} on the way home, and does not stop after the third verse.",
    "{who} whistles on the way home, three verses, and then the gap.";
    "pay for the window that I broke when I was ten",
    "Gently is how I have done everything since I was ten and there was a window.",
    "My throwing arm stays close to my side, where it has owed for a window since I was ten.",
    "I broke one too, at nine. You'll see they've gone up.",
    "{who} pays a glazier that month for a very old pane, and does not say whose.",
    "{who} walks past a certain window that month, on the other side of the street.";
    "be rid of a house that I won at dice",
    "I take hold of this lightly, having once been too pleased with the dice and come away with a house.",
    "The house that I got at dice comes along with me, as a snail's does, and I allow for the weight.",
    "You could leave it unlocked. I've a cousin who left a goat that way, and it came home.",
    "{who} gives somebody the key of a house, and is gone before it can be given back.",
    "{who} comes home to a certain house, and it is still there.";
    "hear a certain judge say that he was mistaken",
    "I set about it in good order, like evidence, in case a certain judge should wish to think again.",
    "Whatever I begin, I leave room to say afterwards that I was mistaken, which a certain judge has never tried.",
    "They sit up high so as not to hear it. You and I would have to shout.",
    "That winter a certain judge is reported to have said \"perhaps\". {who} keeps the report.",
    "{who} says \"I was mistaken\" aloud that night, to show a certain judge how it is done.";
    "teach a crow to say something polite",
    "I say please as I begin, to nobody, because a crow learns by hearing it often.",
    "Somewhere there is a crow that I taught to swear by accident, and I mind my mouth as I go.",
    "A crow said good morning to me once. You'd have to teach it to mean it.",
    "Next morning a crow outside {who}'s window says something that is very nearly please.",
    "Next morning the crow tells {who} what it thinks, and cannot be said to be wrong.";
    "buy a headstone for a man who had no name",
    "I do this squarely, as one ought to set a stone, with the top left plain for want of a name.",
    "Letters are charged by the dozen, and I try to think, as I go, what a nameless man's headstone should say.",
    "You might put the year. I have walked past stones all my life and only read the years.",
    "{who} orders a small stone, and has them leave room for a name.",
    "{who} lays something green where a stone should be, and hopes that it is the right place.";
    "dance at a wedding without being asked to leave",
    "My feet begin it in three time, discreetly, as they would at a wedding where nobody had noticed me yet.",
    "I take the corners wide and keep my elbows in, having been shown out of weddings for less than dancing.",
    "They asked me to leave one too, and it was mine. You'll get over it.",
    "{who} dances that week, twice round, and nobody says anything.",
    "{who} stands at the edge of a dance that week, with both feet where they can be seen.";
    "learn what was in the parcel that I carried to Dunmere",
    "I shake it a little first, in my mind, as I wish that I had shaken the parcel for Dunmere.",
    "The size of that parcel is still in my arms, all the way to Dunmere, and I carry myself round it.",
    "You never looked. I should like to say I would not have either.",
    "{who} asks at last, at Dunmere, and it was a hat.",
    "{who} asks at last, at Dunmere, and nobody there remembers a parcel.";
    "get my tools back from the pawnbroker in Cress Lane",
    "The proper tool for this is in Cress Lane with a ticket on it, so I use what I have.",
    "My hand goes to my belt for what the pawnbroker has, and is made to do without.",
    "I pawned a coat once, in spring, very pleased with myself. You know what comes after spring.",
    "{who} goes to Cress Lane, by the first road that is open, and brings a chisel home.",
    "{who} goes through Cress Lane with empty pockets, and a row of tools looks out of a window.";
    "make a chair that does not wobble",
    "I stand to it like a chair that I have hopes of, with my weight on every leg I have.",
    "Three legs would be easy, I always think, but I go about things as I do a chair, the hard way.",
    "I put a folded paper under mine. You'd think that in all these years I would have sat elsewhere.",
    "{who} thinks of it over the next chair, of which only one leg is short.",
    "{who} makes no chair that month, and sits on the floor, which is even.";
    "be believed by my own mother",
    "I go about it in full view, as though my mother had asked where I was off to.",
    "My face has on it what my mother calls that look, though I am only doing what I am doing.",
    "Mine never did. I told her the barn was alight, and you know what she said.",
    "{who}'s mother hears all of it, and says that it is just what {who} would do.",
    "{who}'s mother hears all of it, and asks where {who} was really.";
    "meet the other Barnstaple twin, who owes me an explanation",
    "Half of my attention is on this, the other half being kept for the other Barnstaple twin.",
    "One Barnstaple I have met, and the explanation was not in that one, so I look twice at everything.",
    "Be sure it's the other one. I had twin uncles, and you can thank the wrong one for years.",
    "{who} meets a Barnstaple that spring, and it is the right one, and the explanation takes an afternoon.",
    "{who} meets a Barnstaple that spring, and it is the same one again.";
    "have a dog again",
    "My left hand hangs down at the height of a dog's head, and I go about it with the right.",
    "I still step over the place where a dog would be lying, even when I am busy.",
    "You'll want a plain one. Mine was clever, and it was always right.",
    "Something with three good legs follows {who} home, and will not be discouraged.",
    "{who} puts a bone out by the step that night, in case.";
    "walk into the Three Herrings and not owe for anything",
    "I begin it chin up, which is how I should like to go into the Three Herrings, owing for nothing.",
    "Whatever I do, I seem to do by the side door, as is usual with people who owe at the Three Herrings.",
    "There's a slate I walk round myself. You go first.",
    "{who} goes into the Three Herrings by the front, pays, and waits about for somebody to be surprised.",
    "{who} goes home round the back of the Three Herrings, on tiptoe, as usual.";
    "see one thing that I mended still in use",
    "All the things I ever mended are out there holding or not holding, and I bear down a little harder.",
    "I have my own way of finishing, a small extra stitch, so that I should know my mending if I saw it.",
    "Somebody mended my bucket once. I never wondered about them until you spoke.",
    "A coat goes by with a small extra stitch at the elbow, and {who} walks behind it for a mile.",
    "{who} finds a thing mended long ago, thrown out, and mends it again.";
    "shake the hand of whoever pulled me out at Cold Lock",
    "I keep my right hand dry and ready, for whoever had hold of it at Cold Lock.",
    "A good part of me has been on loan since Cold Lock, and I use it carefully, as one does.",
    "I was thanked for something like that once. You would not believe how long I hid.",
    "{who} shakes hands all round at the end, and one of the hands has a scar from a rope, and is in no hurry.",
    "{who} shakes hands all round at the end, and none of the hands is the one.";
    "grow a pear that is worth stealing",
    "I press it gently near the stalk first, so to speak, as anybody does who has hopes of a pear.",
    "None of my pears has ever been stolen, and it makes a person try harder at everything else.",
    "I used to be a judge of that. At eight, I would have told you over the wall.",
    "In September one pear is missing from {who}'s tree, and {who} tells the whole street.",
    "In September all of {who}'s pears are still on the tree.";
    "sit through a whole supper with my brothers",
    "Elbows in and temper under them is how I begin, as at supper, when my brothers start.",
    "Soup is as far as I have ever got with my brothers, and I set about this with pudding in mind.",
    "It's the carving that does it. Try them on a supper that you can't cut.",
    "{who} gets as far as the cheese that Sunday, with all the brothers still in their chairs.",
    "{who} tells it to the brothers at supper, and it is over by the soup.";
    "be on the winning side before I am fifty",
    "I note which side I am on, for the record, and how many years there are to fifty.",
    "History has generally gone over to the other side, but I turn up for it, not being fifty yet.",
    "I was on it once. They didn't tell us until spring, and you still had to walk home.",
    "{who} has been on the winning side, writes down the date, and does not trust it.",
    "{who} enters one more on the other side, and works out how many years there are to fifty.";
    "find the man who sold me the map, and have a word",
    "By the map that I was sold, none of this is here, and I proceed with a certain warmth.",
    "One word is kept aside from all those I use, and it is for the man who sold me the map.",
    "I bought a horse off one of those. You think of the word, and then of a better.",
    "{who} sees the man who sold the map, across a market, and the word is heard by everybody.",
    "{who} is sold a second map that month, which shows where to find the man who sold the first.";
    "keep one secret until it is no use to anybody",
    "A secret is going slowly stale behind my teeth, and I do most things with my mouth shut.",
    "I lean a little to the side where I keep my one secret, which weighs less every year.",
    "I kept one till I forgot what it was. You can have that for nothing.",
    "{who} has told nobody, and knows of one person fewer who would care.",
    "{who} very nearly tells it that night, and eats something instead.";
};
