"""Verbs with a clause or an infinitive: `dass`, `ob`, `zu`. Rows as in `verbs_plain`.

`Z` is an infinitive with `to`, `Zing` a gerund; `C` is a finite clause.
"""

from __future__ import annotations

__all__ = ["CLAUSAL"]

CLAUSAL = """
sagen        |                           | actor > dass           | say C
glauben      |                           | person > dass          | believe C 4 / think C 6
wissen       | weiß/weißt wusste gewusst | person > dass          | know C
hoffen       |                           | actor > dass           | hope C
denken       | denkt dachte gedacht      | person > dass          | think C
versuchen    |                           | actor > zu             | try Z 9 / attempt Z 1
fragen       |                           | person > ob            | ask C
hören        |                           | person > dass          | hear C
klar sein    | ist war gewesen s         | es > dass              | it be clear C 8 / it be obvious C 2
an-fangen    | fängt fing gefangen       | person > zu            | begin Z 4 / start Z 3 / start Zing 3
beschließen  | beschließt beschloss beschlossen | actor > zu             | decide Z
vergessen    | vergisst vergaß vergessen | person > zu            | forget Z
behaupten    |                           | actor > dass           | claim C 7 / assert C 2
sehen        | sieht sah gesehen         | person > dass          | see C
hoffen       |                           | person > zu            | hope Z
auf-hören    |                           | person > zu            | stop Zing
möglich sein | ist war gewesen s         | es > dass              | it be possible C
merken       |                           | person > dass          | notice C 6 / realize C 4
sich fragen  |                           | person > ob            | wonder C 8 / ask self C 1
beginnen     | beginnt begann begonnen   | person > zu            | begin Z 6 / begin Zing 4
bitten       | bittet bat gebeten        | person > acc:person zu | ask A Z
planen       |                           | actor > zu             | plan Z
vor-haben    | hat hatte gehabt          | person > zu            | intend Z 6 / plan Z 4
schwer sein  | ist war gewesen s         | es > zu                | it be hard Z 5 / it be difficult Z 5
sich weigern |                           | actor > zu             | refuse Z
erzählen     |                           | person > dat:person dass | tell D C
versprechen  | verspricht versprach versprochen | person > dat:person zu | promise D Z
erwarten     |                           | actor > dass           | expect C
prüfen       |                           | actor > ob             | check C 8 / examine C 2
wichtig sein | ist war gewesen s         | es > zu                | it be important Z
schade sein  | ist war gewesen s         | es > dass              | it be a pity C 6 / it be a shame C 4
Lust haben   | hat hatte gehabt          | person > zu            | feel like Zing 6 / be in the mood Z 2
überzeugt sein | ist war gewesen s         | actor > dass           | be convinced C
empfehlen    | empfiehlt empfahl empfohlen | person > dat:person zu | advise D Z
bedauern     |                           | actor > dass           | regret C 6 / be sorry C 4
erlauben     |                           | person > dat:human zu  | allow D Z 7 / permit D Z 3
"""
