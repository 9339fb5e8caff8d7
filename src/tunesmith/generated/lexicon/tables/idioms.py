"""Idioms: the meaning of the whole is not the meaning of the words. Rows as in `verbs_plain`.

The words before the verb are fixed and stand at the end of the middle field. `ones` is the
possessive of the English subject; `D's` is that of a role.
"""

from __future__ import annotations

__all__ = ["IDIOMS"]

IDIOMS = """
recht haben                   | hat hatte gehabt        | person                      | be right
Glück haben                   | hat hatte gehabt        | person                   | be lucky 8 / be in luck 2
Hunger haben                  | hat hatte gehabt        | animate                     | be hungry
die Nase voll haben           | hat hatte gehabt        | person                      | be fed up
ins Gras beißen               | beißt biss gebissen     | person         | bite the dust 5 / kick the bucket 5
den Nagel auf den Kopf treffen | trifft traf getroffen   | person                   | hit the nail on the head
die Daumen drücken            |                        | person > dat:person | keep ones fingers crossed for D
auf dem Holzweg sein         | ist war gewesen s | person | be on the wrong track 6 / bark up the wrong tree 4
nur Bahnhof verstehen         | versteht verstand verstanden | person                     | be completely lost
auf die Nerven gehen       | geht ging gegangen s | person > dat:person | get on D's nerves 4 / annoy D 5
ins Wasser fallen             | fällt fiel gefallen s   | event             | fall through 6 / be called off 3
die Katze aus dem Sack lassen | lässt ließ gelassen     | person                  | let the cat out of the bag
Schwein haben                 | hat hatte gehabt        | person                    | get lucky 5 / be lucky 5
den Faden verlieren     | verliert verlor verloren | person | lose ones train of thought 6 / lose the thread 4
unter die Arme greifen        | greift griff gegriffen  | person > dat:human | lend D a hand 5 / help ~out D 5
aus allen Wolken fallen    | fällt fiel gefallen s | person | be completely taken aback 4 / be thunderstruck 4
um den heißen Brei herum-reden |                         | person                      | beat around the bush
über den Tisch ziehen         | zieht zog gezogen     | person > acc:person !active | rip ~off A 4 / cheat A 4
im Stich lassen               | lässt ließ gelassen | actor > acc:person !active | let ~down A 5 / abandon A 4
das Handtuch werfen           | wirft warf geworfen     | person            | throw in the towel 7 / give up 3
auf den Arm nehmen | nimmt nahm genommen | person > acc:person !active | pull A's leg 4 / make fun of A 3
sich aus dem Staub machen     |                         | person           | make off 4 / take to ones heels 4
Tomaten auf den Augen haben   | hat hatte gehabt        | person                     | be blind to the obvious
ein Auge zu-drücken           |                         | person                      | turn a blind eye
zur Sprache bringen        | bringt brachte gebracht | actor > acc:problem !active | bring ~up A 6 / raise A 4
ins Leben rufen               | ruft rief gerufen       | actor > acc:event+group   | launch A 5 / set ~up A 4
"""
