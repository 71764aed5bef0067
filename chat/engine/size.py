"""How long the next request is, as far as anybody can tell before it is sent."""

from math import ceil

from chat.engine.context.tokens import CHARS_PER_TOKEN
from chat.engine.context.transcript import Transcript
from chat.engine.model import Usage


class PromptSize:
    """The provider's last count of the transcript, and our estimate of what came since.

    Where our estimate alone is higher it wins: better a little room unused than a
    request that is refused.
    """

    def __init__(self, transcript: Transcript, window: int | None = None) -> None:
        self._transcript = transcript
        self._window = window
        self._counted = self._estimated = 0

    def measure(self, usage: Usage | None) -> None:
        """Take the provider's count of everything said so far, the reply included.

        More than the window holds was read in several rounds of the provider's own, and
        says nothing of the transcript.
        """
        if usage is None or not usage.prompt_tokens:
            return
        if self._window is None or usage.prompt_tokens <= self._window:
            self.counted(usage.total_tokens)

    def counted(self, tokens: int) -> None:
        """Take a provider's count of the transcript as it stands."""
        self._counted, self._estimated = tokens, max(1, self._transcript.tokens)

    @property
    def tokens(self) -> int:
        """Tokens of the transcript with what every request carries."""
        estimate = self._transcript.tokens
        if not self._counted:
            return estimate
        if estimate < self._estimated:
            # No text has more tokens than characters: what was counted beyond that was
            # of what is gone, or the next request will tell.
            counted = min(self._counted, CHARS_PER_TOKEN * self._estimated)
            calibrated = ceil(counted * estimate / self._estimated)
        else:
            calibrated = self._counted + estimate - self._estimated
        return max(estimate, calibrated)

    def in_estimate(self, tokens: int) -> int:
        """Translate a limit in the provider's count into the transcript's estimate."""
        counted, estimated = self._counted, self._estimated
        if not counted:
            return tokens
        if tokens >= counted:
            return min(tokens, tokens - counted + estimated)
        return min(tokens, tokens * estimated // counted)
