"""The words but for nouns.

A verb: `infinitive subject slots=English/other English` in groups, the most frequent first. A dash sets off a
separable prefix, `+` means that the perfect takes `sein`, `!` that there is no passive; words joined by `_`
are a fixed part. The subject is a class of nouns, a person if none is given. Slots: `A:` accusative, `D:`
dative, `auf.A:` preposition and case, loc and dir places, adj, state and nom predicates, dass, ob and zu
clauses. English letters: A, D, S (subject), P (prepositional object), L place, K predicate, C clause or Z
infinitive; `~up` may follow its object.
"""

from __future__ import annotations

VERBS = """
copula: sein+ all adj=be K; werden+ nom=become K; sein+ nom=be K; werden+ state=become K/get K;
bleiben+ state=remain K/stay K; aus-sehen person+goods adj=look K/seem K
intransitive: arbeiten=work; kommen+ animate=come; schlafen animate=sleep; warten=wait; lachen=laugh;
spielen human=play; an-kommen+ person+vehicle=arrive; singen=sing; auf-stehen+=get up/stand up;
beginnen event=begin/start; sterben+ animate=die/pass away; statt-finden event=take place/be held;
laufen+ animate=run/walk; tanzen=dance; zurück-kommen+=come back/return; funktionieren device=work/function;
weinen=cry/weep; scheinen sun=shine; schwimmen+ animate=swim; ein-schlafen+ animate=fall asleep;
auf-hören event+storm=stop/end; lächeln=smile; ab-fahren+ vehicle=leave/depart
motion: gehen+ dir=go L/walk L; fahren+ dir=drive L/go L; fliegen+ dir:city=fly L; reisen+ dir:city=travel L;
laufen+ animate dir=run L/walk L; bringen A:portable dir=bring A L/take A L; ziehen+ dir:city=move L;
schicken A:job dir=send A L; mit-nehmen A:portable+human dir=take A L/take A along L
placed: sein+ person+animal+goods loc=be L; wohnen loc=live L; arbeiten loc=work L;
bleiben+ loc=stay L/remain L; liegen goods loc:furniture=be L/lie L; stehen goods loc=stand L/be L;
sitzen animate loc=sit L; studieren loc:city=study L;
legen A:tool+text+clothes dir:furniture=put A L/lay A L; stellen A:tool+drink dir:furniture=put A L/place A L
weather: regnen es=it rain; schneien es=it snow
transitive: haben! A:goods+animal+idea=have A; sehen animate A:any=see A/spot A;
kaufen A:goods=buy A/purchase A; geben! es A:any+idea+event=there be A; lesen A:text=read A;
kennen! A:person+city+text=know A; suchen actor A:any+goal=look for A/search for A;
finden actor A:any+plan=find A; schreiben A:text=write A;
brauchen! actor A:goods+idea+person=need A/require A; essen animate A:food=eat A/have A;
bekommen! A:goods+idea=get A/receive A; treffen A:person=meet A; trinken animate A:drink=drink A;
nehmen A:goods=take A; verkaufen actor A:goods+building=sell A; besuchen A:person+building+city=visit A;
verstehen A:person+idea+text=understand A; lieben A:human+animal+song=love A;
hören animate A:song+person+animal=hear A/listen to A; öffnen A:door+container=open A;
an-rufen A:person=call A/phone A; bauen actor A:building+vehicle=build A;
vergessen A:tool+clothes+idea=forget A; verlieren actor A:tool+clothes+event=lose A;
bezahlen actor A:goods=pay for A; ein-laden A:person=invite A; schließen A:door=close A/shut A;
erreichen actor A:place+building+goal=reach A/get to A; tragen A:clothes=wear A;
ab-holen A:person+tool=pick ~up A/collect A; beobachten animate A:animate=watch A/observe A;
lernen! A:subject=learn A; spielen A:instrument=play A; reparieren A:device+vehicle+part=repair A/fix A;
unterstützen actor A:actor+plan=support A/back A; mit-bringen A:food+drink+text+human=bring A/bring ~along A;
verlassen A:place+building=leave A; kochen A:meal=cook A; waschen A:clothes+vehicle=wash A;
an-sehen A:event+picture+person=look at A/watch A; gewinnen person+team A:contest=win A;
an-nehmen actor A:plan=accept A; ab-lehnen actor A:plan=reject A/turn ~down A;
ändern actor A:plan=change A/modify A; erklären A:idea=explain A; vor-bereiten actor A:event+food=prepare A;
retten actor A:animate=save A/rescue A; fangen animate A:animal=catch A; wählen actor A:job=elect A/choose A;
weg-werfen A:tool+text+food=throw ~away A/throw ~out A; an-ziehen A:clothes=put ~on A;
aus-ziehen A:clothes=take ~off A; entdecken actor A:idea+place+animal=discover A/find A;
zerstören storm+group A:building+vehicle=destroy A; schneiden A:solid=cut A/cut ~up A;
stehlen A:tool+vehicle+money=steal A; malen A:picture+animate+building=paint A; füttern A:animal=feed A;
backen A:cake=bake A; übersetzen A:text=translate A; erwarten actor A:person+idea=expect A;
an-schalten A:device=switch ~on A/turn ~on A; aus-schalten A:device=switch ~off A/turn ~off A
dative: helfen actor D:person=help D/give D a hand;
gefallen goods+event+city+song D:person=D like S/S please D;
gehören goods+building D:person=S belong to D/D own S; danken D:actor=thank D;
antworten D:person=answer D/reply to D; folgen+ animate D:animate=follow D;
schmecken food+drink D:person=D like S/S taste good to D; glauben D:actor=believe D;
vertrauen D:actor=trust D; zu-hören D:person=listen to D
ditransitive: geben D:person A:portable=give D A/give A to D;
zeigen D:person A:goods+building=show D A/show A to D; schicken D:actor A:text+tool=send D A/send A to D;
erzählen D:person A:story=tell D A;
schenken D:human A:tool+clothes+animal+text=give D A/give A to D as a gift;
bringen D:person A:portable=bring D A/bring A to D; erklären D:person A:idea=explain A to D;
kaufen D:human A:goods=buy D A/buy A for D;
an-bieten actor D:person A:food+drink+plan=offer D A/offer A to D;
schreiben D:actor A:text=write D A/write A to D; leihen D:person A:tool+vehicle+text=lend D A/lend A to D;
empfehlen D:person A:text+food+building=recommend A to D;
zurück-geben D:person A:tool+text=give A back to D/return A to D
prepositional: warten auf.A:person+vehicle+text+event=wait for P/await P;
sprechen mit.D:person=talk to P/speak with P; denken an.A:person+idea+event=think of P/think about P;
sprechen actor über.A:idea+event+text=talk about P/discuss P;
sich_freuen auf.A:event+person=look forward to P;
sich_freuen über.A:tool+idea+text=be happy about P/be pleased with P;
suchen actor nach.D:tool+plan+human=look for P/search for P;
sich_erinnern an.A:person+event+place=remember P/recall P;
sich_interessieren für.A:song+text+idea+animal=be interested in P;
bitten um.A:idea+text+drink=ask for P/request P; lachen über.A:person+text+idea=laugh about P/laugh at P;
sich_kümmern actor um.A:human+animal=take care of P/look after P;
teil-nehmen actor an.D:event=take part in P/participate in P;
sich_ärgern über.A:person+weather+vehicle=be annoyed about P/be angry about P;
Angst_haben vor.D:animal+event+storm=be afraid of P/fear P; glauben an.A:person+idea=believe in P;
kämpfen actor gegen.A:group+problem=fight against P/fight P; kämpfen actor für.A:plan+money=fight for P;
sich_beschweren über.A:food+weather+person=complain about P;
sich_entscheiden actor für.A:plan=decide on P/choose P; fragen nach.D:idea+place+human=ask about P
clausal: sagen actor dass=say C; glauben dass=think C/believe C; wissen dass=know C;
hoffen actor dass=hope C; denken dass=think C; versuchen actor zu=try Z/attempt Z; fragen ob=ask C;
hören dass=hear C; klar_sein+ es dass=it be clear C/it be obvious C; beschließen actor zu=decide Z;
vergessen zu=forget Z; sehen dass=see C; hoffen zu=hope Z; möglich_sein+ es dass=it be possible C;
merken dass=notice C/realize C; beginnen zu=begin Z; bitten A:person zu=ask A Z;
schwer_sein+ es zu=it be hard Z/it be difficult Z; erzählen D:person dass=tell D C;
versprechen D:person zu=promise D Z; erwarten actor dass=expect C; wichtig_sein+ es zu=it be important Z;
schade_sein+ es dass=it be a pity C/it be a shame C; empfehlen D:person zu=advise D Z
idioms: Hunger_haben animate=be hungry; die_Nase_voll_haben=be fed up;
ins_Gras_beißen=bite the dust/kick the bucket; den_Nagel_auf_den_Kopf_treffen=hit the nail on the head;
die_Daumen_drücken D:person=wish D luck/root for D; nur_Bahnhof_verstehen=be completely lost;
ins_Wasser_fallen+ event=fall through/be called off;
die_Katze_aus_dem_Sack_lassen=let the cat out of the bag; Schwein_haben=get lucky/be lucky
"""

