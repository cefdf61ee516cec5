//! Calls as rows.

use super::blob::{self, AskBlobs, Blob};
use super::hold;
use super::model::{
    CallEnd, CallRecord, CallStart, Cost, Exchange, Measured, More, Outcome, buckets, outcome_number, purpose_number,
};
use crate::error::{Result, StoreError};
use crate::node::{Key, at_id, check_id, last_key};
use crate::space::{SpaceRow, check_text, entity_row, find_space};
use crate::sql::{Row, Tx, args};
use weftwork::model::{Bytes, Call, EntityId, NodeId, Purpose, SpaceId, Timestamp, Usage};

/// The columns that [`record`] reads, of calls c, spaces s, and nodes n and entities e where there are any.
macro_rules! columns {
    () => {
        "s.id, c.id, c.purpose, n.id, e.id, c.run, c.model, c.at, c.duration, c.outcome, c.input, c.output, c.cache_read, \
         c.cache_write, c.estimated, c.cost, c.more, c.node, w.id \
         FROM calls c LEFT JOIN spaces s ON s.no = c.space LEFT JOIN nodes n ON n.key = c.node LEFT JOIN entities e ON e.no = c.agent \
         LEFT JOIN entities w ON w.no = c.account"
    };
}
pub(super) use columns;

/// What goes out with a call, ready to be kept.
pub(super) struct SentBytes {
    ask: AskBlobs,
    request: Blob,
    report: Option<Blob>,
}

impl SentBytes {
    pub(super) fn of(start: &CallStart) -> SentBytes {
        let report = start.report.as_deref().map(Blob::of);
        SentBytes { ask: AskBlobs::of(&start.ask), request: Blob::of(&start.request), report }
    }
}

/// Writes a call that is about to be sent, and says its number.
pub(super) fn begin(tx: &mut Tx<'_>, space: Option<&SpaceId>, start: &CallStart, bytes: &SentBytes) -> Result<i64> {
    const SQL: &str = "INSERT INTO calls(id, space, node, agent, run, purpose, model, at, estimated, more, ask, request, \
                       process, after, frame, account, report) \
                       VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) \
                       ON CONFLICT DO NOTHING RETURNING no";
    check_id(&start.id)?;
    check_text("a call's run", start.run.as_deref().unwrap_or(""))?;
    check_text("a call's model", start.model.as_deref().unwrap_or(""))?;
    let row = found(tx, space)?;
    let node = node_key(tx, row.as_ref(), start.node.as_ref())?;
    let agent = agent_no(tx, start.agent.as_ref())?;
    let more = packed(&More { prices: start.prices, ..More::default() })?;
    let last = row.as_ref().map(|(_, row)| last_key(tx, row.no)).transpose()?;
    let account = agent_no(tx, start.account.as_ref())?;
    let SentBytes { ask, request, report } = bytes;
    let report = report.as_ref().filter(|_| row.is_none());
    blob::put(tx, &ask.all().chain([request]).chain(report).collect::<Vec<_>>())?;
    let args = args![
        &start.id,
        row.as_ref().map(|(_, row)| row.no),
        node,
        agent,
        start.run.as_deref(),
        purpose_number(start.purpose),
        start.model.as_deref(),
        start.at,
        more.as_ref(),
        ask.rest.hash.as_slice(),
        request.hash.as_slice(),
        tx.writer(),
        last.map(|last| last.0),
        ask.frame.as_ref().map(|frame| frame.hash.as_slice()),
        account,
        report.map(|report| report.hash.as_slice()),
    ];
    let number = tx.first(SQL, args, |row| row.int(0))?;
    number.ok_or_else(|| StoreError::Taken { what: "call", id: start.id.clone() })
}

