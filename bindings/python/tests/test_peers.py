"""Together with the packages people use: openai, anthropic, langchain-core, openai-agents."""

import asyncio
import subprocess
import sys
import unittest

import weftwork
from provider import Provider

LONG = "word " * 120


def turns(n):
    for at in range(n):
        yield {"role": "user", "content": f"{at} {LONG}"}
        yield {"role": "assistant", "content": f"{at} {LONG}"}


class Alone(unittest.TestCase):
    def test_the_package_needs_none_of_them(self):
        code = "import sys, weftwork, weftwork.agents, weftwork.langchain; print([m for m in ('openai','anthropic','langchain_core','agents','pydantic') if m in sys.modules])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "[]")


class OpenAi(unittest.TestCase):
    def test_replies_of_the_client_are_messages_and_what_fits_is_taken(self):
        import openai
        from openai.types.chat import ChatCompletionMessage

        called = ChatCompletionMessage.model_validate(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": 1}'}}],
            }
        )
        answer = {"role": "tool", "tool_call_id": "c1", "content": "x"}
        messages = [{"role": "system", "content": "Be kind."}, *turns(8), {"role": "user", "content": "look"}, called, answer]
        with Provider() as provider:
            client = openai.OpenAI(api_key="k", base_url=provider.url + "/v1")
            fitted = weftwork.fit(messages, model="gpt-4o", max_input=900)
            self.assertIs(fitted[-2], called)
            reply = client.chat.completions.create(model="gpt-4o", messages=fitted)
            messages.append(reply.choices[0].message)
            again = weftwork.fit(messages, model="gpt-4o", max_input=900)
            self.assertIs(again[-1], reply.choices[0].message)
            client.chat.completions.create(model="gpt-4o", messages=[*again, {"role": "user", "content": "more"}])
            self.assertEqual(weftwork.decode(reply, "openai")["text"], "Fine.")
        sent = provider.bodies[0]["messages"]
        self.assertEqual((len(provider.bodies), sent[0]["role"], sent[-1]), (2, "system", answer))
        self.assertLess(len(sent), len(messages))


class Anthropic(unittest.TestCase):
    def test_marks_are_placed_and_taken(self):
        import anthropic

        messages = [*turns(8), {"role": "user", "content": "go"}]
        with Provider() as provider:
            client = anthropic.Anthropic(api_key="k", base_url=provider.url)
            body = {"model": "claude-sonnet-5", "max_tokens": 64, "system": "Be kind. " * 400, "messages": messages}
            reply = client.messages.create(**weftwork.fit(body, max_input=4000, cache="advance"))
            messages.append({"role": reply.role, "content": reply.content})
            fitted = weftwork.fit([*messages, {"role": "user", "content": "more"}], max_input=700)
            client.messages.create(model="claude-sonnet-5", max_tokens=64, messages=fitted)
        first, second = provider.bodies
        self.assertEqual(first["system"][-1]["cache_control"], {"type": "ephemeral"})
        self.assertEqual(second["messages"][-2]["content"][0]["text"], "Fine.")


class LangChain(unittest.TestCase):
    def test_the_trimmer_keeps_objects_and_pairs(self):
        from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

        from weftwork.langchain import trim_messages

        messages = [SystemMessage("Be kind.")]
        for at in range(20):
            call = {"id": f"c{at}", "name": "look", "args": {"at": at}, "type": "tool_call"}
            messages += [HumanMessage(f"{at} {LONG}"), AIMessage("", tool_calls=[call])]
            messages += [ToolMessage("x", tool_call_id=call["id"]), AIMessage(LONG)]
        trimmed = trim_messages(messages, max_tokens=700, token_counter="gpt-4o")
        self.assertIs(trimmed[0], messages[0])
        self.assertEqual([one.type for one in trimmed[1:]], ["human", "ai", "tool", "ai"] * 2)
        self.assertTrue(all(one is other for one, other in zip(trimmed[1:], messages[-8:])))
        cut = trim_messages(messages, max_tokens=900, token_counter="o200k", strategy="truncateMiddle")
        self.assertEqual([one.content for one in cut if "omitted" in one.content], ["[… 68 messages omitted …]"])

    def test_it_gives_what_langchains_own_gives_where_that_is_valid(self):
        from langchain_core.messages import convert_to_messages
        from langchain_core.messages import trim_messages as theirs

        from weftwork.langchain import trim_messages

        messages = convert_to_messages([{"role": "system", "content": "Be kind."}, *turns(12)])

        def count(some):
            return sum(weftwork.count(one.content, counter="o200k")["total"] + 4 for one in some)

        for most in (300, 520, 800, 1111, 5000):
            own = theirs(messages, max_tokens=most, token_counter=count, strategy="last", include_system=True, start_on="human")
            self.assertEqual(trim_messages(messages, max_tokens=most, token_counter="o200k"), own, most)

    def test_it_goes_before_a_model(self):
        from langchain_core.language_models import FakeListChatModel

        from weftwork.langchain import trim_messages

        chain = trim_messages(max_tokens=600, token_counter="gpt-4o") | FakeListChatModel(responses=["ok"])
        self.assertEqual(chain.invoke([*turns(9), {"role": "user", "content": "go"}]).content, "ok")


class Agents(unittest.TestCase):
    def test_a_session_keeps_everything_and_sends_what_fits(self):
        from agents import Agent, OpenAIChatCompletionsModel, Runner, SQLiteSession, set_tracing_disabled
        from agents.memory import Session
        from openai import AsyncOpenAI

        from weftwork.agents import FittedSession

        set_tracing_disabled(True)

        async def talk(provider, session):
            client = AsyncOpenAI(api_key="k", base_url=provider.url + "/v1")
            agent = Agent(name="A", instructions="Be kind.", model=OpenAIChatCompletionsModel(model="gpt-4o", openai_client=client))
            for at in range(12):
                result = await Runner.run(agent, f"{at} {LONG}", session=session)
                self.assertEqual(result.final_output, "Fine.")
            return await session.inner.get_items()

        for inner in (None, SQLiteSession("chat")):
            session = FittedSession(inner, model="gpt-4o", max_input=600)
            self.assertIsInstance(session, Session)
            with Provider() as provider:
                items = asyncio.run(talk(provider, session))
            self.assertEqual(len(items), 24)
            self.assertEqual(len(provider.bodies), 12)
            self.assertLess(len(provider.bodies[-1]["messages"]), 20)
            self.assertTrue(session.report["truncated"])


if __name__ == "__main__":
    unittest.main()