STRONG = """
sein ist war gewesen; werden wird wurde geworden; bleiben blieb geblieben; sehen sieht sah gesehen;
kommen kam gekommen; schlafen schläft schlief geschlafen; singen sang gesungen; stehen stand gestanden;
beginnen begann begonnen; sterben stirbt starb gestorben; finden fand gefunden; laufen läuft lief gelaufen;
fangen fängt fing gefangen; scheinen schien geschienen; schwimmen schwamm geschwommen;
fahren fährt fuhr gefahren; gehen ging gegangen; ziehen zog gezogen; fliegen flog geflogen;
bringen brachte gebracht; nehmen nimmt nahm genommen; liegen lag gelegen; sitzen saß gesessen;
haben hat hatte gehabt; geben gibt gab gegeben; lesen liest las gelesen; kennen kannte gekannt;
schreiben schrieb geschrieben; essen isst aß gegessen; bekommen bekam bekommen;
treffen trifft traf getroffen; trinken trank getrunken; verstehen verstand verstanden; rufen rief gerufen;
vergessen vergisst vergaß vergessen; verlieren verlor verloren; laden lädt lud geladen;
schließen schloss geschlossen; tragen trägt trug getragen; verlassen verlässt verließ verlassen;
waschen wäscht wusch gewaschen; gewinnen gewann gewonnen; werfen wirft warf geworfen;
schneiden schnitt geschnitten; stehlen stiehlt stahl gestohlen; backen backte gebacken;
helfen hilft half geholfen; gefallen gefällt gefiel gefallen; bieten bot geboten; leihen lieh geliehen;
empfehlen empfiehlt empfahl empfohlen; sprechen spricht sprach gesprochen; denken dachte gedacht;
bitten bat gebeten; entscheiden entschied entschieden; wissen weiß/weißt wusste gewusst;
beschließen beschloss beschlossen; versprechen verspricht versprach versprochen; beißen biss gebissen;
fallen fällt fiel gefallen; lassen lässt ließ gelassen
"""
"""Infinitive, third person if it is irregular (`/` second person), past, participle."""

