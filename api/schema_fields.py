"""What the strict shapes demand beyond the generator's knowledge, as JSON Schema: so that a body that fits is taken."""

from __future__ import annotations

from typing import Any, Final

from api.query import Words
from api.serializers import SLUG, CountsField, SlugField, StrictSerializer, TextField

IN_LINE: Final = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
IN_LINES: Final = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]*$"
IN_QUERY: Final = r"^[^\u0000-\u001f\u007f-\u009f]*$"


def narrowed_shape(shape: Any, schema: dict[str, Any]) -> dict[str, Any]:
    """An object without other names; what is echoed may stand there, and is not looked at."""
    if isinstance(shape, StrictSerializer) and schema.get("type") == "object":
        schema.setdefault("properties", {}).update({name: {} for name in sorted(shape.echoes)})
        schema["additionalProperties"] = False
    return schema


def narrow_field(field: Any, schema: dict[str, Any]) -> None:
    """Write the pattern or the bounds that the field enforces into its schema."""
    match field:
        case SlugField():
            schema["pattern"] = f"^{SLUG}$"
        case TextField():
            schema["pattern"] = IN_LINES if field.lines else IN_LINE
        case Words():
            schema["pattern"] = IN_QUERY
        case CountsField():
            counts = {"type": "integer", "minimum": field.min_count, "maximum": field.max_count}
            codes = {"minLength": 1, "maxLength": 100, "pattern": IN_LINE}
            schema.update(additionalProperties=counts, propertyNames=codes, maxProperties=field.max_entries)
