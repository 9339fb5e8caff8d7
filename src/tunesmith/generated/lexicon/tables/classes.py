"""Classes of nouns that verbs, adjectives and prepositions ask for.

A class is a list of other classes or of single nouns. The tables of nouns name the basic ones:
human, job, group, animal, food, drink, text, clothes, vehicle, tool, instrument, furniture, part,
building, place, city, event, idea, song, nature, sky.
"""

from __future__ import annotations

__all__ = ["CLASSES"]

CLASSES = """
person   | human job
animate  | human job animal
actor    | human job group
goods    | food drink text clothes vehicle tool furniture
any      | human job group animal food text clothes vehicle tool furniture building place
all      | any event idea drink part instrument song nature sky
town     | Stadt Dorf Land
door     | Tür Fenster Tor Haustür Garagentor Küchentür Autotür Holztür Glastür Gartentor Küchenfenster
garment  | Kleid Hemd Hose Mantel Hut Jacke Rock Pullover Regenmantel Sommerkleid Wintermantel Lederjacke
accessory | Brille Ring Tasche Koffer Regenschirm Sporttasche
container | Flasche Koffer Tasche Paket Schrank Kühlschrank Brief Küchenschrank Glasflasche Lederkoffer
portable | food drink text clothes tool
contest  | Spiel Wahl Krieg Fußballspiel Computerspiel
topical  | text Frage Information Meinung Wahrheit Film Sendung Vorlesung
team     | Mannschaft Verein Partei
policing | Polizei Polizist Feuerwehrmann
device   | Computer Telefon Uhr Handy Maschine Lampe Fernseher Kamera Waschmaschine Kühlschrank Staubsauger
plant    | Baum Blume
sun      | Sonne Mond
storm    | Regen Sturm Schnee Krieg Krise
weather  | Wetter Regen Schnee Sturm
problem  | Problem Frage Krise Computerproblem Energiekrise
plan     | Plan Vorschlag Gesetz Angebot Entscheidung Idee Vertrag Lösung
goal     | Ziel Lösung Ergebnis Erfolg
subject  | Sprache Lied Gedicht Regel Gesetz
rule     | Regel Gesetz Preis Fehler Uhr
meal     | Suppe Fleisch Ei Kartoffel Reis Nudeln Gemüse Wurst Fisch Tomatensuppe Kartoffelsuppe Spiegelei
solid    | Brot Apfel Kuchen Fleisch Käse Wurst Kartoffel Tomate Birne Schokoladenkuchen
cake     | Kuchen Brot Pfannkuchen Apfelkuchen Obstkuchen Schokoladenkuchen Geburtstagskuchen
picture  | Bild Blume Film Ausstellung
story    | Geschichte Wahrheit Traum Kindergeschichte
gift     | Geschenk Hilfe Brief Blume Rat Antwort Geburtstagsgeschenk Weihnachtsgeschenk
money    | Geld Zeit Hilfe
"""
