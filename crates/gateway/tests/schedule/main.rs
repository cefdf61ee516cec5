//! Schedules beside an independent reference: Python's zones, and rules that are found by watching a clock.

use std::path::{Path, PathBuf};
use std::process::Command;
use weftwork_gateway::schedule::{Cron, Schedule};

/// Years that no later release of the zones will tell otherwise.
const YEARS: [&str; 2] = ["2015", "2025"];

/// Gaps and folds at midnight, of half an hour and of three, in Ramadan, once and never again; and zones without any.
const ZONES: &[&str] = &[
    "UTC",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Africa/Juba",
    "Africa/Khartoum",
    "Africa/Sao_Tome",
    "Africa/Windhoek",
    "America/Asuncion",
    "America/Caracas",
    "America/Havana",
    "America/Los_Angeles",
    "America/Mexico_City",
    "America/Metlakatla",
    "America/New_York",
    "America/Nuuk",
    "America/Port-au-Prince",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Scoresbysund",
    "America/St_Johns",
    "Antarctica/Casey",
    "Antarctica/Troll",
    "Asia/Amman",
    "Asia/Beirut",
    "Asia/Damascus",
    "Asia/Gaza",
    "Asia/Kathmandu",
    "Asia/Pyongyang",
    "Asia/Tehran",
    "Atlantic/Azores",
    "Australia/Lord_Howe",
    "Australia/Sydney",
    "Europe/Berlin",
    "Europe/Chisinau",
    "Europe/Dublin",
    "Europe/Istanbul",
    "Europe/Volgograd",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Pacific/Easter",
    "Pacific/Fiji",
    "Pacific/Norfolk",
    "Pacific/Tongatapu",
];

const LINES: &[&str] = &[
    "30 2 * * *",
    "0 0 * * *",
    "15 1,23 29-31,L * 0",
    "0 12 29 2 *",
    "*/15 * * * *",
    "45 * 1-15 * *",
    "7-59/10 */2 * * *",
    "*/20 0-3 * * 5,6,0",
    "59 23,0 */2 * *",
];

#[test]
fn every_time_is_the_one_that_a_clock_shows() {
    let (even, odd) = ZONES.split_at(ZONES.len() / 2);
    let compared: usize = std::thread::scope(|scope| {
        let halves = [even, odd].map(|zones| scope.spawn(|| watched(zones).lines().map(compare).sum::<usize>()));
        halves.into_iter().map(|half| half.join().expect("all as expected")).sum()
    });
    assert!(compared > 400_000, "only {compared} times were compared");
}

/// What the reference says of some zones.
fn watched(zones: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schedule/reference.py");
    let mut command = Command::new(python());
    // The zones of its package, not those of the machine.
    command.env("PYTHONTZPATH", "").arg(script).args(YEARS).arg(zones.join(",")).args(LINES);
    let output = command.output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Compares one stretch of time, and says how many times were due in it.
fn compare(stretch: &str) -> usize {
    let [zone, line, begin, end, due] = stretch.split('\t').collect::<Vec<_>>()[..] else { panic!("{stretch}") };
    let schedule = Schedule::Cron(Cron::parse(line, Some(zone)).expect("a schedule"));
    let (begin, end) = (millis(begin), millis(end));
    let mut expected = due.split_whitespace().map(millis);
    let times = std::iter::successors(schedule.first(begin), |time| schedule.after(*time)).take_while(|time| *time < end);
    let mut count = 0;
    for time in times {
        assert_eq!(Some(time), expected.next(), "{line} in {zone}");
        count += 1;
    }
    assert_eq!(None, expected.next(), "{line} in {zone}");
    count
}

fn millis(seconds: &str) -> i64 {
    seconds.parse::<i64>().expect("seconds") * 1_000
}

fn python() -> PathBuf {
    let path = match std::env::var_os("WEFT_MCP_PYTHON") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/mcp-servers/python/bin/python"),
    };
    assert!(path.exists(), "there is nothing to compare with: run scripts/mcp-servers.sh first");
    path
}
