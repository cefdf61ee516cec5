"""For openai-agents: a session whose history always fits.

    from weftwork.agents import FittedSession
    session = FittedSession(SQLiteSession("chat"), model="gpt-4.1", max_input=32000)
    result = await Runner.run(agent, "Hello", session=session)

The session behind it keeps everything; an agent is sent what fits. Items are read and counted once. `agents` itself is not
imported here: a session is whatever has its four methods.
"""

from __future__ import annotations

from . import History


class MemorySession:
    """A session in memory."""

    def __init__(self, session_id="memory"):
        self.session_id = session_id
        self.session_settings = None
        self._items = []

    async def get_items(self, limit=None):
        return list(self._items if limit is None else self._items[-limit:] if limit else [])

    async def add_items(self, items):
        self._items.extend(items)

    async def pop_item(self):
        return self._items.pop() if self._items else None

    async def clear_session(self):
        self._items.clear()


class FittedSession:
    """A session whose items fit into `max_input` tokens; all of them stay in the session behind it."""

    def __init__(self, session=None, *, model=None, max_input=None, **options):
        self.inner = session if session is not None else MemorySession()
        self.report = None
        self._options = {"model": model, "max_input": max_input, **options}
        self._history = None

    @property
    def session_id(self):
        return self.inner.session_id

    @property
    def session_settings(self):
        return getattr(self.inner, "session_settings", None)

    async def get_items(self, limit=None):
        history = await self._read()
        if not len(history):
            return []
        fitted = history.fit(**self._options)
        self.report = fitted.report
        items = list(fitted)
        return items if limit is None else items[-limit:] if limit else []

    async def add_items(self, items):
        await self.inner.add_items(items)
        if self._history is not None:
            self._history.extend(items)

    async def pop_item(self):
        self._history = None
        return await self.inner.pop_item()

    async def clear_session(self):
        self._history = None
        await self.inner.clear_session()

    async def _read(self):
        if self._history is None:
            self._history = History(await self.inner.get_items(), model=self._options["model"], shape="responses")
        return self._history
