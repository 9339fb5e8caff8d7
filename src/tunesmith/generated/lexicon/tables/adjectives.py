"""Adjectives: `lemma [stem-] [comparative] | classes of nouns | English alternatives`.

`teur-` is the stem that takes endings; a comparative of `-` means that there is none. Without one,
it is the lemma with `-er`.
"""

from __future__ import annotations

__all__ = ["ADJECTIVES", "OPPOSITES", "ORDER", "STATES"]

ADJECTIVES = """
neu             | goods building place idea event group       | new
groß größer    | goods building place idea event group animal part instrument nature | big 5, large 4
alt älter       | human job goods building place animal group | old
gut besser      | any event idea song weather                 | good
klein           | goods building place idea event human animal | small 7, little 3
jung jünger     | human job animal                            | young
wichtig         | idea event text job                         | important
schön          | goods building place event song weather instrument sky nature | beautiful 6, nice 3, lovely 1
lang länger     | text event clothes                          | long
schlecht        | any event idea weather song                 | bad
groß größer     | human job                                   | tall 6, big 3
rot -           | clothes vehicle tool furniture part         | red
kurz kürzer     | text event clothes                          | short
teuer teur- teurer | goods building event instrument             | expensive 8, costly 1
interessant     | text event idea building place job          | interesting
schwierig       | idea event text                             | difficult 6, hard 4
glücklich       | human job animal                            | happy
schnell         | vehicle animal job                          | fast 7, quick 2
schwarz -       | clothes vehicle tool furniture part instrument | black
krank kränker   | human job animal                            | sick 6, ill 4
einfach         | idea text                                   | simple 6, easy 4
einfach         | meal                                        | simple 8, plain 2
müde            | human job animal                            | tired
stark stärker   | human job animal group drink weather        | strong
politisch -     | problem plan Grund Ziel Meinung group Zeitung Buch Bericht Sitzung | political
weiß -          | clothes vehicle tool furniture part animal  | white
deutsch -       | human job group text vehicle food event idea | German
freundlich      | human job animal                            | friendly 7, kind 3
blau -          | clothes vehicle tool furniture part sky     | blue
kalt kälter     | drink meal weather building place           | cold
klug klüger     | human job animal idea                       | smart 4, clever 5, intelligent 1
reich           | human job group town                        | rich 7, wealthy 3
frisch          | food drink                                  | fresh
traurig         | human job text song                         | sad
schwer          | tool furniture vehicle clothes              | heavy
modern          | building vehicle furniture tool idea part   | modern
billig          | goods building                              | cheap 7, inexpensive 2
berühmt         | human job building place text               | famous
falsch -        | idea text                                   | wrong 7, false 3
gefährlich      | animal vehicle event idea place storm       | dangerous
grün -          | clothes vehicle tool furniture part         | green
warm wärmer     | drink meal clothes weather building         | warm
arm ärmer       | human job town                              | poor
ruhig           | human job place building                    | quiet 6, calm 4
leicht          | tool furniture clothes                      | light
lustig          | human text event song                       | funny 7, amusing 2
richtig -       | idea text                                   | right 5, correct 5
langweilig      | text event job idea                         | boring 8, dull 2
kaputt -        | device vehicle part furniture               | broken
hoch hoh- höher | Preis Energiepreis Wand Dach Berg           | high
hoch hoh- höher | Haus Baum Holzhaus Bürohaus Apfelbaum       | tall 7, high 1
gesund gesünder | human job animal food                       | healthy
nett            | human job                                   | nice
ernst           | human job problem Grund Fehler Unfall       | serious
süß             | food drink animal                           | sweet
schmutzig       | clothes vehicle tool part building          | dirty
seltsam         | human idea text event animal                | strange 7, odd 3
heiß            | drink meal weather sun                      | hot
lecker          | food drink                                  | delicious 5, tasty 5
langsam         | vehicle animal job                          | slow
französisch -   | human job text vehicle food idea event      | French
dunkel dunkl- dunkler | building clothes place furniture sky        | dark
sauber          | clothes tool part building drink            | clean
leer -          | building tool place                         | empty
gelb -          | clothes vehicle tool furniture              | yellow
dumm dümmer     | human idea animal                           | stupid 7, silly 3
höflich         | human job Brief E-Mail Antwort Nachricht                              | polite
ehrlich         | human job Antwort Meinung                              | honest
wirtschaftlich - | idea                                        | economic
gemütlich       | building furniture place                    | cozy 6, comfortable 4
fleißig         | human job                                   | hard-working 6, diligent 4
europäisch -    | job group text idea event place             | European
faul            | human job animal                            | lazy
stolz           | human job                                   | proud
nervös          | human job animal                            | nervous
schwach schwächer | human animal group drink                    | weak
öffentlich -    | building place event                        | public
geheim          | text idea event                             | secret
nützlich        | tool text idea                              | useful
"""

# Two adjectives before a noun come in this order, after those that are not listed.
ORDER = """
groß klein lang kurz hoch
alt neu jung modern
rot schwarz weiß blau grün gelb
deutsch französisch europäisch
politisch wirtschaftlich öffentlich
"""

# Two adjectives of a row do not go together.
OPPOSITES = """
gut schlecht
wichtig langweilig interessant lustig ernst
teuer billig
schwierig einfach
glücklich traurig
schnell langsam
krank gesund
stark schwach müde krank
kalt warm heiß
klug dumm
reich arm
frisch alt
schwer leicht
falsch richtig
sauber schmutzig
faul fleißig
ruhig nervös gefährlich
freundlich nett höflich
lecker süß
geheim öffentlich berühmt
"""

# What one can become or stay.
STATES = (
    "müde krank glücklich traurig gesund ruhig nervös reich arm stark schwach stolz berühmt faul freundlich"
)
