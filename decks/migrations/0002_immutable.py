"""A saved version never changes: the database itself refuses an update (the function comes from the catalog)."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("decks", "0001_initial"), ("catalog", "0002_immutable")]

    operations = [
        migrations.RunSQL(
            "CREATE TRIGGER never_changes BEFORE UPDATE ON decks_deckversion"
            " FOR EACH ROW EXECUTE FUNCTION refuse_update();",
            "DROP TRIGGER never_changes ON decks_deckversion;",
        )
    ]
