"""What can go wrong, as exceptions with the facts a program can act on.

All are `WeftworkError`. A fault of the caller's is also a `ValueError`.
"""

from __future__ import annotations

import re


class WeftworkError(Exception):
    """Anything this package raises."""


class InvalidMessage(WeftworkError, ValueError):
    """A message is not what its API says: `index` (from 0, or None), `path`, `reason`."""

    index = None
    path = "$"
    reason = ""


class InvalidInput(WeftworkError, ValueError):
    """The input as a whole cannot be read."""


class InvalidOption(WeftworkError, ValueError):
    """An option is not one, or not with this value."""


class InvalidHistory(WeftworkError, ValueError):
    """The nodes of a conversation do not hold together: `node` names one."""

    node = None


class NothingToSend(WeftworkError, ValueError):
    """There is no message to show and no input."""


class DoesNotFit(WeftworkError):
    """What must be sent is too large: `kind`, `tokens`, `budget`, `largest`."""

    kind = "doesNotFit"
    tokens = 0
    budget = None
    largest = ()


class NeedsRepair(WeftworkError, ValueError):
    """Strict, and something had to be repaired: `node`, `kind`."""

    node = None
    kind = ""


class ProviderError(WeftworkError):
    """The provider answered with an error: `kind`, `status`, `code`."""

    kind = "other"
    status = None
    code = None


class InvalidReply(WeftworkError, ValueError):
    """A reply cannot be read."""


class InternalError(WeftworkError):
    """A fault of this package. Please report it."""


_CLASSES = {
    one.__name__: one
    for one in (
        InvalidMessage,
        InvalidInput,
        InvalidOption,
        InvalidHistory,
        NothingToSend,
        DoesNotFit,
        NeedsRepair,
        ProviderError,
        InvalidReply,
        InternalError,
    )
}


def of(name, message, facts):
    """The exception for a fault of the native part."""
    if name == "InvalidOption":
        # Options are written in snake case here.
        message = re.sub(r"(?<=[a-z])[A-Z](?=[a-z]+[`:])", lambda found: "_" + found[0].lower(), message)
    error = _CLASSES[name](message)
    for fact, value in facts.items():
        setattr(error, fact, value)
    return error