AUXILIARY_FORMS = """
sein bin bist ist sind seid sind; haben habe hast hat haben habt haben;
werden werde wirst wird werden werdet werden; wissen weiß weißt weiß wissen wisst wissen;
können kann kannst kann können könnt können; müssen muss musst muss müssen müsst müssen;
wollen will willst will wollen wollt wollen; dürfen darf darfst darf dürfen dürft dürfen;
sollen soll sollst soll sollen sollt sollen; möchten möchte möchtest möchte möchten möchtet möchten
"""
"""The present of irregular verbs."""

ENDING_TABLE = """
def der den dem des die die der der das das dem des die die den der;
who der den dem dessen die die der deren das das dem dessen die die denen deren;
strong er en em es e e er er es es em es e e en er; ein - en em es e e er er - - em es e e en er;
weak e en en en e e en en e e en en en en en en; mixed er en en en e e en en es es en en en en en en;
bare er en em en e e er er es es em en e e en er; none - - - - - - - - - - - - - - - -
"""

CONTRACTIONS = (
    "im in dem; ins in das; am an dem; ans an das; zum zu dem; zur zu der; vom von dem; beim bei dem"
)

ADJECTIVES = """
neu goods+building+place+idea+event+group new;
groß,größer colored+building+place+idea+event+group+animal big/large;
alt,älter person+goods+building+place+animal+group old; gut,besser all+song+weather good;
klein colored+building+place+idea+event+animate small/little; jung,jünger animate young;
wichtig idea+event+text+job important; schön goods+building+place+event+nature beautiful/nice/lovely;
lang,länger text+event+clothes long; schlecht all+weather+song bad; groß,größer person tall/big;
rot,- colored red; kurz,kürzer text+event+clothes short;
teuer,teurer goods+building+event+instrument expensive/costly;
interessant text+event+idea+building+place+job interesting; schwierig idea+event+text difficult/hard;
glücklich animate happy; schnell vehicle+animal+job fast/quick; schwarz,- colored+instrument black;
krank,kränker animate sick/ill; einfach idea+text simple/easy; einfach meal simple/plain; müde animate tired;
stark,stärker animate+group+drink+weather strong; politisch,- problem+plan+group political;
weiß,- colored+animal white; deutsch,- person+group+text+vehicle+food+event German;
freundlich animate friendly/kind; blau,- colored+sky blue;
kalt,kälter drink+meal+weather+building+place cold; klug,klüger animate+idea clever/smart/intelligent;
reich person+group+town rich/wealthy; frisch food+drink fresh; traurig person+text+song sad;
schwer tool+furniture+vehicle+clothes heavy; modern building+vehicle+furniture+tool+idea+part modern;
billig goods+building cheap/inexpensive; berühmt person+building+place+text famous;
falsch,- idea+text wrong/false; gefährlich animal+vehicle+event+idea+place+storm dangerous;
grün,- colored green; warm,wärmer drink+meal+clothes+weather+building warm; arm,ärmer person+town poor;
ruhig person+place+building quiet/calm; leicht tool+furniture+clothes light;
lustig person+text+event+song funny/amusing; richtig,- idea+text right/correct;
langweilig text+event+job+idea boring/dull; hoch,höher steep high; hoch,höher tall tall/high;
gesund,gesünder animate+food healthy; nett person nice; süß food+drink+animal sweet;
seltsam person+idea+text+event+animal strange/odd; heiß drink+meal+weather+sun hot;
lecker food+drink delicious/tasty; langsam vehicle+animal+job slow;
französisch,- person+text+vehicle+food+event French;
dunkel,dunkler building+clothes+place+furniture+sky dark; sauber clothes+tool+part+building+drink clean;
gelb,- colored yellow; dumm,dümmer person+idea+animal stupid/silly; ehrlich person honest;
fleißig person hard-working/diligent; europäisch,- job+group+text+idea+event+place European;
stolz person proud; nervös animate nervous; schwach,schwächer animate+group+drink weak;
öffentlich,- building+place+event public
"""
"""`lemma,comparative classes English/other English`; `-` means that there is no comparative."""

