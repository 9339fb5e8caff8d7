"""Adverbs and fixed adverbial phrases: `German | when | English alternatives`.

`when` limits the time that a clause may speak of: past, now, habit, future, done (what has already
happened) or any. An alternative may end in `@F`, `@M` or `@E`: front, middle or end of the English
clause; without it the kind of adverb decides. Numbers after colons align words: `vor:1 zwei:2`.
"""

from __future__ import annotations

__all__ = ["FREQUENCY", "MANNER", "PARTICLES", "QUESTIONS", "SENTENCE", "TIME", "UNITS", "WEEKDAYS"]

FREQUENCY = """
oft      | habit | often 7, frequently 2
immer    | habit | always
manchmal | habit | sometimes
nie      | habit | never
selten   | habit | rarely 5, seldom 4
meistens | habit | usually 6, mostly 3
immer wieder | habit | again and again@E 6, repeatedly 3
"""

TIME = """
heute           | any    | today
gestern         | past   | yesterday
jetzt           | now    | now
morgen          | future | tomorrow
letzte Woche    | past   | last week
schon           | done   | already@M
gerade          | now    | right now@E 5, just now@E 2
jeden Tag       | habit  | every day
bald            | future | soon
nächste Woche   | future | next week
heute Abend     | future | tonight 6, this evening 4
am:1 Abend:2    | any    | in:1 the:1 evening:2
letztes Jahr    | past   | last year
heute Morgen    | past   | this morning
damals          | past   | at that time 4, back then 4, in those days 1
nachts          | habit  | at night
im:1 Sommer:2   | any    | in:1 the:1 summer:2 6, in:1 summer:2 4
noch nie        | never  | never@M
nächstes Jahr   | future | next year
jede Woche      | habit  | every week
vorgestern      | past   | the day before yesterday
am:1 Wochenende:2 | any    | on:1 the:1 weekend:2 6, at:1 the:1 weekend:2 3
vor kurzem      | past   | recently 6, a short time ago 3
übermorgen      | future | the day after tomorrow
im:1 Winter:2   | any    | in:1 the:1 winter:2 6, in:1 winter:2 4
zu:1 Weihnachten:2 | any    | at:1 Christmas:2
einmal im Monat | habit  | once a month
"""

WEEKDAYS = """
Montag   | Monday
Dienstag | Tuesday
Mittwoch | Wednesday
Donnerstag | Thursday
Freitag  | Friday
Samstag  | Saturday
Sonntag  | Sunday
"""

UNITS = """
Jahr    n  Jahre   | year
Tag     m  Tage    | day
Woche   f  Wochen  | week
Stunde  f  Stunden | hour
Monat   m  Monate  | month
Minute  f  Minuten | minute
"""

SENTENCE = """
vielleicht  | any  | perhaps 4, maybe@F 6
leider      | any  | unfortunately 8, sadly@F 1
natürlich   | any  | of course@F 7, naturally@F 2
wahrscheinlich | any  | probably@M
wirklich    | now  | really@M
endlich     | past | finally 8, at last@E 2
plötzlich   | past | suddenly
sicher      | any  | certainly@M 6, surely 3
tatsächlich | any  | actually 5, indeed@F 3
zum Glück   | any  | fortunately@F 5, luckily@F 5
offenbar    | any  | apparently 6, evidently 3
übrigens    | any  | by the way@F 6, incidentally@F 2
trotzdem    | any  | nevertheless 5, still@M 4
deshalb     | any  | therefore
"""

MANNER = """
gern       | any | gladly
schnell    | any | quickly 8, fast@E 2
allein     | any | alone@E
langsam    | any | slowly
zusammen   | any | together@E
sofort     | any | immediately 6, at once@E 3, right away@E 2
vorsichtig | any | carefully 7, cautiously 2
leise      | any | quietly 7, softly 2
heimlich   | any | secretly
gemeinsam  | any | together@E 6, jointly 2
freiwillig | any | voluntarily
geduldig   | any | patiently
ungern     | any | reluctantly
"""

PARTICLES = """
doch
ja
wohl
eben
halt
"""

QUESTIONS = """
warum   | any | why
wann    | any | when
wo      | any | where
wie oft | any | how often
wie lange | any | how long
weshalb | any | why
"""
