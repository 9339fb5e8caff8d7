"""People, groups and animals.

A row is `lemma gender plural genitive-ending [flags] | English alternatives with weights`.
Rows come in order of frequency. A genitive in `n` or `en` makes a noun weak: all cases but the
nominative take the ending. The flag `kin` marks relatives, `he` and `she` the sex of neuters.
`!pl` marks English words that are always plural; what follows `;` is said after a possessive.
"""

from __future__ import annotations

__all__ = ["ANIMALS", "GROUPS", "HUMANS", "JOBS"]

HUMANS = """
Mann         m  Männer        es    | man 9, guy 1; husband
Frau         f  Frauen        -     | woman 9, lady 1; wife
Kind         n  Kinder        es he | child 8, kid 2
Freund       m  Freunde       es    | friend
Leute        p  Leute         -     | people!pl
Vater        m  Väter         s kin | father 8, dad 2
Mutter       f  Mütter        - kin | mother 8, mom 2
Mädchen      n  Mädchen       s she | girl
Junge        m  Jungen        n     | boy
Freundin     f  Freundinnen   -     | friend 5, girlfriend 4
Mensch       m  Menschen      en    | person 7, human being 2
Bruder       m  Brüder        s kin | brother
Schwester    f  Schwestern    - kin | sister
Eltern       p  Eltern        - kin | parents!pl
Nachbar      m  Nachbarn      n     | neighbor
Sohn         m  Söhne         es kin | son
Tochter      f  Töchter       - kin | daughter
Gast         m  Gäste         es    | guest 8, visitor 2
Großvater    m  Großväter     s kin | grandfather 7, grandpa 2
Großmutter   f  Großmütter    - kin | grandmother 7, grandma 2
Nachbarin    f  Nachbarinnen  -     | neighbor
Onkel        m  Onkel         s kin | uncle
Tante        f  Tanten        - kin | aunt
Kunde        m  Kunden        n     | customer 7, client 3
Besucher     m  Besucher      s     | visitor
Dieb         m  Diebe         es    | thief
Zwilling     m  Zwillinge     s     | twin
"""

JOBS = """
Lehrer          m  Lehrer           s  | teacher
Arzt            m  Ärzte            es | doctor 8, physician 2
Student         m  Studenten        en | student
Präsident       m  Präsidenten      en | president
Lehrerin        f  Lehrerinnen      -  | teacher
Schüler         m  Schüler          s  | pupil 6, student 4
Minister        m  Minister         s  | minister
Kollege         m  Kollegen         n  | colleague 7, coworker 2
Ärztin          f  Ärztinnen        -  | doctor 8, physician 2
Chef            m  Chefs            s  | boss 8, manager 2
Polizist        m  Polizisten       en | policeman 5, police officer 5
Studentin       f  Studentinnen     -  | student
Künstler        m  Künstler         s  | artist
Journalist      m  Journalisten     en | journalist 8, reporter 2
Bürgermeister   m  Bürgermeister    s  | mayor
Schriftsteller  m  Schriftsteller   s  | writer 6, author 4
Kollegin        f  Kolleginnen      -  | colleague 7, coworker 2
Bauer           m  Bauern           n  | farmer
Anwalt          m  Anwälte          s  | lawyer 7, attorney 3
Richter         m  Richter          s  | judge
Ministerin      f  Ministerinnen    -  | minister
Ingenieur       m  Ingenieure       s  | engineer
Soldat          m  Soldaten         en | soldier
Forscher        m  Forscher         s  | researcher 6, scientist 4
Sängerin        f  Sängerinnen      -  | singer
Bäcker          m  Bäcker           s  | baker
Koch            m  Köche            es | cook 6, chef 4
Kellner         m  Kellner          s  | waiter
König           m  Könige           s  | king
Königin         f  Königinnen       -  | queen
Verkäufer       m  Verkäufer        s  | shop assistant 4, salesman 6
Musiker         m  Musiker          s  | musician
Richterin       f  Richterinnen     -  | judge
Gärtner         m  Gärtner          s  | gardener
"""

GROUPS = """
Regierung    f  Regierungen    - | government
Firma        f  Firmen         - | company 7, firm 3
Familie      f  Familien       - | family
Polizei      f  -          -  the | police!pl
Mannschaft   f  Mannschaften   - | team
Partei       f  Parteien       - | party
Parlament    n  Parlamente     s | parliament
Kommission   f  Kommissionen   - | commission 7, committee 3
Verein       m  Vereine        s | club 6, association 4
"""

ANIMALS = """
Hund      m  Hunde      es | dog
Katze     f  Katzen     -  | cat
Pferd     n  Pferde     es | horse
Vogel     m  Vögel      s  | bird
Fisch     m  Fische     es | fish
Kuh       f  Kühe       -  | cow
Maus      f  Mäuse      -  | mouse
Schwein   n  Schweine   s  | pig
Huhn      n  Hühner     s  | chicken 6, hen 4
Schaf     n  Schafe     s  | sheep
Hase      m  Hasen      n  | hare 4, rabbit 6
Bär       m  Bären      en | bear
Ente      f  Enten      -  | duck
Wolf      m  Wölfe      es | wolf
Affe      m  Affen      n  | monkey 8, ape 2
Löwe      m  Löwen      n  | lion
Elefant   m  Elefanten  en | elephant
"""
