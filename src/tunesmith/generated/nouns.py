"""The nouns: a class, then `lemma gender plural English/other English`, the most frequent first.

Genders: m f n, p has a plural only, w is masculine and weak; a capital: with the definite article only.
A plural is given in full or as what is added (`+e`); without one (`-`) a noun is a mass. English marks: `*`
a mass, `+` a plural only. Buildings and places also have their prepositions, German and English, for where
one is and where one goes.
"""

from __future__ import annotations

__all__ = ["CLASSES", "MODIFIERS", "NOUNS"]

NOUNS = """
human: Mann m Männer man/guy; Frau f +en woman/lady; Kind n +er child/kid; Freund m +e friend;
Leute p + people+; Mädchen n + girl; Junge w +n boy; Freundin f +nen friend/girlfriend;
Nachbar w +n neighbor; Gast m Gäste guest/visitor; Kunde w +n customer/client; Besucher m + visitor
kin: Vater m Väter father/dad; Mutter f Mütter mother/mom; Bruder m Brüder brother; Schwester f +n sister;
Eltern p + parents+; Sohn m Söhne son; Tochter f Töchter daughter; Großvater m Großväter grandfather/grandpa;
Großmutter f Großmütter grandmother/grandma; Onkel m + uncle; Tante f +n aunt
job: Lehrer m + teacher; Arzt m Ärzte doctor/physician; Student w +en student; Präsident w +en president;
Lehrerin f +nen teacher; Schüler m + pupil/student; Minister m + minister; Kollege w +n colleague/coworker;
Ärztin f +nen doctor/physician; Chef m +s boss/manager; Polizist w +en policeman/police officer;
Studentin f +nen student; Künstler m + artist; Journalist w +en journalist/reporter;
Kollegin f +nen colleague/coworker; Bauer w +n farmer; Anwalt m Anwälte lawyer/attorney; Richter m + judge;
Ministerin f +nen minister; Ingenieur m +e engineer; Soldat w +en soldier; Sängerin f +nen singer;
Bäcker m + baker; Koch m Köche cook/chef; Kellner m + waiter; König m +e king; Musiker m + musician;
Feuerwehrmann m Feuerwehrmänner fireman/firefighter
group: Regierung f +en government; Firma f Firmen company/firm; Familie f +n family; Polizei F - police+;
Mannschaft f +en team; Partei f +en party; Verein m +e club/association
animal: Hund m +e dog; Katze f +n cat; Pferd n +e horse; Vogel m Vögel bird; Fisch m +e fish; Kuh f Kühe cow;
Maus f Mäuse mouse; Schwein n +e pig; Schaf n +e sheep; Hase w +n rabbit/hare; Bär w +en bear;
Wolf m Wölfe wolf; Elefant w +en elephant
food: Brot n - bread*; Apfel m Äpfel apple; Kuchen m + cake; Fleisch n - meat*; Ei n +er egg;
Käse m - cheese*; Kartoffel f +n potato; Suppe f +n soup; Gemüse n - vegetables+; Salat m +e salad;
Obst n - fruit*; Reis m - rice*; Schokolade f - chocolate*; Eis n - ice cream*; Tomate f +n tomato;
Wurst f Würste sausage; Nudeln p + noodles+; Birne f +n pear; Butter f - butter*; Honig m - honey*;
Pfannkuchen m + pancake
drink: Wasser n - water*; Kaffee m - coffee*; Wein m - wine*; Milch f - milk*; Bier n - beer*; Tee m - tea*;
Saft m - juice*
text: Buch n Bücher book; Brief m +e letter; Zeitung f +en newspaper/paper; Geschichte f +n story/tale;
Bericht m +e report; Artikel m + article; E-Mail f +s email; Roman m +e novel;
Vertrag m Verträge contract/treaty; Gedicht n +e poem; Wörterbuch n Wörterbücher dictionary
clothes: Schuh m +e shoe; Kleid n +er dress; Hose f +n trousers+/pants+; Hemd n +en shirt;
Mantel m Mäntel coat; Brille f +n glasses+; Hut m Hüte hat; Jacke f +n jacket; Pullover m + sweater/pullover;
Mütze f +n cap; Handschuh m +e glove; Krawatte f +n tie; Regenmantel m Regenmäntel raincoat
vehicle: Auto n +s car/automobile; Zug m Züge train; Bus m +se bus; Fahrrad n Fahrräder bicycle/bike;
Schiff n +e ship; Flugzeug n +e plane/airplane; Boot n +e boat; Taxi n +s taxi/cab;
Straßenbahn f +en tram/streetcar; Lastwagen m + truck; Motorrad n Motorräder motorcycle/motorbike
tool: Bild n +er picture/image; Schlüssel m + key; Computer m + computer; Telefon n +e telephone/phone;
Uhr f +en watch/clock; Geschenk n +e gift/present; Tasche f +n bag; Glas n Gläser glass; Messer n + knife;
Flasche f +n bottle; Koffer m + suitcase; Handy n +s mobile phone/cell phone; Maschine f +n machine;
Blume f +n flower; Lampe f +n lamp; Tasse f +n cup; Ball m Bälle ball; Schere f +n scissors+;
Paket n +e package/parcel; Teller m + plate; Löffel m + spoon; Regenschirm m +e umbrella; Spiegel m + mirror;
Waschmaschine f +n washing machine; Kühlschrank m Kühlschränke refrigerator/fridge
instrument: Gitarre f +n guitar; Klavier n +e piano
furniture: Tisch m +e table/desk; Stuhl m Stühle chair; Bett n +en bed; Schrank m Schränke cupboard/wardrobe;
Sofa n +s sofa/couch; Regal n +e shelf; Bank f Bänke bench; Teppich m +e carpet/rug; Schreibtisch m +e desk
part: Tür f +en door; Fenster n + window; Wand f Wände wall; Dach n Dächer roof; Treppe f +n stairs+;
Tor n +e gate; Haustür f +en front door; Garagentor n +e garage door
event: Reise f +n trip/journey; Sitzung f +en meeting/session; Film m +e film/movie; Spiel n +e game/match;
Konzert n +e concert; Fest n +e party/celebration; Krieg m +e war; Wahl f +en election;
Prüfung f +en exam/test; Hochzeit f +en wedding; Ausstellung f +en exhibition/exhibit;
Computerspiel n +e computer game
idea: Zeit f - time*; Frage f +n question; Arbeit f - work*; Problem n +e problem; Geld n - money*;
Idee f +n idea; Antwort f +en answer/reply; Plan m Pläne plan; Fehler m + mistake/error;
Lösung f +en solution; Entscheidung f +en decision; Gesetz n +e law; Grund m Gründe reason;
Vorschlag m Vorschläge proposal/suggestion; Ergebnis n +se result/outcome; Hilfe f - help*;
Wahrheit f - truth*; Ziel n +e goal/aim; Preis m +e price; Traum m Träume dream; Regel f +n rule;
Sprache f +n language; Erfolg m +e success; Rat m - advice*; Krise f +n crisis; Angebot n +e offer;
Unfall m Unfälle accident; Hausaufgabe f +n homework*; Arbeitsplatz m Arbeitsplätze job/workplace
song: Musik f - music*; Lied n +er song
nature: Baum m Bäume tree; Wetter N - weather*; Regen M - rain*; Feuer n + fire; Schnee M - snow*;
Sturm m Stürme storm
sky: Sonne F - sun; Mond M - moon
building: Haus n Häuser in:in in:into house; Schule f +n in:in at:to school; Büro n +s in:in in:to office;
Kirche f +n in:in in:to church; Zimmer n + in:in in:into room;
Bahnhof m Bahnhöfe an:zu at:to station/train station; Küche f +n in:in in:into kitchen;
Krankenhaus n Krankenhäuser in:in in:to hospital; Restaurant n +s in:in in:to restaurant;
Hotel n +s in:in in:to hotel; Universität f +en an:zu at:to university; Laden m Läden in:in in:to shop/store;
Theater n + in:in at:to theater; Museum n Museen in:in in:to museum;
Kino n +s in:in at:to cinema/movie theater; Bibliothek f +en in:in in:to library;
Fabrik f +en in:in in:to factory/plant; Supermarkt m Supermärkte in:in in:to supermarket;
Keller m + in:in in:into basement/cellar; Flughafen m Flughäfen an:zu at:to airport;
Schloss n Schlösser in:in in:to castle/palace
place: Stadt f Städte in:in in:to city/town; Straße f +n auf:auf on:onto street/road;
Garten m Gärten in:in in:into garden/yard; Land n Länder in:in in:to country; Park m +s in:in in:to park;
Dorf n Dörfer in:in in:to village; Wald m Wälder in:in in:into forest; Markt m Märkte auf:auf at:to market;
Strand m Strände an:an at:to beach; See m +n an:an at:to lake; Berg m +e auf:auf on:up mountain/hill;
Platz m Plätze auf:auf in:to square; Insel f +n auf:auf on:to island; Brücke f +n auf:auf on:onto bridge;
Fluss m Flüsse an:an by:to river; Hafen m Häfen in:zu in:to harbor/port
"""

