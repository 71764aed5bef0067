"""Signing in by email address, slowed down after repeated failures."""

from hashlib import sha256
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

MOST_FAILURES = 5
WAIT_S = 15 * 60


class SignInForm(AuthenticationForm):
    """Refuses an address for a while after five wrong passwords from one place.

    The count is in the cache, so with the default one it is kept by each process.
    """

    error_messages = {
        "invalid_login": "The email address and the password do not go together.",
        "inactive": "This account is switched off.",
        "too_many": "Too many failures for this address; try again in 15 minutes.",
    }

    def __init__(self, request: HttpRequest | None = None, **kwargs: Any) -> None:
        super().__init__(request, **kwargs)
        self.throttled = False
        self.fields["username"].label = "Email address"
        self.fields["username"].widget = forms.EmailInput(
            attrs={"autocomplete": "username", "autofocus": True}
        )

    def clean(self) -> dict[str, Any]:
        key = self._key()
        if cache.get(key, 0) >= MOST_FAILURES:
            self.throttled = True
            raise ValidationError(self.error_messages["too_many"], code="too_many")
        try:
            cleaned = super().clean()
        except ValidationError:
            cache.set(key, cache.get(key, 0) + 1, WAIT_S)
            raise
        cache.delete(key)
        return cleaned

    def _key(self) -> str:
        email = str(self.cleaned_data.get("username", "")).strip().lower()
        place = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        return f"sign-in:{sha256(f'{place} {email}'.encode()).hexdigest()}"


class SignInView(LoginView):
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: Any) -> HttpResponse:
        status = 429 if form.throttled else 400
        return self.render_to_response(self.get_context_data(form=form), status=status)