STATES = (
    "müde krank glücklich traurig gesund ruhig nervös reich arm stark schwach stolz berühmt faul freundlich"
)
"""What one can become or stay."""

ADVERBIALS = """
time any EEF: heute=today; heute Abend=tonight/this evening; am Abend=in the evening;
im Sommer=in summer/in the summer; am Wochenende=on the weekend/at the weekend; im Winter=in winter;
zu Weihnachten=at Christmas; am Montag=on Monday; am Dienstag=on Tuesday; am Mittwoch=on Wednesday;
am Donnerstag=on Thursday; am Freitag=on Friday; am Samstag=on Saturday; am Sonntag=on Sunday;
im Januar=in January; im Februar=in February; im März=in March; im April=in April; im Mai=in May;
im Juni=in June; im Juli=in July; im August=in August; im September=in September; im Oktober=in October;
im November=in November; im Dezember=in December; um zehn Uhr=at ten o'clock; um acht Uhr=at eight o'clock
time past EEF: gestern=yesterday; letzte Woche=last week; letztes Jahr=last year; heute Morgen=this morning;
damals=at that time/back then; vorgestern=the day before yesterday; vor kurzem=recently/a short time ago
time future EEF: morgen=tomorrow; bald=soon; nächste Woche=next week; nächstes Jahr=next year;
übermorgen=the day after tomorrow
time habit EEF: jeden Tag=every day; nachts=at night; jede Woche=every week; einmal im Monat=once a month;
immer wieder=again and again/repeatedly
often habit M: oft=often/frequently; immer=always; manchmal=sometimes; selten=rarely/seldom;
meistens=usually/mostly; nie=never
sentence any FFM: vielleicht=perhaps; leider=unfortunately; natürlich=of course/naturally; endlich=finally;
wahrscheinlich=probably; plötzlich=suddenly; sicher=certainly/surely; zum Glück=fortunately/luckily;
offenbar=apparently/evidently; übrigens=by the way/incidentally; trotzdem=nevertheless; deshalb=therefore
manner any E: gern=gladly; schnell=quickly; allein=alone; langsam=slowly; zusammen=together;
leise=quietly/softly; sofort=immediately/at once/right away; vorsichtig=carefully/cautiously;
heimlich=secretly; geduldig=patiently; gemeinsam=together/jointly; freiwillig=voluntarily
"""
"""A kind, what time the clause speaks of, and positions in English: Front, Middle, End."""