/// Writes how a call ended, and settles what was reserved for it. That is said once.
pub(super) fn end(tx: &mut Tx<'_>, space: Option<&SpaceId>, id: &str, end: &CallEnd, response: Option<&Blob>) -> Result<()> {
    const FIND: &str =
        "SELECT outcome, more, node, no FROM calls WHERE space IS NOT DISTINCT FROM ?1 AND id = ?2 /*pg FOR UPDATE*/";
    const SQL: &str = "UPDATE calls SET outcome = ?3, node = ?4, duration = ?5, input = ?6, output = ?7, cache_read = ?8, \
                       cache_write = ?9, estimated = ?10, cost = ?11, more = ?12, response = ?13 WHERE space IS NOT DISTINCT FROM ?1 AND id = ?2";
    let row = found(tx, space)?;
    let no = row.as_ref().map(|(_, row)| row.no);
    let found = tx.first(FIND, args![no, id], |row| {
        Ok((row.maybe_int(0)?, unpacked(row.maybe_text(1)?)?, row.maybe_int(2)?, row.int(3)?))
    })?;
    let Some((outcome, before, node, number)) = found else { return Err(no_call(space, id)) };
    if outcome.is_some() {
        return Err(StoreError::CallEnded { call: id.to_owned() });
    }
    let node = node_key(tx, row.as_ref(), end.node.as_ref())?.or(node);
    let more = packed(&More { raw_usage: end.raw_usage.clone(), ..before })?;
    blob::put(tx, &response.into_iter().collect::<Vec<_>>())?;
    let [input, output, cache_read, cache_write] = buckets(end.usage);
    let args = args![
        no,
        id,
        outcome_number(end.outcome),
        node,
        end.duration_ms.map(|millis| millis as i64),
        input,
        output,
        cache_read,
        cache_write,
        end.measured == Measured::Estimated,
        end.cost.map(Cost::as_billionths),
        more.as_ref(),
        response.map(|response| response.hash.as_slice()),
    ];
    tx.run(SQL, args)?;
    hold::settle(tx, number, end.cost)
}

/// Writes a call of a file. A later record of an id replaces an earlier one, unless it knows less.
pub(super) fn import(tx: &mut Tx<'_>, space: &SpaceId, call: &Call) -> Result<()> {
    const SQL: &str = "INSERT INTO calls(id, space, node, agent, run, purpose, model, at, duration, outcome, input, output, \
                       cache_read, cache_write, estimated, cost, more, ask, request, response, frame) \
                       VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)";
    check_id(&call.id)?;
    check_text("a call's model", call.model.as_deref().unwrap_or(""))?;
    check_text("a call's run", call.run.as_deref().unwrap_or(""))?;
    let row = find_space(tx, space)?;
    if !make_room(tx, row.no, call)? {
        return Ok(());
    }
    // A file may name what it does not hold.
    let node = match &call.node {
        Some(node) => at_id(tx, row.no, node.as_str())?.map(|place| place.key.0),
        None => None,
    };
    let at = call.created_at.as_ref().map(Timestamp::millis);
    let exact = at.and_then(Timestamp::from_millis);
    let more = packed(&More {
        at: call.created_at.clone().filter(|time| exact.as_ref().is_none_or(|kept| kept.as_str() != time.as_str())),
        raw_usage: call.raw_usage.clone(),
        prices: call.prices,
        stated: call.cost_usd,
    })?;
    let ask = call.ask.as_ref().map(|bytes| AskBlobs::of(&bytes.0));
    let blobs = [&call.request, &call.response].map(|bytes| bytes.as_ref().map(|bytes| Blob::of(&bytes.0)));
    blob::put(tx, &ask.iter().flat_map(AskBlobs::all).chain(blobs.iter().flatten()).collect::<Vec<_>>())?;
    let [request, response] = blobs.each_ref().map(|blob| blob.as_ref().map(|blob| blob.hash.as_slice()));
    let [input, output, cache_read, cache_write] = buckets(call.usage);
    let args = args![
        &call.id,
        row.no,
        node,
        agent_no(tx, call.agent.as_ref())?,
        call.run.as_deref(),
        purpose_number(call.purpose),
        call.model.as_deref(),
        at,
        call.duration_ms.map(|millis| millis as i64),
        call.outcome.map(outcome_number),
        input,
        output,
        cache_read,
        cache_write,
        call.estimated,
        call.cost_usd.map(|usd| Cost::from_usd(usd).as_billionths()),
        more.as_ref(),
        ask.as_ref().map(|ask| ask.rest.hash.as_slice()),
        request,
        response,
        ask.as_ref().and_then(|ask| ask.frame.as_ref()).map(|frame| frame.hash.as_slice()),
    ];
    tx.run(SQL, args)?;
    Ok(())
}

