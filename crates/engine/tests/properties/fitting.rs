//! What fitting keeps, in every order and under every strategy.

use crate::{Case, for_all};
use std::collections::BTreeSet;
use weftwork::ask::{Form, Input, Share, Strategy, ToolPolicy};
use weftwork::dialect::Dialect;
use weftwork::model::{ImportedRole, Node, Part};
use weftwork::report::{Decision, Item, Reason};
use weftwork::{AssembleError, Assembly, assemble};

fn each(case: &Case, assembly: &Assembly) -> Vec<Item> {
    assembly.each_node(&case.history())
}

fn is_cut(item: &Item) -> bool {
    item.decision == Decision::Dropped && matches!(item.reason, Reason::MiddleCut | Reason::OverBudget)
}

fn with_room(case: &Case, context: u64) -> Case {
    let mut ask = case.ask.clone();
    ask.settings.context_length = Some(context);
    Case { file: case.file.clone(), ask }
}

/// One that cuts and does not hold its cut, so that only this path and this budget decide.
fn plain(case: &mut Case) {
    case.ask.dialect = Some(Dialect::Messages);
    case.ask.settings.merge = Some(false);
    case.ask.settings.low_water = Some(Share::WHOLE);
}

#[test]
fn under_budget_nothing_is_dropped() {
    for_all(|case, _| {
        plain(case);
        case.ask.settings.max_tokens = None;
        let Ok(whole) = with_room(case, 1_000_000).run() else { return Ok(()) };
        let budget = whole.report.budget;
        let exact = budget.system + budget.tools + budget.input + budget.history + budget.reserve;
        let case = with_room(case, exact.max(2 * budget.reserve));
        let fitted = case.run().map_err(|error| error.to_string())?;
        if fitted.request != whole.request || fitted.report.truncated {
            return Err(format!("{exact}: {:?}", fitted.report.items));
        }
        Ok(())
    });
}

#[test]
fn a_larger_budget_never_keeps_fewer_tokens() {
    for_all(|case, dice| {
        case.ask.settings.low_water = Some(Share::WHOLE);
        case.ask.settings.max_tokens = None;
        case.ask.settings.token_buffer = Some(0);
        case.ask.dialect = Some(dice.pick(&[Dialect::Messages, Dialect::Anthropic, Dialect::Gemini, Dialect::OpenAi]));
        let small = 10 + dice.below(250) as u64;
        let large = small + 1 + dice.below(60) as u64;
        let (small, large) = (with_room(case, small), with_room(case, large));
        let Ok(less) = small.run() else { return Ok(()) };
        let more = large.run().map_err(|error| format!("fits into less, but: {error}"))?;
        let kept = |assembly: &Assembly| {
            let sent = each(case, assembly).into_iter().filter(|item| item.decision != Decision::Dropped);
            sent.map(|item| item.tokens).sum::<u64>()
        };
        if kept(&more) < kept(&less) {
            return Err(format!("{} then {}\n{:?}\n{:?}", kept(&less), kept(&more), less.report.items, more.report.items));
        }
        Ok(())
    });
}

#[test]
fn fitting_twice_is_fitting_once() {
    for_all(|case, _| {
        case.ask.dialect = Some(Dialect::Messages);
        case.ask.settings.merge = Some(false);
        case.ask.settings.marker = Some(false);
        case.ask.settings.window = None;
        // A held cut is found by playing the path from its root, and that would be another path.
        case.ask.settings.low_water = Some(Share::WHOLE);
        // The current turn's tool parts are others once a turn was taken out.
        if case.ask.settings.tool_policy == Some(ToolPolicy::Auto) {
            case.ask.settings.tool_policy = Some(ToolPolicy::AllOn);
        }
        case.file.head = case.ask.head.take().or(case.file.head.take());
        let Ok(once) = case.run() else { return Ok(()) };
        let items = each(case, &once);
        if items.iter().any(|item| item.decision == Decision::Shortened) {
            return Ok(());
        }
        let cut: BTreeSet<_> = items.iter().filter(|item| is_cut(item)).map(|item| item.from.clone()).collect();
        // What an edge hides would come back if the edge were taken out, and a system message could become the first.
        let role = |item: &Item| case.file.nodes.iter().find(|node| node.id == item.from).and_then(|node| node.role);
        let system = items.iter().any(|item| {
            item.decision != Decision::Dropped && item.reason != Reason::System && role(item) == Some(ImportedRole::System)
        });
        // A cut node's instructions stay in the system text: they are of what was selected.
        let odd = |node: &Node| node.context_edge || !node.sources.is_empty();
        if system || case.file.nodes.iter().any(|node| odd(node) && cut.contains(&node.id)) {
            return Ok(());
        }
        case.file.head = items.iter().rev().map(|item| item.from.clone()).find(|id| !cut.contains(id));
        if case.file.head.is_none() {
            return Ok(());
        }
        take_out(&mut case.file.nodes, &cut);
        let again = case.run().map_err(|error| format!("{error}\nafter {cut:?}"))?;
        if again.request != once.request {
            return Err(format!(
                "cut {cut:?}\n{}\n{}",
                String::from_utf8_lossy(&once.request),
                String::from_utf8_lossy(&again.request)
            ));
        }
        Ok(())
    });
}

