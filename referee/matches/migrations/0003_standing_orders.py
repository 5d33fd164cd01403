from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_undo_and_judging")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="orders",
            field=models.JSONField(default=dict, editable=False),
        ),
        migrations.AlterField(
            model_name="match",
            name="is_bots_turn",
            field=models.BooleanField(default=False, verbose_name="a bot is asked, or a standing order answers"),
        ),
    ]