MODIFIERS = """
Holz wooden: furniture Haus Tür Brücke Löffel Boot Treppe;
Küchen kitchen: furniture Fenster Tür Messer Lampe;
Kinder children 's: clothes Buch Zimmer Fahrrad Film Lied Fest Geschichte;
Schul school: building Buch Bus Tasche; Garten garden: furniture Tor Fest;
Stadt city: building Park Theater Regierung; Auto car: Tür Schlüssel Fabrik Unfall;
Sommer summer: clothes Fest Reise Haus Konzert; Winter winter: clothes Reise;
Leder leather: clothes Tasche Koffer Sofa; Glas glass: Tür Tisch Flasche Dach;
Büro office: furniture Computer Lampe Uhr; Bahnhofs station: building Uhr Tür;
Fußball soccer/football: Spiel Mannschaft Verein; Musik music: Lehrer Lehrerin Zimmer Schule Buch;
Sport sports: clothes Lehrer Lehrerin Verein Tasche Zeitung; Apfel apple: Kuchen Saft Baum;
Fisch fish: Suppe Salat; Tomaten tomato: Suppe Salat Saft; Kartoffel potato: Suppe Salat;
Obst fruit: Salat Kuchen; Gemüse vegetable: Suppe; Schokoladen chocolate: Kuchen Eis;
Weihnachts Christmas: Baum Geschenk Lied Markt Brief Geschichte Film;
Geburtstags birthday: Geschenk Kuchen Fest Brief Lied; Computer computer: Problem Buch Fehler;
Wetter weather: Bericht; Finanz finance: Minister Ministerin Plan; Außen foreign: Minister Ministerin;
Friedens peace: Plan Vertrag Lösung; Energie energy: Krise Preis Plan Problem;
Reise travel: Bericht Plan Tasche; Kaffee coffee: Tasse Maschine
"""
"""First parts of compounds, and the nouns that they stand before: the whole inflects like these."""

