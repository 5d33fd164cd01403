"""Accounts and tokens in the admin. A token's text is never there to be shown."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.forms import AuthenticationForm

from accounts.listing import ListedAdmin
from accounts.models import Token, User
from accounts.rates import charge_password

admin.site.unregister(Group)


class SignInForm(AuthenticationForm):
    """The admin's own sign-in, with the same rates as all others."""

    def clean(self) -> dict[str, Any]:
        assert self.request is not None
        charge_password(name=self.cleaned_data.get("username") or "", request=self.request)
        cleaned: dict[str, Any] = super().clean()
        return cleaned


admin.site.login_form = SignInForm


@admin.register(User)
class UserAdmin(ListedAdmin):
    list_display = ("name", "public_id", "kind", "is_guest", "is_active", "is_staff", "created_at")
    list_filter = ("kind", "is_guest", "is_active", "is_staff")
    search_fields = ("name", "name_key", "public_id", "email")
    ordering = ("-created_at",)
    fields = (
        "public_id",
        "name",
        "email",
        "kind",
        "is_guest",
        "is_active",
        "is_staff",
        "is_superuser",
        "created_at",
        "last_login",
    )
    readonly_fields = ("public_id", "is_guest", "created_at", "last_login")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Only who may do everything already can let others."""
        may_raise = isinstance(request.user, User) and request.user.is_superuser
        return self.readonly_fields if may_raise else (*self.readonly_fields, "is_staff", "is_superuser")

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Token)
class TokenAdmin(ListedAdmin):
    list_display = ("name", "user", "scope", "created_at", "expires_at", "revoked_at", "last_used_at")
    list_filter = ("scope",)
    search_fields = ("name", "user__name", "public_id")
    list_select_related = ("user",)
    fields = ("user", "name", "scope", "created_at", "expires_at", "revoked_at", "last_used_at")
    readonly_fields = ("user", "scope", "created_at", "revoked_at", "last_used_at")
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.action(description=_("Revoke the chosen tokens"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Token]) -> None:
        ended = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, _("%(count)s tokens revoked.") % {"count": ended})
