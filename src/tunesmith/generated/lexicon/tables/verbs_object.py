"""Verbs with an accusative object. Rows as in `verbs_plain`; `!active` forbids the passive."""

from __future__ import annotations

__all__ = ["TRANSITIVE"]

TRANSITIVE = """
haben       | hat hatte gehabt           | person > acc:goods+animal+idea !active | have A
sehen       | sieht sah gesehen          | animate > acc:any                     | see A 9 / spot A 1
kaufen      |                            | person > acc:goods                    | buy A 8 / purchase A 2
geben       | gibt gab gegeben           | es > acc:any+idea+event !active       | there be A
lesen       | liest las gelesen          | person > acc:text                     | read A
kennen      | kennt kannte gekannt       | person > acc:person+city+text !active | know A
suchen      |                            | actor > acc:any+goal     | look for A 6 / search for A 3 / seek A 1
finden      | findet fand gefunden       | actor > acc:any+plan                  | find A
schreiben   | schreibt schrieb geschrieben | person > acc:text                     | write A
brauchen    |                            | actor > acc:goods+idea+person !active | need A 9 / require A 1
essen       | isst aß gegessen           | animate > acc:food                    | eat A 9 / have A 1
bekommen    | bekommt bekam bekommen     | person > acc:goods+idea !active       | get A 6 / receive A 4
treffen     | trifft traf getroffen      | person > acc:person                   | meet A
trinken     | trinkt trank getrunken     | animate > acc:drink                   | drink A
nehmen      | nimmt nahm genommen        | person > acc:goods                    | take A
verkaufen   |                            | actor > acc:goods+building            | sell A
besuchen    |                            | person > acc:person+building+city     | visit A
verstehen   | versteht verstand verstanden | person > acc:person+idea+text         | understand A
lieben      |                            | person > acc:human+animal+song        | love A
hören       |                            | animate > acc:song+person+animal      | hear A 7 / listen to A 3
öffnen      |                            | person > acc:door+container           | open A
an-rufen    | ruft rief gerufen          | person > acc:person           | call A 6 / phone A 2 / call ~up A 2
bauen       |                            | actor > acc:building+vehicle          | build A
vergessen   | vergisst vergaß vergessen  | person > acc:tool+clothes+idea        | forget A
verlieren   | verliert verlor verloren   | actor > acc:tool+clothes+event        | lose A
bezahlen    |                            | actor > acc:goods                     | pay for A
erhalten    | erhält/erhältst erhielt erhalten | actor > acc:text+idea !active         | receive A 6 / get A 2
ein-laden   | lädt lud geladen           | person > acc:person                   | invite A
schließen   | schließt schloss geschlossen | person > acc:door                     | close A 7 / shut A 3
erreichen   |                            | actor > acc:place+building+goal       | reach A 8 / get to A 2
tragen      | trägt trug getragen        | person > acc:clothes                  | wear A
ab-holen    |                            | person > acc:person+tool              | pick ~up A 7 / collect A 3
beobachten  |                            | animate > acc:animate                 | watch A 6 / observe A 4
lernen      |                            | person > acc:subject !active          | learn A
spielen     |                            | person > acc:instrument               | play A
reparieren  |                            | person > acc:device+vehicle+part      | repair A 6 / fix A 4
lösen       |                            | actor > acc:problem                   | solve A 8 / resolve A 2
unterstützen |                            | actor > acc:actor+plan                | support A 9 / back A 1
mit-bringen | bringt brachte gebracht    | person > acc:food+drink+text+human   | bring A 6 / bring ~along A 3
verlassen   | verlässt verließ verlassen | person > acc:place+building           | leave A
auf-machen  |                            | person > acc:door+container           | open A 8 / open ~up A 2
zu-machen   |                            | person > acc:door                     | close A 6 / shut A 4
kochen      |                            | person > acc:meal                     | cook A
waschen     | wäscht wusch gewaschen     | person > acc:clothes+vehicle          | wash A
an-sehen    | sieht sah gesehen          | person > acc:event+picture+person     | look at A 5 / watch A 4
gewinnen    | gewinnt gewann gewonnen    | person+team > acc:contest             | win A
an-nehmen   | nimmt nahm genommen        | actor > acc:plan                      | accept A
ab-lehnen   |                            | actor > acc:plan                      | reject A 5 / turn ~down A 4
ändern      |                            | actor > acc:plan                      | change A 8 / modify A 1
erklären    |                            | person > acc:idea                     | explain A
hassen      |                            | person > acc:person+weather+food !active | hate A
schlagen    | schlägt schlug geschlagen  | person > acc:person                   | hit A 6 / beat A 4
begrüßen    |                            | person > acc:person                   | greet A 5 / welcome A 5
vor-bereiten |                            | actor > acc:event+food                | prepare A
putzen      |                            | person > acc:part+clothes+building    | clean A 8 / clean ~up A 2
retten      |                            | actor > acc:animate                   | save A 5 / rescue A 5
fangen      | fängt fing gefangen        | animate > acc:animal                  | catch A
wählen      |                            | actor > acc:job                       | elect A 6 / choose A 4
weg-werfen  | wirft warf geworfen        | person > acc:tool+text+food      | throw ~away A 7 / throw ~out A 3
an-ziehen   | zieht zog gezogen          | person > acc:clothes                  | put ~on A
aus-ziehen  | zieht zog gezogen          | person > acc:clothes                  | take ~off A
bewundern   |                            | person > acc:person+building+picture  | admire A
kritisieren |                            | actor > acc:actor+plan                | criticize A
entdecken   |                            | actor > acc:idea+place+animal         | discover A 8 / find A 2
zerstören   |                            | storm+group > acc:building+vehicle    | destroy A
schneiden   | schneidet schnitt geschnitten | person > acc:solid                    | cut A 7 / cut ~up A 2
stehlen     | stiehlt stahl gestohlen    | person > acc:tool+vehicle+money       | steal A
malen       |                            | person > acc:picture+animate+building | paint A
füttern     |                            | person > acc:animal                   | feed A
vermissen   |                            | person > acc:human+clothes+tool !active | miss A
backen      | backt backte gebacken      | person > acc:cake                     | bake A
veröffentlichen |                            | actor > acc:text                      | publish A
übersetzen  |                            | person > acc:text                     | translate A
erwarten    |                            | actor > acc:person+idea               | expect A
verhaften   |                            | policing > acc:person                 | arrest A
an-schalten |                            | person > acc:device                 | switch ~on A 5 / turn ~on A 5
aus-schalten |                            | person > acc:device              | switch ~off A 5 / turn ~off A 5
"""
