"""Numerals, months, determiners, conjunctions, modal verbs: the closed classes."""

from __future__ import annotations

__all__ = [
    "COORDINATORS",
    "DETERMINERS",
    "INDEFINITES",
    "INFINITIVE_CONJUNCTIONS",
    "MODALS",
    "MONTHS",
    "NUMERALS",
    "PERSONAL",
    "SUBORDINATORS",
]

NUMERALS = """
zwei    | two
drei    | three
vier    | four
fünf    | five
zehn    | ten
sechs   | six
acht    | eight
sieben  | seven
neun    | nine
zwölf   | twelve
elf     | eleven
hundert | a hundred
tausend | a thousand
"""

MONTHS = """
Januar   | January
Mai      | May
September | September
Juni     | June
März     | March
Dezember | December
Juli     | July
April    | April
Oktober  | October
August   | August
Februar  | February
November | November
"""

# name | German stem | its endings | those of adjectives after it | English: singular | plural | mass
DETERMINERS = """
def     |       | definite | weak   | the             | the              | the
indef   | ein   | ein    | mixed  | a               | -                | -
bare    |       | none   | strong | a               | -                | -
kein    | kein  | ein    | mixed  | no              | no               | no
dieser  | dies  | strong | weak   | this 8, that 2  | these 8, those 2 | this 8, that 2
jeder   | jed   | strong | weak   | every 7, each 3 | all              | all
viele   | viel  | strong | strong | many a          | many 7, a lot of 3 | much 3, a lot of 7
einige  | einig | strong | strong | some            | some 8, a few 2  | some
mehrere | mehrer | strong | strong | some            | several          | some
alle    | all   | strong | weak   | every           | all the 5, all 4 | all the 5, all 4
wenige  | wenig | strong | strong | some            | few              | little
etwas   | etwas | none   | strong | some            | some             | some 8, a little 2
welcher | welch | strong | weak   | which 8, what 2 | which 8, what 2  | which 8, what 2
"""

# nominative accusative dative reflexive possessive | English subject object possessive reflexive
PERSONAL = """
ich mich mir mich mein | I me my myself
du dich dir dich dein  | you you your yourself
er ihn ihm sich sein   | he him his himself
sie sie ihr sich ihr   | she her her herself
es es ihm sich sein    | it it its itself
wir uns uns uns unser  | we us our ourselves
ihr euch euch euch euer | you you your yourselves
sie sie ihnen sich ihr | they them their themselves
Sie Sie Ihnen sich Ihr | you you your yourself
"""

# nominative accusative dative | English | negative
INDEFINITES = """
jemand jemanden jemandem | somebody 5, someone 5 |
niemand niemanden niemandem | nobody 6, no one 4    | not
alle alle allen          | everybody 5, everyone 5 |
"""

# conjunction | what time its clause speaks of | English
SUBORDINATORS = """
weil    | same    | because 8, since 1, as 1
wenn    | present | if 6, when 4
obwohl  | same    | although 6, even though 3, though 1
als     | past    | when 8, as 1
bevor   | same    | before
während | same    | while
nachdem | before  | after
da      | same    | since 5, as 3, because 2
damit   | present | so that
sobald  | present | as soon as
falls   | present | if
bis     | same    | until 8, till 1
"""

# conjunction | comma | English
COORDINATORS = """
und  |   | and
aber | , | but
oder |   | or
denn | , | because 5, for 4
doch | , | but 5, yet 4
"""

# conjunction | English | gerund
INFINITIVE_CONJUNCTIONS = """
um   | to 5, in order to 5 |
ohne | without    | ing
statt | instead of | ing
"""

# infinitive | present | past | present negated | past negated
# `be able to` and the like are conjugated; one word is an auxiliary
MODALS = """
können | can 8, be able to 2    | could 6, be able to 4 | can 8, be able to 2        | could 7, be able to 3
müssen | must 4, have to 6      | have to               | have to                    | have to
wollen | want to                | want to               | want to                    | want to
sollen | should 7, be supposed to 3 | be supposed to             | should         | be supposed to
dürfen | may 4, be allowed to 6 | be allowed to         | must 4, be allowed to 5, may 2 | be allowed to
möchten | would like to          | want to               | would like to 4, want to 5 | want to
"""