PARTICLES = "doch ja wohl eben halt"

QUESTIONS = "warum=why; wann=when; wo=where; wie oft=how often; wie lange=how long; weshalb=why"

PREPOSITIONS = """
mit.D human=with; wegen.G weather+problem=because of/due to; nach.D event=after; während.G event=during;
ohne.A human=without; vor.D event=before; trotz.G weather+problem=despite/in spite of; für.A human=for
"""

CONJUNCTIONS = """
weil same=because/since; wenn present=if/when; obwohl same=although/even though; als past=when/as;
bevor same=before; während same=while; nachdem before=after; da same=since/as; sobald present=as soon as;
falls present=if; bis same=until/till
"""
"""What time the clause speaks of, and the English."""

DETERMINERS = """
- def weak spm 30 the/the/the; ein ein mixed s 26 a//; dies strong weak spm 8 this/these/this;
dies strong weak spm 3 that/those/that; jed strong weak s 2 every//; viel strong bare p 3 -/many/-;
einig strong bare p 3 -/some/-; mehrer strong bare p 2 -/several/-; all strong weak p 2 -/all the/-;
etwas none bare m 8 -/-/some; - none bare pm 12 //; zwei none bare p 1 -/two/-; drei none bare p 1 -/three/-;
vier none bare p 0.6 -/four/-; fünf none bare p 0.4 -/five/-; zehn none bare p 0.4 -/ten/-;
sieben none bare p 0.3 -/seven/-; elf none bare p 0.1 -/eleven/-; hundert none bare p 0.1 -/a hundred/-;
mein ein mixed spm 5 my/my/my; dein ein mixed spm 3 your/your/your; sein ein mixed spm 6 his/his/his;
ihr ein mixed spm 4 her/her/her; unser ein mixed spm 3 our/our/our; ihr ein mixed spm 3 their/their/their;
Ihr ein mixed spm 1 your/your/your
"""
"""German stem, its endings, those of adjectives after it, numbers (singular, plural, mass), weight, and the
English by number: nothing, or `-` if the English noun is of a number that this does not go with."""

