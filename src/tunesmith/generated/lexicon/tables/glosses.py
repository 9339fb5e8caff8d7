"""What the words of idioms mean by themselves: how a machine that takes them at their word would put it."""

from __future__ import annotations

__all__ = ["GLOSSES"]

GLOSSES = """
ins into the, Gras grass, beißen bite, beißt bites, biss bit, gebissen bitten
die the, Nase nose, voll full, den the, Nagel nail, auf on, Kopf head, Daumen thumbs, dem the
drücken press, drückt presses, drückte pressed, gedrückt pressed, Holzweg wood path
nur only, Bahnhof station, Nerven nerves, Wasser water, fallen fall, fällt falls, fiel fell, gefallen fallen
Katze cat, aus out of, Sack sack, lassen let, lässt lets, ließ let, gelassen let
Schwein pig, Faden thread, unter under, Arme arms, greifen grip, greift grips, griff gripped
gegriffen gripped, allen all, Wolken clouds, um around, heißen hot, Brei porridge
herumreden talk around, redet talks, herum around
über over, Tisch table, ziehen pull, zieht pulls, zog pulled, gezogen pulled, im in the, Stich sting
das the, Handtuch towel, werfen throw, wirft throws, warf threw, geworfen thrown, Arm arm, nehmen take
nimmt takes, nahm took, genommen taken, Staub dust, machen make, macht makes, machte made, gemacht made
Tomaten tomatoes, Augen eyes, haben have, hat has, hatte had, gehabt had, ein an, Auge eye
zudrücken press shut, zu to, zur to the, Sprache language, bringen bring, bringt brings, brachte brought
Leben life, rufen call, ruft calls, rief called, gerufen called, recht right, Glück luck, Hunger hunger
gehen go, geht goes, ging went, gegangen gone, Angst fear, Lust desire, spazieren stroll, sich himself
"""
