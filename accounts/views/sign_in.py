"""Signing in by email address, slowed down after repeated failures."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods

from accounts.views.attempts import Attempts, place_of


class SignInForm(AuthenticationForm):
    """Refuses an email address for a while after too many wrong passwords."""

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
        if self.errors:  # a field is missing: no password was tried
            return super().clean()
        attempts = self._attempts()
        if not attempts.begin():
            self.throttled = True
            raise ValidationError(self.error_messages["too_many"], code="too_many")
        cleaned = super().clean()
        attempts.succeed()
        return cleaned

    def _attempts(self) -> Attempts:
        email = str(self.cleaned_data["username"]).strip().lower()
        return Attempts(email, place_of(self.request) if self.request else "")


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SignInView(LoginView):
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: Any) -> HttpResponse:
        status = 429 if form.throttled else 400
        return self.render_to_response(self.get_context_data(form=form), status=status)
