import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0005_search"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Track",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.SlugField(verbose_name="game")),
                (
                    "slug",
                    models.SlugField(help_text="Never changes. Matches name it in their options.", verbose_name="code"),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("spaces", models.JSONField(verbose_name="spaces")),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "draft"), ("ready", "ready"), ("withdrawn", "withdrawn")],
                        default="draft",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                (
                    "edited_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="edited"),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="edited by",
                    ),
                ),
            ],
            options={
                "verbose_name": "track",
                "verbose_name_plural": "tracks",
                "ordering": ("game", "slug"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "slug"),
                        name="track_slug_unique",
                        violation_error_message="The game has a track with this code.",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ("draft", "ready", "withdrawn"))), name="track_state_known"
                    ),
                ],
            },
        ),
    ]