/// Takes away a record of the same call that knows less; says whether there is room for the new one.
fn make_room(tx: &mut Tx<'_>, space: i64, call: &Call) -> Result<bool> {
    const FIND: &str = "SELECT input, ask, process FROM calls WHERE space = ?1 AND id = ?2";
    let found = tx.first(FIND, args![space, &call.id], |row| {
        Ok((row.maybe_int(0)?.is_some(), row.maybe_bytes(1)?.is_some() || row.maybe_int(2)?.is_some()))
    })?;
    match found {
        None => Ok(true),
        // One of our own is whole.
        Some((_, true)) => Ok(false),
        Some((used, false)) if used && call.usage.is_none() => Ok(false),
        Some(_) => {
            tx.run("DELETE FROM calls WHERE space = ?1 AND id = ?2", args![space, &call.id])?;
            Ok(true)
        }
    }
}

/// A call from its row.
pub(super) fn record(row: &Row<'_>) -> Result<CallRecord> {
    let more = unpacked(row.maybe_text(16)?)?;
    Ok(CallRecord {
        space: row.maybe_text(0)?.map(SpaceId::from),
        id: row.text(1)?.to_owned(),
        purpose: purpose(row.int(2)?)?,
        node: row.maybe_text(3)?.map(NodeId::from),
        agent: row.maybe_text(4)?.map(EntityId::from),
        account: row.maybe_text(18)?.map(EntityId::from),
        run: row.maybe_text(5)?.map(str::to_owned),
        model: row.maybe_text(6)?.map(str::to_owned),
        at: more.at.or(row.maybe_int(7)?.and_then(Timestamp::from_millis)),
        duration_ms: row.maybe_int(8)?.map(|millis| millis as u64),
        outcome: row.maybe_int(9)?.map(outcome).transpose()?,
        usage: usage(row, 10)?,
        measured: if row.int(14)? == 0 { Measured::Reported } else { Measured::Estimated },
        raw_usage: more.raw_usage,
        cost: row.maybe_int(15)?.map(Cost::billionths),
        prices: more.prices,
    })
}

/// The engine's form of a call, as files have it.
pub(super) fn to_call(record: CallRecord) -> Call {
    Call {
        id: record.id,
        purpose: record.purpose,
        node: record.node,
        agent: record.agent,
        model: record.model,
        created_at: record.at,
        duration_ms: record.duration_ms,
        cost_usd: record.cost.map(Cost::usd),
        usage: record.usage,
        raw_usage: record.raw_usage,
        estimated: record.measured == Measured::Estimated,
        prices: record.prices,
        outcome: record.outcome,
        run: record.run,
        ..Call::new("")
    }
}

/// All calls of a space, as files have them, with what went over the wire.
pub(super) fn export(tx: &mut Tx<'_>, space: i64) -> Result<Vec<Call>> {
    const SQL: &str = concat!("SELECT ", columns!(), " WHERE c.space = ?1 ORDER BY c.no");
    let records = tx.list(SQL, args![space], record)?;
    let mut calls = Vec::with_capacity(records.len());
    for record in records {
        let Exchange { ask, request, response, report: _ } = exchange(tx, record.space.as_ref(), &record.id)?;
        calls.push(Call { ask: ask.map(Bytes), request: request.map(Bytes), response: response.map(Bytes), ..to_call(record) });
    }
    Ok(calls)
}

