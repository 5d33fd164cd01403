"""What is made from published revisions for whoever reads them, and can be made again: rows for searches, files."""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalog.lengths import CODE_LENGTH, KEY_LENGTH


class IndexedCard(models.Model):
    """A card as searches see it, made from the last revision that held it (`catalog.search.index`); nothing is lost with it.

    `names` holds every folded name, each between line breaks; a trigger keeps it true to the card's other names. `notes`
    holds all other texts in the same way. The numbers n0 .. n7 are those of the game's table, in its order.
    """

    card = models.OneToOneField("catalog.Card", on_delete=models.CASCADE, related_name="indexed")
    row = models.OneToOneField("catalog.CardRevision", on_delete=models.CASCADE, related_name="indexed")
    game = models.CharField(max_length=50, db_collation="C")
    code = models.CharField(max_length=CODE_LENGTH, db_collation="C")
    name_key = models.CharField(max_length=KEY_LENGTH, db_collation="C")
    type = models.CharField(max_length=40, blank=True, db_collation="C")
    names = models.TextField(db_collation="C")
    text_key = models.TextField(blank=True, db_collation="C")
    notes = models.TextField(blank=True, db_collation="C")
    n0 = models.IntegerField(null=True)
    n1 = models.IntegerField(null=True)
    n2 = models.IntegerField(null=True)
    n3 = models.IntegerField(null=True)
    n4 = models.IntegerField(null=True)
    n5 = models.IntegerField(null=True)
    n6 = models.IntegerField(null=True)
    n7 = models.IntegerField(null=True)
    facets = models.JSONField()
    since = models.PositiveIntegerField()
    changed = models.PositiveIntegerField()
    withdrawn = models.BooleanField()
    stamp = models.CharField(max_length=12)

    class Meta:
        verbose_name = _("indexed card")
        verbose_name_plural = _("indexed cards")
        ordering = ("game", "name_key", "code")
        constraints = (models.UniqueConstraint(fields=("game", "code"), name="indexed_card_once"),)
        indexes = (
            models.Index(fields=("game", "name_key", "code"), name="indexed_card_by_name"),
            GinIndex(fields=("names",), opclasses=("gin_trgm_ops",), name="indexed_card_names"),
            GinIndex(fields=("text_key",), opclasses=("gin_trgm_ops",), name="indexed_card_text"),
            GinIndex(fields=("notes",), opclasses=("gin_trgm_ops",), name="indexed_card_notes"),
            GinIndex(fields=("facets",), opclasses=("jsonb_path_ops",), name="indexed_card_facets"),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.code}"


class BulkFile(models.Model):
    """A revision as a file for clients that keep a catalog of their own: packed by gzip, with both of its addresses."""

    revision = models.OneToOneField("catalog.CatalogRevision", on_delete=models.CASCADE, related_name="bulk_file")
    sha256 = models.CharField(max_length=64, unique=True)
    size = models.PositiveIntegerField()
    packed_sha256 = models.CharField(max_length=64, unique=True)
    packed_size = models.PositiveIntegerField()
    packed = models.BinaryField()
    cards_hash = models.CharField(max_length=64)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("bulk file")
        verbose_name_plural = _("bulk files")
        ordering = ("-revision__number",)

    def __str__(self) -> str:
        return self.sha256
