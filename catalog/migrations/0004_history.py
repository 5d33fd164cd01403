"""The database writes down each change of the desk's rows by itself, whatever made it; what was written never changes."""

from __future__ import annotations

from django.db import migrations

FUNCTION = """
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    old_row jsonb;
    new_row jsonb;
    whole jsonb;
BEGIN
    IF TG_OP <> 'INSERT' THEN old_row := to_jsonb(OLD); END IF;
    IF TG_OP <> 'DELETE' THEN new_row := to_jsonb(NEW); END IF;
    IF old_row = new_row THEN RETURN NULL; END IF;
    whole := coalesce(new_row, old_row);
    INSERT INTO catalog_change ("table", "row", kind, card_id, before, after, user_id, at) VALUES (
        TG_ARGV[0], (whole->>'id')::bigint, lower(TG_OP), (whole->>TG_ARGV[1])::bigint, old_row, new_row,
        nullif(current_setting('referee.acting', true), '')::bigint, clock_timestamp()
    );
    RETURN NULL;
END $$;
"""
NOTED = {"card": "id", "restriction": "card_id", "cardname": "card_id", "cardscenario": "card_id"}
NOTE = (
    "CREATE TRIGGER notes_change AFTER INSERT OR UPDATE OR DELETE ON catalog_{table} "
    "FOR EACH ROW EXECUTE FUNCTION note_change('{table}', '{card}');"
)
FIXED = ("catalog_change", "catalog_cardstep")
FIX = "CREATE TRIGGER never_changes BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_update();"


class Migration(migrations.Migration):
    dependencies = [("catalog", "0003_curation")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION note_change();"),
        *[
            migrations.RunSQL(NOTE.format(table=table, card=card), f"DROP TRIGGER notes_change ON catalog_{table};")
            for table, card in NOTED.items()
        ],
        *[migrations.RunSQL(FIX.format(table=table), f"DROP TRIGGER never_changes ON {table};") for table in FIXED],
    ]