/// Takes nodes out of their paths. They stay in the file, because others may name them.
fn take_out(nodes: &mut [Node], cut: &BTreeSet<weftwork::model::NodeId>) {
    let parents: Vec<_> = nodes.iter().map(|node| (node.id.clone(), node.parent.clone())).collect();
    let parent =
        |id: &weftwork::model::NodeId| parents.iter().find(|(node, _)| node == id).and_then(|(_, parent)| parent.clone());
    for node in nodes.iter_mut() {
        while let Some(up) = node.parent.clone().filter(|up| cut.contains(up)) {
            node.parent = parent(&up);
        }
    }
    for node in nodes.iter_mut().filter(|node| cut.contains(&node.id)) {
        node.parent = None;
    }
}

#[test]
fn what_may_not_be_removed_is_there_or_a_typed_error_says_why_not() {
    for_all(|case, _| {
        case.ask.dialect = Some(Dialect::Messages);
        let protected = protected(case);
        let assembly = match case.run() {
            Ok(assembly) => assembly,
            Err(
                AssembleError::DoesNotFit { .. }
                | AssembleError::SystemTooLarge { .. }
                | AssembleError::OverLimit { .. }
                | AssembleError::NothingToSend,
            ) => {
                return Ok(());
            }
            Err(other) => return Err(other.to_string()),
        };
        for item in each(case, &assembly).iter().filter(|item| is_cut(item)) {
            let node = case.file.nodes.iter().find(|node| node.id == item.from).expect("a node");
            if node.pinned || protected.contains(&item.from) {
                return Err(format!("{} was cut: {:?}", item.from, assembly.report.items));
            }
        }
        let body: serde_json::Value = serde_json::from_slice(&assembly.request).expect("JSON");
        if let Input::New(parts) = &case.ask.input {
            for part in parts {
                let last =
                    body["messages"].as_array().and_then(|messages| messages.last()).map(ToString::to_string).unwrap_or_default();
                if let Part::Text(text) = part {
                    let told = serde_json::to_string(text.text.trim()).expect("JSON");
                    if !last.contains(told.trim_matches('"')) {
                        return Err(format!("the input is gone: {last}"));
                    }
                }
            }
        }
        let prompt = case.file.entities[1].system_prompt.as_deref().unwrap_or_default().trim();
        if case.ask.viewer.as_ref().is_some_and(|viewer| viewer.as_str() == "a") && !prompt.is_empty() {
            let system = body["system"].as_str().unwrap_or_default();
            if !system.contains(prompt) {
                return Err(format!("the system prompt is gone: {system}"));
            }
        }
        Ok(())
    });
}

/// The question of the open turn and the newest node, found in a request with all the room there is.
fn protected(case: &Case) -> BTreeSet<weftwork::model::NodeId> {
    let mut protected = BTreeSet::new();
    let mut roomy = with_room(case, 1_000_000);
    roomy.ask.settings.merge = Some(false);
    let Ok(whole) = roomy.run() else { return protected };
    let items = each(&roomy, &whole);
    if items.iter().any(|item| item.reason == Reason::Input) || asks_something(&case.ask.input) {
        return protected;
    }
    let body: serde_json::Value = serde_json::from_slice(&whole.request).expect("JSON");
    let sent: Vec<_> = items
        .iter()
        .filter(|item| item.decision != Decision::Dropped && item.message.is_some() && item.reason != Reason::Summary)
        .collect();
    let parts =
        |item: &Item| case.file.nodes.iter().find(|node| node.id == item.from).map(|node| node.parts.clone()).unwrap_or_default();
    let results = |item: &Item| -> Vec<String> {
        parts(item)
            .into_iter()
            .filter_map(|part| if let Part::ToolResult(result) = part { Some(result.id) } else { None })
            .collect()
    };
    let spoken = |item: &Item| {
        let message = &body["messages"][item.message.unwrap_or(1) as usize - 1];
        message["content"].as_array().into_iter().flatten().any(|part| part["type"] == "toolCall")
    };
    let calls = |item: &Item, id: &str| {
        spoken(item) && parts(item).iter().any(|part| matches!(part, Part::ToolCall(call) if call.id == id))
    };
    let called =
        |item: &Item, id: &str| sent.iter().take_while(|earlier| earlier.from != item.from).any(|earlier| calls(earlier, id));
    let asks = |item: &Item| {
        let message = &body["messages"][item.message.unwrap_or(1) as usize - 1];
        let answers = message["content"].as_array().into_iter().flatten().any(|part| part["type"] == "toolResult");
        // What was written down together with a tool's answer is one with the call.
        let joined = results(item).iter().any(|id| called(item, id));
        message["role"] == "user" && !answers && !joined
    };
    // An atom is as new as its first node: a late result belongs to an old one.
    protected.extend(sent.iter().max_by_key(|item| item.message).map(|item| item.from.clone()));
    let Some(last_question) = sent.iter().rposition(|item| asks(item)) else { return protected };
    let question = sent[..=last_question].iter().rev().take_while(|item| asks(item));
    protected.extend(question.map(|item| item.from.clone()));
    protected
}