CLASSES = """
colored: clothes vehicle tool furniture part; person: human kin job; animate: human kin job animal;
actor: human job group; goods: food drink text clothes vehicle tool furniture;
portable: food drink text clothes tool;
any: human job group animal food text clothes vehicle tool furniture building place;
all: any event idea drink part instrument song nature sky; town: Stadt Dorf Land;
door: Tür Fenster Tor Haustür Garagentor Autotür Glastür; team: Mannschaft Verein Partei; sun: Sonne Mond;
container: Flasche Koffer Tasche Paket Schrank Kühlschrank Brief; contest: Spiel Wahl Krieg Fußballspiel;
device: Computer Telefon Uhr Handy Maschine Lampe Waschmaschine; storm: Regen Sturm Schnee Krieg Krise;
weather: Wetter Regen Schnee Sturm; money: Geld Zeit Hilfe;
problem: Problem Frage Krise Computerproblem Energiekrise; story: Geschichte Wahrheit Traum Kindergeschichte;
plan: Plan Vorschlag Gesetz Angebot Entscheidung Idee Vertrag Lösung Friedensplan Finanzplan;
subject: Sprache Lied Gedicht Regel Gesetz; meal: Suppe Fleisch Ei Kartoffel Reis Nudeln Gemüse Wurst Fisch;
cake: Kuchen Brot Pfannkuchen Apfelkuchen Obstkuchen; picture: Bild Blume Film Ausstellung;
solid: Brot Apfel Kuchen Fleisch Käse Wurst Kartoffel Tomate Birne; goal: Ziel Lösung Ergebnis Erfolg;
tall: Haus Baum Holzhaus Apfelbaum; steep: Preis Wand Dach Berg Energiepreis
"""
"""Classes made of other classes or of single nouns."""
