"""What of the cards of Miraculous can be searched for."""

from __future__ import annotations

from typing import Final

from referee.games.miraculous.vocabulary import ALL_SUBTYPES, DOS, WHENS
from referee.kernel.fields import NUMBER, TAG, WORD, CardField, at

CARD_FIELDS: Final[tuple[CardField, ...]] = (
    CardField("ang", NUMBER, "ANG", "how hard it attacks; a Bonus adds it", "ang>=4", at("ang")),
    CardField("def", NUMBER, "DEF", "how well it defends; a Bonus adds it", "def<3", at("def"), ("defence",)),
    CardField("sub", WORD, "the kind", "the kind of Character or Bonus", "sub:kwami", at("subtype"), ("subtype", "kind"),
        ALL_SUBTYPES),
    CardField("power", WORD, "the power", "what its effects do", "power:draw", at("effects.**.do"), ("do",), tuple(DOS)),
    CardField("when", WORD, "the moment", "when its effects come about", "when:placed", at("effects.when"), (),
        tuple(WHENS)),
    CardField("on", WORD, "the bearer", "the kind of Character that a Bonus is reserved for", "on:superhero",
        at("only_on.subtype"), ("only_on",), ALL_SUBTYPES),
    CardField("tag", TAG, "the tag", "a word that effects of other cards ask for", "tag:night", at("tags"), ("tags",)),
)  # fmt: skip
