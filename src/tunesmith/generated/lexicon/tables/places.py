"""Places: where one is, and where one goes.

A row is `lemma gender plural genitive | German where | German whither | English where | English whither
| English noun`. `in`, `an` and `auf` take the dative for where and the accusative for whither;
`zu` takes the dative.
"""

from __future__ import annotations

__all__ = ["BUILDINGS", "CITIES", "PLACES"]

BUILDINGS = """
Haus           n  Häuser            es | in | in | in         | into         | house
Schule         f  Schulen           -  | in | in | at 6, in 3 | to           | school
Büro           n  Büros             s  | in | in | in 6, at 3 | to           | office
Kirche         f  Kirchen           -  | in | in | in         | to           | church
Zimmer         n  Zimmer            s  | in | in | in         | into         | room
Bahnhof        m  Bahnhöfe          s  | an | zu | at         | to           | station 6, train station 4
Küche          f  Küchen            -  | in | in | in         | into 6, to 3 | kitchen
Krankenhaus    n  Krankenhäuser     es | in | in | in 6, at 3 | to           | hospital
Restaurant     n  Restaurants       s  | in | in | in 5, at 5 | to           | restaurant
Hotel          n  Hotels            s  | in | in | in 5, at 5 | to           | hotel
Universität    f  Universitäten     -  | an | zu | at         | to           | university
Laden          m  Läden             s  | in | in | in 6, at 3 | to 5, into 4 | shop 5, store 5
Theater        n  Theater           s  | in | in | in 4, at 5 | to           | theater
Museum         n  Museen            s  | in | in | in 5, at 5 | to           | museum
Kino           n  Kinos             s  | in | in | in 3, at 6 | to           | cinema 5, movie theater 5
Bibliothek     f  Bibliotheken      -  | in | in | in 6, at 4 | to           | library
Bank           f  Banken            -  | in | zu | in 5, at 5 | to           | bank
Fabrik         f  Fabriken          -  | in | in | in 6, at 4 | to           | factory 7, plant 3
Supermarkt     m  Supermärkte       es | in | in | in 5, at 5 | to           | supermarket
Keller         m  Keller            s  | in | in | in         | into 6, to 3 | basement 6, cellar 4
Flughafen      m  Flughäfen         s  | an | zu | at         | to           | airport
Schloss        n  Schlösser         es | in | in | in 6, at 3 | to           | castle 6, palace 4
Gefängnis      n  Gefängnisse       ses | in | in | in         | to           | prison 6, jail 4
Apotheke       f  Apotheken         -  | in | zu | at         | to           | pharmacy 6, drugstore 4
Bürohaus       n  Bürohäuser        es | in | in | in         | into         | office building
"""

PLACES = """
Stadt      f  Städte      -  | in  | in  | in         | to 6, into 3 | city 6, town 4
Straße     f  Straßen     -  | auf | auf | on 5, in 4 | onto         | street 6, road 3
Garten     m  Gärten      s  | in  | in  | in         | into 6, to 2 | garden 7, yard 3
Land       n  Länder      es | in  | in  | in         | to           | country
Park       m  Parks       s  | in  | in  | in         | to           | park
Dorf       n  Dörfer      es | in  | in  | in         | to           | village
Wald       m  Wälder      es | in  | in  | in         | into         | forest
Markt      m  Märkte      es | auf | auf | at         | to           | market
Strand     m  Strände     es | an  | an  | on 4, at 5 | to           | beach
See        m  Seen        s  | an  | an  | at 6, by 4 | to           | lake
Berg       m  Berge       es | auf | auf | on         | up 5, onto 4 | mountain 8, hill 2
Platz      m  Plätze      es | auf | auf | on 4, in 5 | to 5, onto 3 | square
Insel      f  Inseln      -  | auf | auf | on         | to           | island
Brücke     f  Brücken     -  | auf | auf | on         | onto         | bridge
Fluss      m  Flüsse      es | an  | an  | by 6, at 3 | to           | river
Hafen      m  Häfen       s  | in  | zu  | in 5, at 5 | to           | harbor 6, port 4
Fußballplatz m Fußballplätze es | auf | auf | on         | onto         | soccer field 5, football field 5
"""

CITIES = """
Berlin     | Berlin
München    | Munich
Wien       | Vienna
Hamburg    | Hamburg
Paris      | Paris
Köln       | Cologne
Deutschland | Germany
London     | London
Zürich     | Zurich
Österreich | Austria
Rom        | Rome
Frankreich | France
Brüssel    | Brussels
Italien    | Italy
Nürnberg   | Nuremberg
Prag       | Prague
Genf       | Geneva
Griechenland | Greece
"""