/// Four buckets from four columns, beginning at one; none if the provider told of none.
pub(super) fn usage(row: &Row<'_>, from: usize) -> Result<Option<Usage>> {
    let bucket = |at: usize| Ok::<_, StoreError>(row.maybe_int(from + at)?.map(|tokens| tokens as u64));
    Ok(match (bucket(0)?, bucket(1)?, bucket(2)?, bucket(3)?) {
        (Some(input), Some(output), Some(cache_read), Some(cache_write)) => {
            Some(Usage { input, output, cache_read, cache_write })
        }
        _ => None,
    })
}

/// What went over the wire.
pub(super) fn exchange(tx: &mut Tx<'_>, space: Option<&SpaceId>, id: &str) -> Result<Exchange> {
    const SQL: &str = "SELECT frame, ask, request, response, report FROM calls WHERE space IS NOT DISTINCT FROM ?1 AND id = ?2";
    let no = found(tx, space)?.map(|(_, row)| row.no);
    let hashes = tx.first(SQL, args![no, id], hashes)?;
    read_exchange(tx, hashes.ok_or_else(|| no_call(space, id))?)
}

/// What went over the wire in a call that an account made outside of all spaces.
pub(super) fn exchange_of(tx: &mut Tx<'_>, account: &EntityId, id: &str) -> Result<Exchange> {
    const SQL: &str = "SELECT c.frame, c.ask, c.request, c.response, c.report FROM calls c JOIN entities e ON e.no = c.account \
                       WHERE e.id = ?1 AND c.id = ?2 AND c.space IS NULL";
    let hashes = tx.first(SQL, args![account.as_str(), id], hashes)?;
    read_exchange(tx, hashes.ok_or_else(|| no_call(None, id))?)
}

/// Frame, ask, request, response and report, as far as they are kept.
type Hashes = [Option<Vec<u8>>; 5];

fn hashes(row: &Row<'_>) -> Result<Hashes> {
    let hash = |column| Ok::<_, StoreError>(row.maybe_bytes(column)?.map(<[u8]>::to_vec));
    Ok([hash(0)?, hash(1)?, hash(2)?, hash(3)?, hash(4)?])
}

fn read_exchange(tx: &mut Tx<'_>, [frame, ask, request, response, report]: Hashes) -> Result<Exchange> {
    let ask = ask.map(|ask| blob::read_ask(tx, frame.as_deref(), &ask)).transpose()?;
    let mut read = |hash: Option<Vec<u8>>| hash.map(|hash| blob::read(tx, &hash)).transpose();
    Ok(Exchange { ask, request: read(request)?, response: read(response)?, report: read(report)? })
}

/// Whether a call was made here, and not taken over from a file.
pub(super) fn is_ours(tx: &mut Tx<'_>, space: Option<&SpaceId>, id: &str) -> Result<bool> {
    const SQL: &str = "SELECT process FROM calls WHERE space IS NOT DISTINCT FROM ?1 AND id = ?2";
    let no = found(tx, space)?.map(|(_, row)| row.no);
    Ok(tx.first(SQL, args![no, id], |row| row.maybe_int(0))?.flatten().is_some())
}

/// Takes out of the calls what holds a node's text: its own request and response, every request that was made after it in
/// its space, for it may have been sent again with any of them, also one for an older node, and all of the runs that have
/// read it. What was used stays.
pub(super) fn forget(tx: &mut Tx<'_>, key: Key) -> Result<()> {
    const OWN: &str = "SELECT response FROM calls WHERE node = ?1 AND response IS NOT NULL";
    const LATER: &str = "SELECT ask, request, frame FROM calls WHERE space = ?1 AND (node IS NULL AND after IS NULL OR node >= ?2 OR after >= ?2)";
    let mut hashes = tx.list(OWN, args![key.0], |row| Ok(row.bytes(0)?.to_vec()))?;
    tx.rows(LATER, args![key.space(), key.0], |row| {
        hashes.extend([row.maybe_bytes(0)?, row.maybe_bytes(1)?, row.maybe_bytes(2)?].into_iter().flatten().map(<[u8]>::to_vec));
        Ok(())
    })?;
    tx.run("UPDATE calls SET response = NULL WHERE node = ?1", args![key.0])?;
    tx.run(
        "UPDATE calls SET ask = NULL, frame = NULL, request = NULL \
         WHERE space = ?1 AND (node IS NULL AND after IS NULL OR node >= ?2 OR after >= ?2)",
        args![key.space(), key.0],
    )?;
    forget_runs(tx, key, &mut hashes)?;
    blob::release(tx, hashes)
}

