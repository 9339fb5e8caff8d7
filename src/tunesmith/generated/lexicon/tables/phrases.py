"""Whole sentences that are said and translated as one: `German | English alternatives`."""

from __future__ import annotations

__all__ = ["PHRASES"]

PHRASES = """
guten:1 Morgen:2 !              | good:1 morning:2 !
vielen:1 Dank:2 !               | many:1 thanks:2 ! 4, thank you very much ! 5
keine:1 Ahnung:2 .              | no:1 idea:2 .
auf Wiedersehen !               | goodbye ! 7, see you later ! 2
das ist mir egal .              | I do not care . 6, it is all the same to me . 3
wie geht es dir ?               | how are you ?
wie geht es Ihnen ?             | how are you ? 6, how are you doing ? 3
es:1 tut:2 mir:1 leid:2 .       | I:1 am:2 sorry:2 .
mach:1 schnell:2 !              | hurry up ! 6, be:1 quick:2 ! 3
das:1 stimmt:2 nicht:3 .        | that:1 is:2 not:3 true:2 . 6, that:1 is:2 wrong:3 . 3
ich drücke dir die Daumen .     | I keep my fingers crossed for you .
gute:1 Besserung:2 !            | get well soon !
herzlichen Glückwunsch !        | congratulations !
was:1 soll:2 das:3 ?            | what:1 is the point of that:3 ? 5, what:1 is that:3 supposed to mean ? 4
aller Anfang ist schwer .       | every beginning is hard . 5, the first step is always the hardest . 5
Übung:1 macht:2 den Meister:3 . | practice:1 makes:2 perfect:3 .
wer:1 zuerst kommt , mahlt zuerst . | first come first served .
"""