fn asks_something(input: &Input) -> bool {
    match input {
        Input::None => false,
        Input::New(parts) => parts.iter().any(|part| match part {
            Part::Text(text) => !text.text.trim().is_empty(),
            _ => true,
        }),
        Input::Node(_) => true,
    }
}

#[test]
fn order_is_kept() {
    for_all(|case, dice| {
        case.ask.dialect = Some(dice.pick(Dialect::ALL));
        let Ok(assembly) = case.run() else { return Ok(()) };
        let tools = |node: &Node| node.parts.iter().any(|part| matches!(part, Part::ToolCall(_) | Part::ToolResult(_)));
        let mut last = 0;
        for item in each(case, &assembly) {
            let node = case.file.nodes.iter().find(|node| node.id == item.from).expect("a node");
            let aside = matches!(item.reason, Reason::Summary | Reason::Input | Reason::System);
            if item.decision == Decision::Dropped || aside || tools(node) {
                continue;
            }
            let message = item.message.ok_or_else(|| format!("{} is in no message", item.from))?;
            if message < last {
                return Err(format!("{} is in message {message}, after {last}", item.from));
            }
            last = message;
        }
        Ok(())
    });
}

/// The manual tool policy with everything chosen reads every node; the others read what a window can hold.
#[test]
fn reading_lazily_equals_reading_everything() {
    for_all(|case, dice| {
        if dice.once_in(4) {
            case.ask.settings.form = Some(Form::Buffer);
        }
        case.ask.dialect = Some(dice.pick(&[Dialect::Messages, Dialect::Anthropic, Dialect::OpenAi]));
        case.ask.settings.context_length = Some(20 + dice.below(200) as u64);
        case.ask.settings.cache = Some(weftwork::ask::Cache::Off);
        case.ask.settings.tool_policy = Some(ToolPolicy::AllOn);
        let lazy = case.run();
        case.ask.settings.tool_policy = Some(ToolPolicy::Manual);
        let whole = case.run();
        match (lazy, whole) {
            (Err(_), Err(_)) => Ok(()),
            (Ok(lazy), Ok(whole)) => {
                let fates = |assembly: &Assembly| {
                    each(case, assembly).into_iter().map(|item| (item.from, item.decision, item.reason)).collect::<Vec<_>>()
                };
                let (lazy_fates, whole_fates) = (fates(&lazy), fates(&whole));
                if lazy_fates != whole_fates {
                    return Err(format!("{lazy_fates:?}\n{whole_fates:?}"));
                }
                if lazy.request != whole.request {
                    return Err(format!(
                        "{}\n{}",
                        String::from_utf8_lossy(&lazy.request),
                        String::from_utf8_lossy(&whole.request)
                    ));
                }
                Ok(())
            }
            (lazy, whole) => Err(format!("{lazy:?}\n{whole:?}")),
        }
    });
}

/// One prompt and three hundred tool calls, in any window that holds the prompt and the last of them.
#[test]
fn three_hundred_tool_calls_after_one_prompt_still_fit() {
    let histories: Vec<_> = [3, 40, 400].map(loops).into();
    for_all(|case, dice| {
        let history = &histories[dice.below(histories.len())];
        case.ask.input = Input::None;
        case.ask.head = None;
        case.ask.viewer = None;
        case.ask.settings.window = None;
        case.ask.settings.tool_policy = None;
        case.ask.settings.max_tokens = None;
        case.ask.settings.context_length = Some(700 + 37 * dice.below(200) as u64);
        case.ask.dialect = Some(dice.pick(&[Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini, Dialect::Messages]));
        if case.ask.settings.truncation_strategy == Some(Strategy::StopAtLimit) {
            return Ok(());
        }
        let assembly = assemble(history, &case.ask).map_err(|error| error.to_string())?;
        let items = assembly.each_node(history);
        let kept = |at: usize| items[at].decision != Decision::Dropped;
        if items.len() != 601 || !kept(0) || !kept(600) || !kept(599) {
            return Err(format!("{:?}", assembly.report.items));
        }
        if assembly.report.budget.history > assembly.report.budget.available {
            return Err(format!("{:?}", assembly.report.budget));
        }
        Ok(())
    });
}

fn loops(tokens: usize) -> weftwork::History {
    let mut lines = String::from("u: do it all\n");
    for n in 0..300 {
        lines += &format!("a: call(t{n} step {{\"n\":{n}}})\na: result(t{n} {})\n", crate::scene::tokens(tokens));
    }
    crate::scene::talk(&lines).history()
}
