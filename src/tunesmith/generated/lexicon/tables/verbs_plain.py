"""Verbs without an object, and verbs of place and motion.

A row is `infinitive | third person, past, participle | frame | English patterns with weights`.
Weak verbs leave the second column empty; `s` there means that the perfect takes `sein`. A dash
sets off a separable prefix; words before the verb are a fixed part of it. A frame names the class
of the subject and then the slots; a pattern names its roles by letters: A accusative, D dative,
P prepositional object, L place, K predicate, C clause, Z infinitive, S the German subject.
"""

from __future__ import annotations

__all__ = ["COPULA", "INTRANSITIVE", "MOTION", "PLACED", "WEATHER"]

INTRANSITIVE = """
arbeiten     |                              | person   | work
kommen       | kommt kam gekommen s         | animate  | come
schlafen     | schläft schlief geschlafen   | animate  | sleep
warten       |                              | person   | wait
lachen       |                              | person   | laugh
spielen      |                              | human    | play
an-kommen    | kommt kam gekommen s         | person+vehicle | arrive
singen       | singt sang gesungen          | person   | sing
auf-stehen   | steht stand gestanden s      | person   | get up 6 / stand up 4 / rise 1
beginnen     | beginnt begann begonnen      | event    | begin 5 / start 5
sterben      | stirbt starb gestorben s     | animate  | die 8 / pass away 1
statt-finden | findet fand gefunden         | event    | take place 8 / be held 2
laufen       | läuft lief gelaufen s        | animate  | run 6 / walk 4
tanzen       |                              | person   | dance
zurück-kommen | kommt kam gekommen s         | person   | come back 6 / return 4
funktionieren |                              | device   | work 7 / function 2
an-fangen    | fängt fing gefangen          | event    | begin 5 / start 5
schweigen    | schweigt schwieg geschwiegen | person   | be silent 5 / say nothing 4
weinen       |                              | person   | cry 8 / weep 2
scheinen     | scheint schien geschienen    | sun      | shine
schwimmen    | schwimmt schwamm geschwommen s | animate  | swim
rauchen      |                              | person   | smoke
verschwinden | verschwindet verschwand verschwunden s | person+animal+goods | disappear 7 / vanish 3
ein-schlafen | schläft schlief geschlafen s | animate  | fall asleep
auf-wachen   | s                            | animate  | wake up 8 / awaken 1
enden        |                              | event    | end
auf-hören    |                              | event+storm | stop 5 / end 5
lächeln      |                              | person   | smile
ab-fahren    | fährt fuhr gefahren s        | vehicle  | leave 6 / depart 4
ein-kaufen   |                              | person   | go shopping 5 / shop 4
träumen      |                              | person   | dream
weg-laufen   | läuft lief gelaufen s        | animate  | run away
spazieren gehen | geht ging gegangen s         | person   | go for a walk 6 / take a walk 4
um-ziehen    | zieht zog gezogen s          | person   | move
an-halten    | hält/hältst hielt gehalten   | vehicle  | stop
brennen      | brennt brannte gebrannt      | building | burn 5 / be on fire 4
wachsen      | wächst wuchs gewachsen s     | plant    | grow
kaputt-gehen | geht ging gegangen s         | device   | break 5 / break down 5
lügen        | lügt log gelogen             | person   | tell lies 6 / tell a lie 3
"""

WEATHER = """
regnen |  | es | it rain
schneien |  | es | it snow
"""

MOTION = """
gehen      | geht ging gegangen s   | person > dir              | go L 7 / walk L 3
fahren     | fährt fuhr gefahren s  | person > dir              | drive L 5 / go L 5
fliegen    | fliegt flog geflogen s | person > dir:city         | fly L
reisen     | s                      | person > dir:city         | travel L
laufen     | läuft lief gelaufen s  | animate > dir             | run L 7 / walk L 3
zurück-fahren | fährt fuhr gefahren s  | person > dir              | drive back L 5 / go back L 5
bringen    | bringt brachte gebracht | person > acc:portable dir | bring A L 5 / take A L 5
ziehen     | zieht zog gezogen s    | person > dir:city         | move L
schicken   |                        | person > acc:job dir      | send A L
mit-nehmen | nimmt nahm genommen    | person > acc:portable+human dir | take A L 7 / take A along L 2
"""

PLACED = """
sein      | ist war gewesen s        | person+animal+goods > loc             | be L
wohnen    |                          | person > loc                          | live L
arbeiten  |                          | person > loc                          | work L
bleiben   | bleibt blieb geblieben s | person > loc                          | stay L 7 / remain L 3
liegen    | liegt lag gelegen        | goods > loc:furniture                 | lie L 4 / be L 6
stehen    | steht stand gestanden    | goods > loc                           | stand L 5 / be L 5
sitzen    | sitzt saß gesessen       | animate > loc                         | sit L
leben     |                          | animate > loc                         | live L
studieren |                          | person > loc:city                     | study L
legen     |                          | person > acc:tool+text+clothes dir:furniture | put A L 7 / lay A L 3
stellen   |                          | person > acc:tool+drink dir:furniture | put A L 7 / place A L 3
sitzen bleiben | bleibt blieb geblieben s | person > loc:furniture       | remain seated L 5 / stay seated L 4
"""

COPULA = """
sein    | ist war gewesen s     | all > adj          | be K
werden  | wird wurde geworden s | person > nom       | become K
sein    | ist war gewesen s     | person > nom       | be K
werden  | wird wurde geworden s | person > adj:state | become K 4 / get K 4
bleiben | bleibt blieb geblieben s | person > adj:state | remain K 6 / stay K 4
aus-sehen | sieht sah gesehen     | person+goods > adj | look K 9 / seem K 1
sein    | ist war gewesen s     | all > comparison   | be K
"""