/// The same for runs, which may have read the node in another space or in none, and said it again.
fn forget_runs(tx: &mut Tx<'_>, key: Key, hashes: &mut Vec<Vec<u8>>) -> Result<()> {
    const READERS: &str = "SELECT r.no, r.id FROM runs r JOIN run_reads q ON q.run = r.no WHERE q.space = ?1 AND q.seq >= ?2";
    const CALLS: &str = "SELECT ask, request, frame, response, report FROM calls WHERE run = ?1";
    let readers = tx.list(READERS, args![key.space(), key.seq().0], |row| Ok((row.int(0)?, row.text(1)?.to_owned())))?;
    for (no, id) in readers {
        tx.rows(CALLS, args![&id], |row| {
            hashes.extend(self::hashes(row)?.into_iter().flatten());
            Ok(())
        })?;
        tx.run(
            "UPDATE calls SET ask = NULL, frame = NULL, request = NULL, response = NULL, report = NULL WHERE run = ?1",
            args![&id],
        )?;
        tx.run("UPDATE run_steps SET result = NULL WHERE run = ?1", args![no])?;
    }
    Ok(())
}

pub(super) fn no_call(space: Option<&SpaceId>, id: &str) -> StoreError {
    StoreError::NoCall { space: space.cloned(), call: id.to_owned() }
}

/// The space that is named, if one is.
fn found<'s>(tx: &mut Tx<'_>, space: Option<&'s SpaceId>) -> Result<Option<(&'s SpaceId, SpaceRow)>> {
    space.map(|space| find_space(tx, space).map(|row| (space, row))).transpose()
}

fn node_key(tx: &mut Tx<'_>, row: Option<&(&SpaceId, SpaceRow)>, id: Option<&NodeId>) -> Result<Option<i64>> {
    let (Some((space, row)), Some(id)) = (row, id) else { return Ok(None) };
    let place = at_id(tx, row.no, id.as_str())?;
    let place = place.ok_or_else(|| StoreError::NoNode { space: (*space).clone(), node: id.clone() })?;
    Ok(Some(place.key.0))
}

fn agent_no(tx: &mut Tx<'_>, agent: Option<&EntityId>) -> Result<Option<i64>> {
    agent.map(|agent| entity_row(tx, agent).map(|(no, _)| no)).transpose()
}

fn packed(more: &More) -> Result<Option<String>> {
    if *more == More::default() { Ok(None) } else { Ok(Some(serde_json::to_string(more)?)) }
}

fn unpacked(more: Option<&str>) -> Result<More> {
    Ok(more.map(serde_json::from_str).transpose()?.unwrap_or_default())
}

fn purpose(number: i64) -> Result<Purpose> {
    const PURPOSES: [Purpose; 3] = [Purpose::Reply, Purpose::Title, Purpose::Summary];
    let found = PURPOSES.get(number as usize).copied();
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("a call of purpose {number}") })
}

fn outcome(number: i64) -> Result<Outcome> {
    const OUTCOMES: [Outcome; 3] = [Outcome::Done, Outcome::Failed, Outcome::Canceled];
    let found = OUTCOMES.get(number as usize).copied();
    found.ok_or_else(|| StoreError::Unreadable { detail: format!("a call of outcome {number}") })
}
