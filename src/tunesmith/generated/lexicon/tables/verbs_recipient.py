"""Verbs with a dative: alone, or beside an accusative. Rows as in `verbs_plain`.

Where a pattern begins with a role, that role is the English subject: `D like S`.
"""

from __future__ import annotations

__all__ = ["DATIVE", "DITRANSITIVE"]

DATIVE = """
helfen     | hilft half geholfen | actor > dat:person       | help D 9 / give D a hand 1
gefallen   | gefällt gefiel gefallen | goods+event+city+song > dat:person | D like S 8 / S please D 2
gehören    |                     | goods+building > dat:person | S belong to D 7 / D own S 3
danken     |                     | person > dat:actor       | thank D
antworten  |                     | person > dat:person      | answer D 7 / reply to D 3
folgen     | s                   | animate > dat:animate    | follow D
schmecken  |                     | food+drink > dat:person  | D like S 6 / S taste good to D 3
glauben    |                     | person > dat:actor       | believe D
vertrauen  |                     | person > dat:actor       | trust D
fehlen     |                     | human > dat:human        | D miss S
zu-hören   |                     | person > dat:person      | listen to D
zu-stimmen |                     | actor > dat:person+plan  | agree with D
passen     |                     | clothes > dat:person     | S fit D
begegnen   | s                   | person > dat:animate     | meet D 6 / come across D 2 / encounter D 2
gratulieren |                     | person > dat:person      | congratulate D
nach-laufen | läuft lief gelaufen s | animate > dat:animate    | run after D
schaden    |                     | plan+weather > dat:group | harm D 5 / damage D 5
drohen     |                     | actor > dat:person       | threaten D
"""

DITRANSITIVE = """
geben       | gibt gab gegeben             | person > dat:person acc:portable     | give D A 6 / give A to D 4
zeigen      |                            | person > dat:person acc:goods+building | show D A 7 / show A to D 3
schicken    |                              | person > dat:actor acc:text+tool     | send D A 6 / send A to D 4
erzählen    |                              | person > dat:person acc:story              | tell D A
schenken    |         | person > dat:human acc:tool+clothes+animal+text | give D A 7 / give A to D as a gift 2
bringen     | bringt brachte gebracht      | person > dat:person acc:portable   | bring D A 6 / bring A to D 4
erklären    |                              | person > dat:person acc:idea               | explain A to D
kaufen      |                              | person > dat:human acc:goods          | buy D A 6 / buy A for D 4
an-bieten   | bietet bot geboten       | actor > dat:person acc:food+drink+plan | offer D A 7 / offer A to D 3
schreiben   | schreibt schrieb geschrieben | person > dat:actor acc:text        | write D A 6 / write A to D 4
leihen      | leiht lieh geliehen     | person > dat:person acc:tool+vehicle+text | lend D A 7 / lend A to D 3
empfehlen   | empfiehlt empfahl empfohlen  | person > dat:person acc:text+food+building | recommend A to D
zurück-geben | gibt gab gegeben     | person > dat:person acc:tool+text | give A back to D 5 / return A to D 5
vor-lesen   | liest las gelesen            | person > dat:human acc:text          | read A to D 5 / read D A 4
verbieten   | verbietet verbot verboten    | actor > dat:person acc:event+drink         | forbid D A
beschreiben | beschreibt beschrieb beschrieben | person > dat:person acc:animate+building   | describe A to D
liefern     |                            | group > dat:person acc:goods | deliver A to D 7 / supply D with A 3
"""
