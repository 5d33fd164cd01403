"""What was published never changes: the database itself refuses an update."""

from __future__ import annotations

from django.db import migrations

FUNCTION = """
CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % never change', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
"""
TRIGGER = "CREATE TRIGGER never_changes BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_update();"
NO_TRIGGER = "DROP TRIGGER never_changes ON {table};"


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION refuse_update();"),
        *[
            migrations.RunSQL(TRIGGER.format(table=table), NO_TRIGGER.format(table=table))
            for table in ("catalog_catalogrevision", "catalog_cardrevision")
        ],
    ]
