"""Dates and times, answered by Python's calendar."""

import calendar
import datetime

DAY = datetime.timedelta(1)


def q(d):
    return d.strftime("%Y.%m.%d")


def date(text):
    return datetime.datetime.strptime(text, "%Y.%m.%d").date()


def leap():
    return [str(int(calendar.isleap(y))) for y in (1900, 2000, 2023, 2024, 2100)] + [
        "0", "1", str(calendar.leapdays(1900, 2101))]


def easter():
    def computus(y):
        # The tables of the Gregorian calendar, by golden number and epact.
        golden, century = y % 19 + 1, y // 100 + 1
        skipped, moon = 3 * century // 4 - 12, (8 * century + 5) // 25 - 5
        sunday, epact = 5 * y // 4 - skipped - 10, (11 * golden + 20 + moon - skipped) % 30
        epact += epact == 24 or epact == 25 and golden > 11
        n = 44 - epact
        n += 30 * (n < 21)
        n += 7 - (sunday + n) % 7
        return datetime.date(y, 3, 1) + (n - 1) * DAY
    return [q(computus(y)) for y in (1961, 2000, 2008, 2011, 2024, 2038)]


def monthends():
    def end(d):
        return q(d.replace(day=calendar.monthrange(d.year, d.month)[1]))
    return [end(date(t)) for t in ("2023.01.15", "2024.02.01", "2023.12.31", "2000.02.29")] + [
        "2024.01", "2024.02", "2024.03", "31", "29", "31"]


def business(d, n, holidays=()):
    while n:
        d += DAY
        n -= d.weekday() < 5 and d not in holidays
    return d


def weekdays():
    days = [date("2024.03.01") + i * DAY for i in range(31)]
    working = [d for d in days if d.weekday() < 5]
    start = date("2024.03.28")
    return ([str(len(working)), q(working[-1])] + [q(business(start, n)) for n in (1, 2, 5, 10)] +
            [q(business(start, 2, {date("2024.03.29"), date("2024.04.01")}))])


def isoweek():
    return [str(date(t).isocalendar()[1]) for t in ("2021.01.01", "2020.12.31", "2024.01.01", "2023.01.01", "2024.12.30",
                                                    "2026.11.21")]


def calendar_():
    weeks = calendar.TextCalendar().formatmonth(2024, 2).splitlines()[1:]
    return weeks


def friday13():
    days = (date("2023.01.01") + i * DAY for i in range(731))
    return [q(d) for d in days if d.day == 13 and d.weekday() == 4]


def durations():
    return ["1D17:30:00.000000000", "12:34", "09:30", "09:45", "10:00", "2024.01.01D10:00:00.000000000",
            "2024.01.01D10:15:00.000000000", "13", "45", "59",
            str(int(datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc).timestamp())), "33", "34"]
