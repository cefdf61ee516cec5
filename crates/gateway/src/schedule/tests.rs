use super::*;
use weftwork::model::Timestamp;
use weftwork_store::runs::StoredPlan;

/// A Wednesday.
const NOW: &str = "2026-02-18T14:50:00Z";

fn at(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap_or_else(|error| panic!("{error}")).millis()
}

fn spelled(time: i64) -> String {
    Timestamp::from_millis(time).expect("a time").utc()
}

fn cron(line: &str, zone: &str) -> Schedule {
    Schedule::Cron(Cron::parse(line, Some(zone)).unwrap_or_else(|error| panic!("{error}")))
}

fn when(json: &str) -> Result<Schedule, BadSchedule> {
    serde_json::from_str::<When>(json).unwrap_or_else(|error| panic!("{json}: {error}")).read(at(NOW))
}

#[track_caller]
fn due(line: &str, zone: &str, after: &str, expected: &[&str]) {
    let schedule = cron(line, zone);
    let times = std::iter::successors(schedule.after(at(after)), |time| schedule.after(*time));
    let times: Vec<_> = times.take(expected.len()).map(spelled).collect();
    assert_eq!(times, expected, "{line} in {zone}");
}

#[test]
fn a_skipped_time_is_due_once_when_clocks_have_skipped_it() {
    for (line, zone, after, expected) in [
        ("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", &["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"][..]),
        // Several times that were skipped together, and one that is due then anyway.
        ("*/20 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", &["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]),
        ("30 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", &["2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"]),
        ("0 2,3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", &["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]),
        ("30 2 29 3 *", "Europe/Berlin", "2026-03-28T12:00:00Z", &["2026-03-29T01:00:00Z", "2027-03-29T00:30:00Z"]),
        // Midnight is skipped, and the day is not lost.
        ("0 0 * * *", "Africa/Cairo", "2026-04-23T12:00:00Z", &["2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"]),
        ("30 0 * * SUN", "America/Santiago", "2026-09-05T12:00:00Z", &["2026-09-06T04:00:00Z", "2026-09-13T03:30:00Z"]),
        // Half an hour.
        ("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", &["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"]),
        // A whole day.
        (
            "0 9 * * *",
            "Pacific/Apia",
            "2011-12-29T12:00:00Z",
            &["2011-12-29T19:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T19:00:00Z"],
        ),
    ] {
        due(line, zone, after, expected);
    }
}

#[test]
fn a_time_that_is_shown_twice_is_due_at_the_first() {
    for (line, zone, after, expected) in [
        ("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", &["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"][..]),
        ("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", &["2026-10-26T01:30:00Z"]),
        ("*/30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", &["2026-10-26T01:00:00Z"]),
        ("0 2,3 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", &["2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"]),
        ("45 23 * * *", "Africa/Cairo", "2026-10-29T12:00:00Z", &["2026-10-29T20:45:00Z", "2026-10-30T21:45:00Z"]),
        ("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00:00Z", &["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]),
    ] {
        due(line, zone, after, expected);
    }
}

#[test]
fn a_line_of_every_hour_goes_on() {
    for (line, zone, after, expected) in [
        (
            "*/15 * * * *",
            "Europe/Berlin",
            "2026-03-29T00:30:00Z",
            &["2026-03-29T00:45:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:15:00Z"][..],
        ),
        (
            "*/15 * * * *",
            "Europe/Berlin",
            "2026-10-25T00:30:00Z",
            &["2026-10-25T00:45:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:15:00Z"],
        ),
        ("30 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", &["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"]),
        ("30 0-23 * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", &["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]),
        (
            "*/15 * * * *",
            "Australia/Lord_Howe",
            "2026-10-03T15:00:00Z",
            &["2026-10-03T15:15:00Z", "2026-10-03T15:30:00Z", "2026-10-03T15:45:00Z"],
        ),
        (
            "0 * * * *",
            "Australia/Lord_Howe",
            "2026-04-04T13:30:00Z",
            &["2026-04-04T14:00:00Z", "2026-04-04T15:30:00Z", "2026-04-04T16:30:00Z"],
        ),
        ("* * * * *", "Asia/Kathmandu", "2026-01-01T00:00:30Z", &["2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z"]),
    ] {
        due(line, zone, after, expected);
    }
}

#[test]
fn days_are_those_of_the_calendar() {
    for (line, after, expected) in [
        ("0 0 29 2 *", "2026-01-01T00:00:00Z", &["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"][..]),
        ("0 0 29 2 *", "2096-03-01T00:00:00Z", &["2104-02-29T00:00:00Z"]),
        ("0 0 29 2 */7", "2026-01-01T00:00:00Z", &["2032-02-29T00:00:00Z", "2060-02-29T00:00:00Z"]),
        ("0 0 29 2 */7", "2088-03-01T00:00:00Z", &["2128-02-29T00:00:00Z"]),
        ("0 9 31 * *", "2026-02-18T00:00:00Z", &["2026-03-31T09:00:00Z", "2026-05-31T09:00:00Z"]),
        ("0 9 L * *", "2028-01-31T10:00:00Z", &["2028-02-29T09:00:00Z", "2028-03-31T09:00:00Z", "2028-04-30T09:00:00Z"]),
        // Either is enough where both are narrowed, and both are needed where one begins with a star.
        ("0 9 13 * FRI", "2026-02-10T00:00:00Z", &["2026-02-13T09:00:00Z", "2026-02-20T09:00:00Z"]),
        ("0 9 20 2 mon", "2026-02-15T00:00:00Z", &["2026-02-16T09:00:00Z", "2026-02-20T09:00:00Z"]),
        ("0 9 */2 * mon", "2026-02-18T00:00:00Z", &["2026-02-23T09:00:00Z", "2026-03-09T09:00:00Z"]),
        ("0 9 * * 7", "2026-02-18T00:00:00Z", &["2026-02-22T09:00:00Z", "2026-03-01T09:00:00Z"]),
        ("0 9 * * SAT-SUN", "2026-02-18T00:00:00Z", &["2026-02-21T09:00:00Z", "2026-02-22T09:00:00Z"]),
        ("0 9 * * 1-5", "2026-02-20T09:00:00Z", &["2026-02-23T09:00:00Z"]),
        ("5-59/20 9-17/4 * jan,DEC *", "2026-01-31T17:30:00Z", &["2026-01-31T17:45:00Z", "2026-12-01T09:05:00Z"]),
        ("@daily", "2026-02-18T00:00:00Z", &["2026-02-19T00:00:00Z"]),
        ("@Weekly", "2026-02-18T00:00:00Z", &["2026-02-22T00:00:00Z"]),
        ("@yearly", "2026-02-18T00:00:00Z", &["2027-01-01T00:00:00Z"]),
        (" 59   23 31 12\t* ", "2026-12-31T23:58:59.999Z", &["2026-12-31T23:59:00Z", "2027-12-31T23:59:00Z"]),
    ] {
        due(line, "UTC", after, expected);
    }
}

#[test]
fn what_is_written_is_read() {
    let soon = |text: &str, due: &str| Schedule::RunAfter { text: text.to_owned(), due: at(due) };
    let once = |due: &str| Schedule::At { due: at(due) };
    for (json, expected) in [
        (r#"{"runAfter":"2 hours"}"#, soon("2 hours", "2026-02-18T16:50:00Z")),
        (r#"{"runAfter":" 90 minutes ","cron":"","timeZone":"Europe/Berlin"}"#, soon("90 minutes", "2026-02-18T16:20:00Z")),
        (r#"{"runAfter":"1 Day 3 hours"}"#, soon("1 Day 3 hours", "2026-02-19T17:50:00Z")),
        (r#"{"runAfter":"30s"}"#, soon("30s", "2026-02-18T14:50:30Z")),
        (r#"{"runAfter":"1h30m"}"#, soon("1h30m", "2026-02-18T16:20:00Z")),
        (r#"{"runAfter":"1 month, 2 weeks"}"#, soon("1 month, 2 weeks", "2026-04-01T14:50:00Z")),
        (r#"{"runAfter":"5 years"}"#, soon("5 years", "2031-02-18T14:50:00Z")),
        (r#"{"runAfter":"1.5 hours"}"#, soon("1.5 hours", "2026-02-18T16:20:00Z")),
        (r#"{"scheduledAt":"2026-02-18T17:07:00Z"}"#, once("2026-02-18T17:07:00Z")),
        (r#"{"scheduledAt":"2026-03-01T09:00:00+01:00","runAfter":null}"#, once("2026-03-01T08:00:00Z")),
        (r#"{"scheduledAt":"2026-03-01T09:00","timeZone":"europe/berlin"}"#, once("2026-03-01T08:00:00Z")),
        (r#"{"scheduledAt":"2026-03-01T09:00+01:00","timeZone":"Europe/Berlin"}"#, once("2026-03-01T08:00:00Z")),
        (r#"{"scheduledAt":"2026-03-01T09:00Z","timeZone":"UTC"}"#, once("2026-03-01T09:00:00Z")),
        (r#"{"scheduledAt":"2026-03-29T02:30","timeZone":"Europe/Berlin"}"#, once("2026-03-29T01:00:00Z")),
        (r#"{"scheduledAt":"2026-10-25T02:30","timeZone":"Europe/Berlin"}"#, once("2026-10-25T00:30:00Z")),
        (r#"{"cron":"0 9 * * 1-5"}"#, cron("0 9 * * 1-5", "UTC")),
        (r#"{"cron":"0  9 * * *","timeZone":"america/new_york"}"#, cron("0 9 * * *", "America/New_York")),
    ] {
        assert_eq!(when(json), Ok(expected), "{json}");
    }
}

#[test]
fn what_cannot_be_read_is_told_with_a_way_out() {
    for (json, what, way_out) in [
        ("{}", "exactly one of runAfter, scheduledAt and cron", r#"runAfter "2 hours""#),
        (r#"{"runAfter":"1h","cron":"* * * * *"}"#, "runAfter and cron", "leave all but one out"),
        (r#"{"runAfter":"soon"}"#, r#"runAfter "soon" is no delay"#, r#""2 hours""#),
        (r#"{"runAfter":"2"}"#, "is no delay", r#""2 hours""#),
        (r#"{"runAfter":"0s"}"#, "out of bounds", "1 second to 5 years"),
        (r#"{"runAfter":"900ms"}"#, "out of bounds", "1 second to 5 years"),
        (r#"{"runAfter":"2 hours ago"}"#, "out of bounds", "1 second to 5 years"),
        (r#"{"runAfter":"6 years"}"#, "out of bounds", "1 second to 5 years"),
        (r#"{"runAfter":"19000 years"}"#, "out of bounds", "1 second to 5 years"),
        (r#"{"scheduledAt":"tomorrow"}"#, r#"scheduledAt "tomorrow" is no time"#, "2027-03-01T09:00:00+01:00"),
        (r#"{"scheduledAt":"2026-02-30T09:00:00Z"}"#, "is no time", "2027-03-01T09:00:00+01:00"),
        (r#"{"scheduledAt":"2026-03-01T09:00:00"}"#, "does not say in which time zone", r#""2026-03-01T09:00:00Z""#),
        (r#"{"scheduledAt":"2026-03-01T09:00Z","timeZone":"Europe/Berlin"}"#, "another offset", "leave one of the two out"),
        (r#"{"scheduledAt":"2026-02-18T14:50:00Z"}"#, "is in the past: it is 2026-02-18T14:50:00Z now", "a later time"),
        (r#"{"scheduledAt":"2026-03-01T09:00","timeZone":"CEST"}"#, r#"timeZone "CEST" is not known"#, "Europe/Berlin"),
        (r#"{"cron":"0 9 * * *","timeZone":"Europe/Berln"}"#, r#"timeZone "Europe/Berln" is not known"#, "Europe/Berlin"),
        (r#"{"cron":"0 9 * *"}"#, "it has 4 fields and needs 5", "0 9 * * 1-5"),
        (r#"{"cron":"0 0 9 * * *"}"#, "it has 6 fields and needs 5, without seconds", "0 9 * * 1-5"),
        (r#"{"cron":"@reboot"}"#, "no such word", "@daily"),
        (r#"{"cron":"60 9 * * *"}"#, r#""60" cannot be the minute: it must be from 0 to 59"#, "*/15"),
        (r#"{"cron":"0 24 * * *"}"#, r#""24" cannot be the hour"#, "9-17"),
        (r#"{"cron":"0 9 0 * *"}"#, r#""0" cannot be the day of the month"#, "L for the last"),
        (r#"{"cron":"0 9 * 13 *"}"#, r#""13" cannot be the month"#, "JAN to DEC"),
        (r#"{"cron":"0 9 * * 8"}"#, r#""8" cannot be the weekday"#, "MON-FRI"),
        (r#"{"cron":"0 9 * * MON#2"}"#, r##""MON#2" cannot be the weekday"##, "MON-FRI"),
        (r#"{"cron":"0 9 15W * *"}"#, r#""15W" cannot be the day"#, "1,15"),
        (r#"{"cron":"0 9 ? * *"}"#, r#""?" cannot be the day"#, "1,15"),
        (r#"{"cron":"+5 9 * * *"}"#, r#""+5" cannot be the minute"#, "*/15"),
        (r#"{"cron":"1,,2 9 * * *"}"#, r#""" cannot be the minute"#, "*/15"),
        (r#"{"cron":"0 22-4 * * *"}"#, r#""22-4" in the hour goes down"#, "22-23,0-4"),
        (r#"{"cron":"*/0 9 * * *"}"#, r#""*/0" in the minute is no step"#, "*/15"),
        (r#"{"cron":"5/15 9 * * *"}"#, r#""5/15" in the minute is no step"#, "5-59/15"),
        (r#"{"cron":"0 0 30 2 *"}"#, "no year has such a day", "L"),
        (r#"{"cron":"0 0 31 4,6,9,11 *"}"#, "no year has such a day", "L"),
    ] {
        let said = when(json).expect_err(json).to_string();
        assert!(said.contains(what) && said.contains(way_out), "{json}: {said}");
        assert!(said.len() < 250, "{said}");
    }
    let long = BadSchedule::Line { line: "*,".repeat(100), why: BadLine::Long { most: 200 } };
    assert_eq!(Cron::parse(&"*,".repeat(1_000_000), None), Err(long));
}

#[test]
fn what_is_kept_is_read_again() {
    for (json, text) in [
        (r#"{"runAfter":"2 hours"}"#, r#"{"type":"runAfter","text":"2 hours","due":1771433400000}"#),
        (r#"{"scheduledAt":"2026-02-18T17:07:00Z"}"#, r#"{"type":"at","due":1771434420000}"#),
        (r#"{"cron":"@daily","timeZone":"Asia/Tokyo"}"#, r#"{"type":"cron","line":"@daily","zone":"Asia/Tokyo"}"#),
    ] {
        let schedule = when(json).expect(json);
        assert_eq!(schedule.to_text(), text);
        assert_eq!(Schedule::from_text(text), Ok(schedule));
    }
    for text in ["", "every hour", r#"{"type":"cron","line":"0 0 30 2 *","zone":"UTC"}"#, r#"{"type":"at"}"#] {
        assert!(matches!(Schedule::from_text(text), Err(BadSchedule::Unreadable { .. })), "{text}");
    }
}

#[test]
fn what_happens_once_has_no_second_time() {
    for schedule in [Schedule::At { due: 1_000 }, Schedule::RunAfter { text: "1s".to_owned(), due: 1_000 }] {
        let found = [schedule.first(0), schedule.first(1_000), schedule.first(1_001), schedule.after(999), schedule.after(1_000)];
        assert_eq!(found, [Some(1_000), Some(1_000), None, Some(1_000), None]);
        assert_eq!(schedule.latest_and_next(1_000, i64::from(u32::MAX)), (1_000, None));
    }
    assert_eq!(cron("* * * * *", "UTC").first(60_000), Some(60_000));
    assert_eq!(cron("* * * * *", "UTC").after(60_000), Some(120_000));
    assert_eq!(cron("0 0 1 1 *", "UTC").after(at("9999-01-01T00:00:00Z")), None);
    for edge in [i64::MIN, i64::MAX] {
        assert_eq!(cron("* * * * *", "Europe/Berlin").first(edge), None);
    }
}

#[test]
fn of_what_was_missed_the_latest_is_found_as_by_counting() {
    let first = "2026-10-24T10:00:00Z";
    for (line, zone) in [
        ("* * * * *", "UTC"),
        ("*/7 * * * *", "Europe/Berlin"),
        ("30 2 * * *", "Europe/Berlin"),
        ("*/10 2 * * *", "Europe/Berlin"),
        ("0 9 * * 1", "Asia/Kolkata"),
    ] {
        let schedule = cron(line, zone);
        let first = schedule.first(at(first)).expect("a time");
        for hours in 0..80 {
            let now = first + hours * 3_600_000 + hours * 61_001;
            let times: Vec<_> =
                std::iter::successors(Some(first), |time| schedule.after(*time)).take_while(|time| *time <= now).collect();
            let expected = (times[times.len() - 1], schedule.after(now));
            assert_eq!(schedule.latest_and_next(first, now), expected, "{line} in {zone} after {hours} hours");
        }
    }
}

#[test]
fn what_was_missed_for_years_is_found_at_once() {
    let (first, now) = (at("2021-01-01T00:00:00Z"), at("2026-01-01T00:00:30Z"));
    for (line, latest) in
        [("* * * * *", "2026-01-01T00:00:00Z"), ("0 0 29 2 *", "2024-02-29T00:00:00Z"), ("0 0 1 1 *", "2026-01-01T00:00:00Z")]
    {
        let began = std::time::Instant::now();
        let (found, next) = cron(line, "UTC").latest_and_next(first, now);
        assert_eq!(spelled(found), latest, "{line}");
        assert!(next > Some(now));
        assert!(began.elapsed().as_millis() < 100, "{line}: {:?}", began.elapsed());
    }
}

#[test]
fn a_plan_is_shown_with_what_it_was_made_of() {
    let plan = |json: &str, next: &str| {
        let schedule = when(json).expect(json).to_text();
        let (id, name, instruction) = ("p".to_owned(), "Report".to_owned(), "…".to_owned());
        let next_fire = Some(next).filter(|next| !next.is_empty()).map(at);
        let stored = StoredPlan { agent: "a".into(), id, version: 1, name, instruction, schedule, next_fire };
        serde_json::to_string(&shown(&stored).expect(json)).expect("plain data")
    };
    for (json, next, expected) in [
        (
            r#"{"cron":"0 9 * * *"}"#,
            "2026-02-19T09:00:00Z",
            r#"{"id":"p","name":"Report","type":"recurring","cron":"0 9 * * *","next":"2026-02-19T09:00:00Z"}"#,
        ),
        (
            r#"{"cron":"0 9 * * *","timeZone":"Europe/Berlin"}"#,
            "",
            r#"{"id":"p","name":"Report","type":"recurring","cron":"0 9 * * * Europe/Berlin"}"#,
        ),
        (
            r#"{"runAfter":"2 hours"}"#,
            "2026-02-18T16:50:00Z",
            r#"{"id":"p","name":"Report","type":"one-time","scheduledAt":"2026-02-18T16:50:00Z","runAfter":"2 hours"}"#,
        ),
        (
            r#"{"scheduledAt":"2026-02-18T18:07:00+01:00"}"#,
            "2026-02-18T17:07:00Z",
            r#"{"id":"p","name":"Report","type":"one-time","scheduledAt":"2026-02-18T17:07:00Z"}"#,
        ),
    ] {
        assert_eq!(plan(json, next), expected);
    }
}