PRONOUNS = """
ich mich mir mich I me 0 0 12; du dich dir dich you you 1 1 7; er ihn ihm sich he him 2 2 14;
sie sie ihr sich she her 2 2 12; wir uns uns uns we us 3 3 9; ihr euch euch euch you you 4 1 3;
sie sie ihnen sich they them 5 3 9; Sie Sie Ihnen sich you you 5 1 6;
jemand jemanden jemandem sich someone someone 2 2 2; man - - sich you you 2 1 4;
niemand niemanden niemandem sich nobody nobody 2 2 2; alle alle allen sich all all 5 3 2
"""
"""German nominative, accusative, dative, reflexive; English subject, object; German and English person;
weight."""

MODALS = """
können=can/be able to=could/be able to; müssen=have to/need to=have to; wollen=want to=want to;
sollen=should/be supposed to=be supposed to; dürfen=be allowed to/may=be allowed to;
möchten=would like to=want to
"""

NAMES = """
Anna; Peter; Maria; Paul; Julia; Michael; Frau Schmidt=Mrs. Schmidt/Ms. Schmidt; Lena; Martin; Sophie;
Stefan; Karl; Eva; Frau Weber=Mrs. Weber/Ms. Weber; David; Katrin; Jan; Laura; Clara; Georg; Hannah; Thomas;
Jonas; Lukas; Emma; Mia; Ben; Felix; Moritz; Nina; Simon; Tobias; Vera; Klaus; Heinrich; Ingrid; Helga;
Dieter; Sabine; Ursula; Wolfgang; Jürgen; Renate; Gisela; Uwe; Greta; Ludwig; Franziska; Bruno; Theo;
Ottilie; Konrad; Frieda; Emil
"""

CITIES = """
Berlin; München=Munich; Wien=Vienna; Hamburg; Paris; Köln=Cologne; Deutschland=Germany; London;
Zürich=Zurich; Österreich=Austria; Rom=Rome; Frankreich=France; Brüssel=Brussels; Italien=Italy;
Nürnberg=Nuremberg; Prag=Prague; Genf=Geneva; Griechenland=Greece; Spanien=Spain; Dresden; Leipzig;
Polen=Poland; Warschau=Warsaw; Athen=Athens; Mailand=Milan; Schweden=Sweden; Bremen; Salzburg;
Lissabon=Lisbon; Madrid; Oslo; Norwegen=Norway; Ungarn=Hungary; Budapest; Irland=Ireland;
Schottland=Scotland; Venedig=Venice; Florenz=Florence; Moskau=Moscow; Japan; Tokio=Tokyo
"""

PHRASES = """
guten Morgen !=good morning !; vielen Dank !=many thanks !/thank you very much !; keine Ahnung .=no idea .;
auf Wiedersehen !=goodbye !/see you later !; das ist mir egal .=I do not care .;
wie geht es dir ?=how are you ?; es tut mir leid .=I am sorry .; mach schnell !=hurry up !/be quick !;
gute Besserung !=get well soon !; das stimmt nicht .=that is not true ./that is wrong .;
herzlichen Glückwunsch !=congratulations !; aller Anfang ist schwer .=every beginning is hard .;
Übung macht den Meister .=practice makes perfect .
"""
"""Whole sentences that are said and translated as one."""
