"""What cannot be touched: events, ideas, works of art, nature.

Rows as in `people`; the flag `the` marks a noun that only ever comes with the definite article.
"""

from __future__ import annotations

__all__ = ["EVENTS", "IDEAS", "NATURE", "SKY", "SONGS"]

EVENTS = """
Reise          f  Reisen           -  | trip 6, journey 4
Sitzung        f  Sitzungen        -  | meeting 7, session 3
Film           m  Filme            es | film 5, movie 5
Spiel          n  Spiele           es | game 7, match 3
Konzert        n  Konzerte         es | concert
Fest           n  Feste            es | party 5, celebration 5
Krieg          m  Kriege           es | war
Wahl           f  Wahlen           -  | election
Prüfung        f  Prüfungen        -  | exam 6, test 4
Abendessen     n  Abendessen       s  | dinner
Hochzeit       f  Hochzeiten       -  | wedding
Ausstellung    f  Ausstellungen    -  | exhibition 6, exhibit 4
Vorlesung      f  Vorlesungen      -  | lecture
Sendung        f  Sendungen        -  | program 7, broadcast 3
Feier          f  Feiern           -  | celebration 6, party 4
"""

IDEAS = """
Zeit            f  -                -  | time!mass
Frage           f  Fragen           -  | question
Arbeit          f  -                -  | work!mass
Problem         n  Probleme         s  | problem
Geld            n  -                es | money!mass
Idee            f  Ideen            -  | idea
Antwort         f  Antworten        -  | answer 8, reply 2
Plan            m  Pläne            es | plan
Fehler          m  Fehler           s  | mistake 7, error 3
Lösung          f  Lösungen         -  | solution
Entscheidung    f  Entscheidungen   -  | decision
Information     f  Informationen    -  | information!mass
Gesetz          n  Gesetze          es | law
Grund           m  Gründe           es | reason
Vorschlag       m  Vorschläge       s  | proposal 6, suggestion 4
Ergebnis        n  Ergebnisse       ses | result 8, outcome 2
Hilfe           f  -                -  | help!mass
Meinung         f  Meinungen        -  | opinion 8, view 2
Wahrheit        f  -                -  | truth!mass
Möglichkeit     f  Möglichkeiten    -  | possibility 5, opportunity 5
Ziel            n  Ziele            es | goal 6, aim 4
Preis           m  Preise           es | price
Traum           m  Träume           es | dream
Regel           f  Regeln           -  | rule
Sprache         f  Sprachen         -  | language
Erfolg          m  Erfolge          es | success
Rat             m  -                es | advice!mass
Krise           f  Krisen           -  | crisis
Angebot         n  Angebote         es | offer
Unfall          m  Unfälle          es | accident
Hoffnung        f  Hoffnungen       -  | hope
"""

SONGS = """
Musik   f  -       - | music!mass
Lied    n  Lieder  es | song
"""

NATURE = """
Baum     m  Bäume    es     | tree
Wetter   n  -        s  the | weather!mass
Regen    m  -        s  the | rain!mass
Feuer    n  Feuer    s      | fire
Stern    m  Sterne   es     | star
Schnee   m  -        s  the | snow!mass
Sturm    m  Stürme   es     | storm
"""

SKY = """
Sonne    f  -        -  the | sun
Mond     m  -        es the | moon
Himmel   m  -        s  the | sky
"""
