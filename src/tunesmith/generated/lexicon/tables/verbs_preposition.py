"""Verbs with a prepositional object, many of them reflexive. Rows as in `verbs_plain`."""

from __future__ import annotations

__all__ = ["PREPOSITIONAL"]

PREPOSITIONAL = """
warten          |                      | person > auf+acc:person+vehicle+text+event | wait for P 9 / await P 1
sprechen  | spricht sprach gesprochen | person > mit+dat:person | talk to P 5 / speak with P 3 / talk with P 2
denken          | denkt dachte gedacht    | person > an+acc:person+idea+event | think of P 5 / think about P 5
sprechen        | spricht sprach gesprochen | actor > über+acc:idea+event+text  | talk about P 7 / discuss P 3
sich freuen     |                           | person > auf+acc:event+person            | look forward to P
sich freuen     |                | person > über+acc:tool+idea+text | be happy about P 6 / be pleased with P 4
suchen          |                           | actor > nach+dat:tool+plan+human | look for P 6 / search for P 4
sich erinnern   |                           | person > an+acc:person+event+place   | remember P 8 / recall P 2
sich interessieren |                           | person > für+acc:song+text+idea+animal   | be interested in P
bitten          | bittet bat gebeten        | person > um+acc:idea+text+drink      | ask for P 9 / request P 1
lachen          |                        | person > über+acc:person+text+idea | laugh about P 5 / laugh at P 5
sich kümmern    |                           | actor > um+acc:human+animal  | take care of P 6 / look after P 4
teil-nehmen     | nimmt nahm genommen       | actor > an+dat:event     | take part in P 6 / participate in P 4
sich ärgern     |       | person > über+acc:person+weather+vehicle | be annoyed about P 6 / be angry about P 4
träumen         |                     | person > von+dat:person+event+vehicle | dream of P 6 / dream about P 4
Angst haben     | hat hatte gehabt         | person > vor+dat:animal+event+storm | be afraid of P 8 / fear P 2
glauben         |                           | person > an+acc:person+idea              | believe in P
achten          |                     | person > auf+acc:human+rule | pay attention to P 7 / watch out for P 2
sich verlieben  |                           | person > in+acc:human                    | fall in love with P
kämpfen         |                           | actor > gegen+acc:group+problem  | fight against P 7 / fight P 2
kämpfen         |                           | actor > für+acc:plan+money               | fight for P
leiden          | leidet litt gelitten      | person > unter+dat:weather+problem       | suffer from P
ab-hängen       | hängt hing gehangen       | problem+plan > von+dat:weather+group+money | depend on P
sich gewöhnen   |               | person > an+acc:weather+food+city | get used to P 8 / grow accustomed to P 2
sich bedanken   |                        | person > für+acc:gift | say thank you for P 5 / give thanks for P 3
verzichten      |                           | actor > auf+acc:food+drink+money | do without P 6 / give ~up P 3
nach-denken     | denkt dachte gedacht      | actor > über+acc:plan+problem | think about P 6 / reflect on P 3
sich beschweren |                           | person > über+acc:food+weather+person    | complain about P
sich verabreden |                        | person > mit+dat:human | make a date with P 4 / arrange to meet P 4
sich entscheiden | entscheidet entschied entschieden | actor > für+acc:plan       | decide on P 6 / choose P 4
diskutieren     |                           | actor > über+acc:idea+event           | discuss P 6 / debate P 4
fragen          |                           | person > nach+dat:idea+place+human       | ask about P
"""
