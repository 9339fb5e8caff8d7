"""An independent check of German noun phrases: articles and endings typed from a grammar book."""

from functools import cache

from tunesmith.generated.lexicon import lexicon, rows
from tunesmith.generated.words import ADJECTIVES

CASES = ("nom", "acc", "dat", "gen")

Table = dict[str, tuple[str, ...]]
"""Forms by gender, in the order of cases; a dash is an empty one."""


def _table(rows: str) -> Table:
    return {row.split()[0]: tuple(form.strip("-") for form in row.split()[1:]) for row in rows.split(";")}


DEFINITE = _table("m der den dem des; f die die der der; n das das dem des; p die die den der")
EIN = _table("m - en em es; f e e er er; n - - em es; p e e en er")
DIESER = _table("m er en em es; f e e er er; n es es em es; p e e en er")
AFTER_DER = _table("m e en en en; f e e en en; n e e en en; p en en en en")
AFTER_EIN = _table("m er en en en; f e e en en; n es es en en; p en en en en")
AFTER_NOTHING = _table("m er en em en; f e e er er; n es es em en; p e e en er")
CONTRACTED = dict.fromkeys(["im", "am", "zum", "vom", "beim"], "dem") | {
    "zur": "der",
    "ins": "das",
    "ans": "das",
}
EIN_STEMS = ("ein", "kein", "mein", "dein", "sein", "unser")
DER_STEMS = ("dies", "jed", "welch")
BARE_STEMS = ("viel", "einig", "mehrer", "wenig")

Cell = tuple[str, str]


def _with_endings(stems: tuple[str, ...], endings: Table) -> dict[str, set[Cell]]:
    found: dict[str, set[Cell]] = {}
    for stem in stems:
        for gender, row in endings.items():
            for case, ending in zip(CASES, row, strict=True):
                found.setdefault(stem + ending, set()).add((gender, case))
    return found


@cache
def determiners() -> dict[str, tuple[set[Cell], Table]]:
    """Return the cells of every determiner, and the endings of adjectives after it."""
    table = {}
    articles = {word: set[Cell]() for row in DEFINITE.values() for word in row}
    for gender, row in DEFINITE.items():
        for case, word in zip(CASES, row, strict=True):
            articles[word].add((gender, case))
    for word, article in CONTRACTED.items():
        case = "acc" if article == "das" else "dat"
        table[word] = ({cell for cell in articles[article] if cell[1] == case}, AFTER_DER)
    table |= {word: (cells, AFTER_DER) for word, cells in articles.items()}
    table |= {word: (cells, AFTER_EIN) for word, cells in _with_endings(EIN_STEMS, EIN).items()}
    table |= {word: (cells, AFTER_DER) for word, cells in _with_endings(DER_STEMS, DIESER).items()}
    plural = {gender: row for gender, row in DIESER.items() if gender == "p"}
    table |= {word: (cells, AFTER_NOTHING) for word, cells in _with_endings(BARE_STEMS, plural).items()}
    return table


@cache
def nouns() -> dict[str, set[Cell]]:
    """Return the cells of every noun form."""
    cells: dict[str, set[Cell]] = {}
    for noun in lexicon().nouns.values():
        for i, form in enumerate(noun.forms):
            if i > 3 or noun.gender not in "pc":
                gender = {"w": "m"}.get(noun.gender.lower(), noun.gender.lower()) if i < 4 else "p"
                cells.setdefault(form, set()).add((gender, CASES[i % 4]))
    return cells


@cache
def adjectives() -> dict[str, set[str]]:
    """Return the endings that every inflected adjective may have."""
    endings: dict[str, set[str]] = {}
    irregular = {"teuer": "teur", "hoch": "hoh", "dunkel": "dunkl", "müde": "müd"}
    for row in rows(ADJECTIVES):
        lemma = row.split()[0].split(",")[0]
        for ending in ("e", "en", "er", "es", "em"):
            endings.setdefault(irregular.get(lemma, lemma) + ending, set()).add(ending)
    return endings


def phrase_errors(sentence: str) -> tuple[int, list[str]]:
    """Count the noun phrases with a determiner in a German sentence, and return the wrong ones."""
    words = sentence.split()
    checked, wrong = 0, []
    for i, word in enumerate(words):
        lower = word.lower() if i == 0 else word
        # After a comma `der` may be a relative pronoun.
        if lower not in determiners() or (i > 0 and words[i - 1] in (",", "als", "wie")):
            continue
        cells, after = determiners()[lower]
        j = i + 1
        endings = []
        while j < len(words) and (words[j] == "sehr" or words[j] in adjectives()):
            if words[j] != "sehr":
                endings.append(adjectives()[words[j]])
            j += 1
        if j == len(words) or words[j] not in nouns():
            continue
        checked += 1
        fitting = [
            (gender, case)
            for gender, case in cells & nouns()[words[j]]
            if all(after[gender][CASES.index(case)] in ending for ending in endings)
        ]
        if not fitting:
            wrong.append(" ".join(words[i : j + 1]))
    return checked, wrong
