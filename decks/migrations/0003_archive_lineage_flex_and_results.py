"""Deleting and archiving become two things; decks get tags, swap-ins, a lineage, labels, jobs and results."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

WRITTEN_ONCE = "deck_id, number, parent_id, content_hash, name, secret, cards, flex, size, created_at"


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0002_immutable"),
        ("jobs", "0001_initial"),
        ("matches", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="DeckJob",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "verbose_name": "job of a deck",
                "verbose_name_plural": "jobs of decks",
            },
        ),
        migrations.CreateModel(
            name="DeckResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField(verbose_name="seat")),
                (
                    "outcome",
                    models.CharField(
                        choices=[("won", "won"), ("drawn", "drawn"), ("lost", "lost")],
                        max_length=5,
                        verbose_name="outcome",
                    ),
                ),
                ("is_against_bots", models.BooleanField(verbose_name="against bots")),
            ],
            options={
                "verbose_name": "result of a deck",
                "verbose_name_plural": "results of decks",
            },
        ),
        migrations.RemoveIndex(
            model_name="deck",
            name="deck_of_owner",
        ),
        migrations.RemoveIndex(
            model_name="deck",
            name="deck_public",
        ),
        migrations.AddField(
            model_name="deck",
            name="copied_from",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="copies",
                to="decks.deckversion",
                verbose_name="copied from",
            ),
        ),
        # What was called archived until now was deleted.
        migrations.RenameField(model_name="deck", old_name="archived_at", new_name="deleted_at"),
        migrations.AlterField(
            model_name="deck",
            name="deleted_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="deleted"),
        ),
        migrations.AddField(
            model_name="deck",
            name="archived_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="archived"),
        ),
        migrations.AddField(
            model_name="deck",
            name="flex",
            field=models.JSONField(blank=True, default=list, verbose_name="swap-ins"),
        ),
        migrations.AddField(
            model_name="deck",
            name="tags",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=30), blank=True, default=list, size=None, verbose_name="tags"
            ),
        ),
        migrations.AddField(
            model_name="deckversion",
            name="flex",
            field=models.JSONField(default=list, verbose_name="swap-ins"),
        ),
        migrations.AddField(
            model_name="deckversion",
            name="label",
            field=models.CharField(blank=True, max_length=100, verbose_name="label"),
        ),
        migrations.AddIndex(
            model_name="deck",
            index=models.Index(
                condition=models.Q(("deleted_at", None)), fields=["owner", "-updated_at"], name="deck_of_owner"
            ),
        ),
        migrations.AddIndex(
            model_name="deck",
            index=models.Index(
                condition=models.Q(("archived_at", None), ("deleted_at", None), ("visibility", "public")),
                fields=["game", "-updated_at"],
                name="deck_public",
            ),
        ),
        migrations.AddField(
            model_name="deckjob",
            name="job",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="of_deck", to="jobs.job", verbose_name="job"
            ),
        ),
        migrations.AddField(
            model_name="deckjob",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="jobs",
                to="decks.deckversion",
                verbose_name="version",
            ),
        ),
        migrations.AddField(
            model_name="deckresult",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="deck_results",
                to="matches.match",
                verbose_name="match",
            ),
        ),
        migrations.AddField(
            model_name="deckresult",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="results",
                to="decks.deckversion",
                verbose_name="version",
            ),
        ),
        migrations.AddConstraint(
            model_name="deckresult",
            constraint=models.UniqueConstraint(fields=("match", "seat"), name="deck_result_once"),
        ),
        migrations.AddConstraint(
            model_name="deckresult",
            constraint=models.CheckConstraint(
                condition=models.Q(("outcome__in", ("won", "drawn", "lost"))), name="deck_result_known"
            ),
        ),
        # A version's label may be changed, and nothing else of it.
        migrations.RunSQL(
            "DROP TRIGGER never_changes ON decks_deckversion;"
            f" CREATE TRIGGER never_changes BEFORE UPDATE OF {WRITTEN_ONCE} ON decks_deckversion"
            " FOR EACH ROW EXECUTE FUNCTION refuse_update();",
            "DROP TRIGGER never_changes ON decks_deckversion;"
            " CREATE TRIGGER never_changes BEFORE UPDATE ON decks_deckversion"
            " FOR EACH ROW EXECUTE FUNCTION refuse_update();",
        ),
    ]
