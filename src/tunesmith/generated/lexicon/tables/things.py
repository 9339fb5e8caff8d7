"""Things that can be seen and touched: food, drinks, texts, clothes, vehicles, tools, furniture.

Rows as in `people`. A plural of `-` makes a German noun a mass noun; `!mass` and `!pl` mark
English words whose number differs from the German one.
"""

from __future__ import annotations

__all__ = ["CLOTHES", "DRINKS", "FOOD", "FURNITURE", "INSTRUMENTS", "PARTS", "TEXTS", "TOOLS", "VEHICLES"]

FOOD = """
Brot         n  -             es | bread!mass
Apfel        m  Äpfel         s  | apple
Kuchen       m  Kuchen        s  | cake
Fleisch      n  -             es | meat!mass
Ei           n  Eier          es | egg
Käse         m  -             s  | cheese!mass
Kartoffel    f  Kartoffeln    -  | potato
Suppe        f  Suppen        -  | soup
Gemüse       n  -             s  | vegetables!pl
Salat        m  Salate        es | salad
Obst         n  -             es | fruit!mass
Reis         m  -             es | rice!mass
Schokolade   f  -             -  | chocolate!mass
Eis          n  -             es | ice cream!mass
Tomate       f  Tomaten       -  | tomato
Wurst        f  Würste        -  | sausage
Nudeln       p  Nudeln        -  | noodles!pl
Birne        f  Birnen        -  | pear
Butter       f  -             -  | butter!mass
Honig        m  -             s  | honey!mass
Pfannkuchen  m  Pfannkuchen   s  | pancake
"""

DRINKS = """
Wasser     n  - s  | water!mass
Kaffee     m  - s  | coffee!mass
Wein       m  - es | wine!mass
Milch      f  - -  | milk!mass
Bier       n  - es | beer!mass
Tee        m  - s  | tea!mass
Saft       m  - es | juice!mass
Limonade   f  - -  | lemonade!mass 6, soda!mass 4
"""

TEXTS = """
Buch         n  Bücher          es | book
Brief        m  Briefe          es | letter
Zeitung      f  Zeitungen       -  | newspaper 7, paper 3
Geschichte   f  Geschichten     -  | story 8, tale 2
Bericht      m  Berichte        es | report
Nachricht    f  Nachrichten     -  | message
Artikel      m  Artikel         s  | article
E-Mail       f  E-Mails         -  | email
Roman        m  Romane          s  | novel
Vertrag      m  Verträge        es | contract 7, treaty 2
Rechnung     f  Rechnungen      -  | bill 6, invoice 4
Zeitschrift  f  Zeitschriften   -  | magazine 7, journal 3
Gedicht      n  Gedichte        es | poem
Liste        f  Listen          -  | list
Wörterbuch   n  Wörterbücher    es | dictionary
"""

CLOTHES = """
Schuh        m  Schuhe        s  | shoe
Kleid        n  Kleider       es | dress
Hose         f  Hosen         -  | trousers!pl 5, pants!pl 5
Hemd         n  Hemden        es | shirt
Mantel       m  Mäntel        s  | coat
Brille       f  Brillen       -  | glasses!pl
Hut          m  Hüte          es | hat
Jacke        f  Jacken        -  | jacket
Ring         m  Ringe         es | ring
Rock         m  Röcke         es | skirt
Pullover     m  Pullover      s  | sweater 7, pullover 3
Mütze        f  Mützen        -  | cap
Handschuh    m  Handschuhe    s  | glove
Krawatte     f  Krawatten     -  | tie
"""

VEHICLES = """
Auto           n  Autos           s  | car 9, automobile 1
Zug            m  Züge            es | train
Wagen          m  Wagen           s  | car 7, vehicle 2
Bus            m  Busse           ses | bus
Fahrrad        n  Fahrräder       s  | bicycle 5, bike 5
Schiff         n  Schiffe         es | ship
Flugzeug       n  Flugzeuge       s  | plane 7, airplane 3
Boot           n  Boote           es | boat
Taxi           n  Taxis           s  | taxi 7, cab 3
Straßenbahn    f  Straßenbahnen   -  | tram 6, streetcar 4
Lastwagen      m  Lastwagen       s  | truck
Motorrad       n  Motorräder      s  | motorcycle 7, motorbike 3
Hubschrauber   m  Hubschrauber    s  | helicopter
"""

TOOLS = """
Bild            n  Bilder           es | picture 8, image 2
Schlüssel       m  Schlüssel        s  | key
Computer        m  Computer         s  | computer
Telefon         n  Telefone         s  | telephone 5, phone 5
Uhr             f  Uhren            -  | watch 5, clock 5
Geschenk        n  Geschenke        es | gift 5, present 5
Tasche          f  Taschen          -  | bag
Glas            n  Gläser           es | glass
Messer          n  Messer           s  | knife
Flasche         f  Flaschen         -  | bottle
Koffer          m  Koffer           s  | suitcase
Handy           n  Handys           s  | mobile phone 5, cell phone 5
Maschine        f  Maschinen        -  | machine
Blume           f  Blumen           -  | flower
Lampe           f  Lampen           -  | lamp
Tasse           f  Tassen           -  | cup
Ball            m  Bälle            es | ball
Schere          f  Scheren          -  | scissors!pl
Fernseher       m  Fernseher        s  | television 5, TV 5
Paket           n  Pakete           es | package 6, parcel 4
Kamera          f  Kameras          -  | camera
Teller          m  Teller           s  | plate
Löffel          m  Löffel           s  | spoon
Gabel           f  Gabeln           -  | fork
Regenschirm     m  Regenschirme     es | umbrella
Werkzeug        n  Werkzeuge        s  | tool
Kerze           f  Kerzen           -  | candle
Korb            m  Körbe            es | basket
Spiegel         m  Spiegel          s  | mirror
Münze           f  Münzen           -  | coin
Hammer          m  Hämmer           s  | hammer
"""

INSTRUMENTS = """
Gitarre   f  Gitarren   - | guitar
Klavier   n  Klaviere   s | piano
Geige     f  Geigen     - | violin 7, fiddle 3
Trommel   f  Trommeln   - | drum
Flöte     f  Flöten     - | flute
"""

FURNITURE = """
Tisch     m  Tische     es | table 8, desk 2
Stuhl     m  Stühle     es | chair
Bett      n  Betten     es | bed
Schrank   m  Schränke   es | cupboard 6, wardrobe 4
Sofa      n  Sofas      s  | sofa 6, couch 4
Möbel     p  Möbel      -  | furniture!mass
Regal     n  Regale     s  | shelf
Bank      f  Bänke      -  | bench
Teppich   m  Teppiche   s  | carpet 6, rug 4
Sessel    m  Sessel     s  | armchair
"""

PARTS = """
Tür       f  Türen      -  | door
Fenster   n  Fenster    s  | window
Wand      f  Wände      -  | wall
Dach      n  Dächer     es | roof
Treppe    f  Treppen    -  | stairs!pl
Tor       n  Tore       es | gate
"""
