"""Compounds: one German word, most often two English ones.

`MODIFIERS` builds words: the first part, its English, and the nouns that it may stand before; the
whole inherits gender, plural and prepositions from its head. `COMPOUNDS` lists those whose meaning
is not the sum of their parts; its rows are as in `people`, under the class of the noun.
"""

from __future__ import annotations

__all__ = ["COMPOUNDS", "MODIFIERS"]

MODIFIERS = """
Holz       | wooden    | Tisch Stuhl Bank Haus Tür Brücke Löffel Boot Treppe Regal
Küchen     | kitchen   | Tisch Stuhl Fenster Tür Messer Lampe Regal
Kinder     | children 's | Buch Zimmer Bett Fahrrad Film Lied Schuh Fest Geschichte
Schul      | school    | Buch Bus Tasche Fest Küche Bibliothek Garten
Garten     | garden    | Tisch Stuhl Bank Tor Fest
Stadt      | city      | Park Bibliothek Museum Theater Regierung
Auto       | car       | Tür Schlüssel Fenster Fabrik Unfall
Sommer     | summer    | Kleid Fest Schuh Reise Mantel Haus Konzert
Winter     | winter    | Mantel Jacke Schuh Reise Mütze
Leder      | leather   | Schuh Jacke Tasche Handschuh Koffer Sofa
Glas       | glass     | Tür Tisch Flasche Dach
Büro       | office    | Tisch Stuhl Lampe
Fußball    | soccer 6, football 4 | Spiel Mannschaft Verein
Musik      | music     | Lehrer Lehrerin Zimmer Schule Sendung
Sport      | sports    | Lehrer Lehrerin Schuh Verein Tasche Zeitung
Apfel      | apple     | Kuchen Saft Baum
Tomaten    | tomato    | Suppe Salat Saft
Kartoffel  | potato    | Suppe Salat
Obst       | fruit     | Salat Kuchen
Schokoladen | chocolate | Kuchen Eis
Weihnachts | Christmas | Baum Geschenk Lied Markt
Geburtstags | birthday  | Geschenk Kuchen Feier
Computer   | computer  | Problem
Finanz     | finance   | Minister Ministerin Plan
Außen      | foreign   | Minister Ministerin
Friedens   | peace     | Plan
Energie    | energy    | Krise Preis Plan
Wetter     | weather   | Bericht
Reise      | travel    | Bericht Plan Tasche
"""

COMPOUNDS = {
    "tool": """
Waschmaschine   f  Waschmaschinen   - | washing machine
Kühlschrank     m  Kühlschränke     es | refrigerator 5, fridge 5
Taschenlampe    f  Taschenlampen    - | flashlight
Staubsauger     m  Staubsauger      s | vacuum cleaner
Geldbeutel      m  Geldbeutel       s | wallet 6, purse 4
Kopfhörer       p  Kopfhörer        - | headphones!pl
Kaffeemaschine  f  Kaffeemaschinen  - | coffee maker 5, coffee machine 5
Kugelschreiber  m  Kugelschreiber   s | ballpoint pen 5, pen 5
Briefmarke      f  Briefmarken      - | stamp 7, postage stamp 2
Stadtplan       m  Stadtpläne       es | city map
""",
    "clothes": """
Badeanzug       m  Badeanzüge       es | swimsuit 6, bathing suit 4
Regenmantel     m  Regenmäntel      s | raincoat
Hausschuh       m  Hausschuhe       s | slipper
""",
    "furniture": """
Schreibtisch    m  Schreibtische    es | desk
Kleiderschrank  m  Kleiderschränke  es | wardrobe 7, closet 3
Küchenschrank   m  Küchenschränke   es | kitchen cupboard 6, kitchen cabinet 4
""",
    "text": """
Friedensvertrag m  Friedensverträge es | peace treaty
""",
    "part": """
Haustür         f  Haustüren        - | front door
Garagentor      n  Garagentore      es | garage door
""",
    "event": """
Computerspiel   n  Computerspiele   es | computer game
""",
    "idea": """
Führerschein    m  Führerscheine    es | driver 's license 6, driving license 3
Hausaufgabe     f  Hausaufgaben     -  | homework!mass
Arbeitsplatz    m  Arbeitsplätze    es | job 7, workplace 2
Klimawandel     m  -                s the | climate change!mass
""",
    "animal": """
Meerschweinchen n  Meerschweinchen  s | guinea pig
Schildkröte     f  Schildkröten     - | turtle 6, tortoise 4
""",
    "food": """
Spiegelei       n  Spiegeleier      es | fried egg
Erdbeere        f  Erdbeeren        -  | strawberry
Butterbrot      n  Butterbrote      es | sandwich
""",
    "job": """
Krankenschwester f  Krankenschwestern - | nurse
Rechtsanwalt    m  Rechtsanwälte    es | lawyer 6, attorney 4
Feuerwehrmann   m  Feuerwehrmänner  es | fireman 5, firefighter 5
""",
}
