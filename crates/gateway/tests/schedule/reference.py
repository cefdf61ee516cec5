"""When cron lines are due in time zones, found the slow way: by watching a clock.

reference.py FROM TO ZONE,ZONE,… LINE…   (years; TO is not part of them)

Prints a line for each stretch of time that was watched: zone, line, first and last second, and the seconds at which the line
was due, with tabs between. Lines of a few times a day are watched throughout, others around each change of a zone's offset.

Shares nothing with the program: the zones are Python's, the rules are written down again.
"""

import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)
HOUR = 3_600
DAY = 24 * HOUR
RARE = 4  # times a day


class Line:
    def __init__(self, text):
        minute, hour, day, month, weekday = text.split()
        self.text = text
        self.minutes = values(minute, 0, 59)
        self.hours = values(hour, 0, 23)
        self.days = values(day, 1, 31)
        self.months = values(month, 1, 12)
        self.weekdays = {number % 7 for number in values(weekday, 0, 6)}
        self.either = day[0] != "*" and weekday[0] != "*"
        self.every_hour = len(self.hours) == 24
        self.rare = len(self.hours) * len(self.minutes) <= RARE

    def has(self, time):
        return time.minute in self.minutes and time.hour in self.hours and self.has_day(time)

    def has_day(self, time):
        last = (time + timedelta(days=1)).day == 1
        day = time.day in self.days or ("L" in self.days and last)
        weekday = time.isoweekday() % 7 in self.weekdays
        return time.month in self.months and ((day or weekday) if self.either else (day and weekday))


def values(text, least, most):
    found = set()
    for part in text.split(","):
        part, _, step = part.partition("/")
        low, _, high = part.partition("-")
        if part == "L":
            found.add("L")
        elif part == "*":
            found.update(range(least, most + 1, int(step or 1)))
        else:
            found.update(range(int(low), int(high or low) + 1, int(step or 1)))
    return found


def clock(zone, second):
    """What a clock shows, and whether it shows it for the second time."""
    time = datetime.fromtimestamp(second, zone)
    return time.replace(tzinfo=None, fold=0), time.fold == 1


def watch(zone, lines, begin, end):
    """Looks at the clock every minute, and at what it skipped since the minute before."""
    due = {line.text: [] for line in lines}
    before = clock(zone, begin - 60)[0]
    for second in range(begin, end, 60):
        shown, again = clock(zone, second)
        skipped = []
        while before + MINUTE < shown:
            before += MINUTE
            skipped.append(before)
        before = shown
        for line in lines:
            if line.every_hour:
                hit = line.has(shown)
            else:
                hit = (not again and line.has(shown)) or any(line.has(time) for time in skipped)
            if hit:
                due[line.text].append(second)
    return due


def stretches(zone, begin, end):
    """The hours around each change of the offset; no change is of more hours than that."""
    for day in different(zone, begin, end, DAY):
        for hour in different(zone, day, day + DAY, HOUR):
            yield hour - 6 * HOUR, hour + 7 * HOUR


def different(zone, begin, end, step):
    """When steps begin at whose end the offset is another."""
    offsets = [datetime.fromtimestamp(second, zone).utcoffset() for second in range(begin, end + 1, step)]
    return [begin + at * step for at in range(len(offsets) - 1) if offsets[at] != offsets[at + 1]]


def tell(name, line, begin, end, due):
    print(name, line, begin, end, " ".join(map(str, due)), sep="\t")


def through(zone, line, begin, end):
    """What clocks show is enough where no offset changes."""
    time = datetime.fromtimestamp(begin - DAY, timezone.utc).replace(tzinfo=None)
    last = datetime.fromtimestamp(end + DAY, timezone.utc).replace(tzinfo=None)
    while time < last:
        if line.has_day(time):
            for hour in line.hours:
                for minute in line.minutes:
                    yield int(time.replace(hour=hour, minute=minute, tzinfo=zone).timestamp())
        time += timedelta(days=1)


def main():
    first, last, zones, texts = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].split(","), sys.argv[4:]
    begin, end = (int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp()) for year in (first, last))
    lines = [Line(text) for text in texts]
    for name in zones:
        zone = ZoneInfo(name)
        watched = [(a, b, watch(zone, lines, a, b)) for a, b in stretches(zone, begin, end)]
        seconds = {second for a, b, _ in watched for second in range(a, b, 60)}
        for line in lines:
            if line.rare:
                due = [second for second in through(zone, line, begin, end) if second not in seconds]
                due += [second for _, _, found in watched for second in found[line.text]]
                tell(name, line.text, begin, end, sorted(second for second in due if begin <= second < end))
            else:
                for a, b, found in watched:
                    tell(name, line.text, a, b, found[line.text])


main()
