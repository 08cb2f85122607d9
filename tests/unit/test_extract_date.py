"""Dates in queries of three languages, on Wednesday 11 March 2026."""

from datetime import date

import pytest

from tool_classifier.intent.extractors.date import find_dates
from tool_classifier.intent.extractors.extraction import Side

TODAY = date(2026, 3, 11)


def values(text, language="et"):
    return [found.value for found in find_dates(text, language, TODAY)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("täna", "2026-03-11"),
        ("tana", "2026-03-11"),
        ("tänased hinnad", "2026-03-11"),
        ("mis ilm on homme", "2026-03-12"),
        ("homseid istungeid", "2026-03-12"),
        ("ülehomseks", "2026-03-13"),
        ("eilse seisuga", "2026-03-10"),
        ("üleeile", "2026-03-09"),
        ("today's weather", "2026-03-11"),
        ("tomorrow", "2026-03-12"),
        ("the day after tomorrow", "2026-03-13"),
        ("yesterday", "2026-03-10"),
        ("the day before yesterday", "2026-03-09"),
        ("сегодня", "2026-03-11"),
        ("завтрашний курс", "2026-03-12"),
        ("послезавтра", "2026-03-13"),
        ("вчера", "2026-03-10"),
        ("3 päeva pärast", "2026-03-14"),
        ("kahe nädala pärast", "2026-03-25"),
        ("nädala pärast", "2026-03-18"),
        ("pühad nädala pärast", "2026-03-18"),
        ("nädal tagasi, 2 nädalat tagasi", "2026-02-25"),
        ("in 3 days", "2026-03-14"),
        ("in a week", "2026-03-18"),
        ("two weeks from now", "2026-03-25"),
        ("two weeks ago", "2026-02-25"),
        ("через неделю", "2026-03-18"),
        ("через три дня", "2026-03-14"),
        ("неделю назад", "2026-03-04"),
    ],
)
def test_days_are_counted_from_today(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("esmaspäeval", "2026-03-16"),
        ("Ilmateade Pärnus reedeks", "2026-03-13"),
        ("reedel", "2026-03-13"),
        ("kolmapäeval", "2026-03-18"),
        ("on Monday", "2026-03-16"),
        ("в понедельник", "2026-03-16"),
        ("в пятницу", "2026-03-13"),
        ("в среду", "2026-03-18"),
        ("next Monday", "2026-03-16"),
        ("järgmisel teisipäeval", "2026-03-17"),
        ("last Friday", "2026-03-06"),
        ("this Friday", "2026-03-13"),
        ("sel reedel", "2026-03-13"),
        ("järgmise nädala teisipäeval", "2026-03-17"),
        ("Friday next week", "2026-03-20"),
        ("eelmise nädala esmaspäeval", "2026-03-02"),
        ("на этой неделе в пятницу", "2026-03-13"),
        ("mis ilm oli esmaspäeval", "2026-03-09"),
        ("what was the rate on Thursday", "2026-03-05"),
        ("Wednesday the 18th", "2026-03-18"),
    ],
)
def test_a_weekday_is_the_next_one_unless_the_question_says_otherwise(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("2026-12-24", "et", "2026-12-24"),
        ("2026.12.24", "et", "2026-12-24"),
        ("2026/1/5", "en", "2026-01-05"),
        ("24.12.2026", "et", "2026-12-24"),
        ("24. 12. 2026", "et", "2026-12-24"),
        ("24.12.26", "et", "2026-12-24"),
        ("24.12.", "et", "2026-12-24"),
        ("24.12", "et", "2026-12-24"),
        ("Tartu ilm 05.06", "et", "2026-06-05"),
        ("05.06.", "et", "2026-06-05"),
        ("погода 05.06", "ru", "2026-06-05"),
        ("24/12/2026", "en", "2026-12-24"),
        ("12/24/2026", "en", "2026-12-24"),
        ("12/24/2026", "et", "2026-12-24"),
        ("04-04-2026", "en", "2026-04-04"),
        ("03/04/2026", "et", "2026-04-03"),
        ("24. detsember", "et", "2026-12-24"),
        ("24. detsembril 2026", "et", "2026-12-24"),
        ("24 detsembriks", "et", "2026-12-24"),
        ("1. dets", "et", "2026-12-01"),
        ("5. mail kell 10", "et", "2026-05-05"),
        ("järgmise aasta 5. mail", "et", "2027-05-05"),
        ("24 December", "en", "2026-12-24"),
        ("December 24th", "en", "2026-12-24"),
        ("December 24, 2027", "en", "2027-12-24"),
        ("the 1st of April", "en", "2026-04-01"),
        ("April the 1st", "en", "2026-04-01"),
        ("Dec 5", "en", "2026-12-05"),
        ("5 April next year", "en", "2027-04-05"),
        ("May 5", "en", "2026-05-05"),
        ("24 декабря", "ru", "2026-12-24"),
        ("24 декабря 2027 года", "ru", "2027-12-24"),
        ("1-го апреля", "ru", "2026-04-01"),
        ("5 апреля прошлого года", "ru", "2025-04-05"),
        ("29. veebruar", "et", "2028-02-29"),
        ("Valuutakursid 1. märtsil", "et", "2026-03-01"),
        ("1. veebruaril", "et", "2027-02-01"),
        ("mis oli kurss 1. veebruaril", "et", "2026-02-01"),
        ("what was it on 24 December", "en", "2025-12-24"),
        ("reedel, 13. märtsil", "et", "2026-03-13"),
        ("в пятницу 13 марта", "ru", "2026-03-13"),
        ("on Monday, the 16th of March", "en", "2026-03-16"),
    ],
)
def test_calendar_dates_become_iso_dates(text, language, value):
    assert values(text, language) == [value]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("detsembris", "et", "2026-12"),
        ("märtsis", "et", "2026-03"),
        ("jaanuaris", "et", "2027-01"),
        ("mis oli jaanuaris", "et", "2026-01"),
        ("mis oli mais", "et", "2025-05"),
        ("detsember 2026", "et", "2026-12"),
        ("2012 jaanuar", "et", "2012-01"),
        ("2013. aasta september", "et", "2013-09"),
        ("dets 2026", "et", "2026-12"),
        ("järgmise aasta märtsis", "et", "2027-03"),
        ("eelmise aasta märtsis", "et", "2025-03"),
        ("selle aasta mais", "et", "2026-05"),
        ("in December", "en", "2026-12"),
        ("last December", "en", "2025-12"),
        ("in May", "en", "2026-05"),
        ("march 2027", "en", "2027-03"),
        ("in March next year", "en", "2027-03"),
        ("в декабре", "ru", "2026-12"),
        ("в марте следующего года", "ru", "2027-03"),
        ("aastal 2027", "et", "2027"),
        ("järgmisel aastal", "et", "2027"),
        ("tuleval aastal", "et", "2027"),
        ("järgmise aasta riigipühad", "et", "2027"),
        ("eelmisel aastal", "et", "2025"),
        ("next year", "en", "2027"),
        ("last year", "en", "2025"),
        ("в следующем году", "ru", "2027"),
        ("в прошлом году", "ru", "2025"),
        ("2018. aasta", "et", "2018"),
        ("in 2020", "en", "2020"),
        ("в 2020 году", "ru", "2020"),
    ],
)
def test_months_and_years_stay_as_coarse_as_they_are(text, language, value):
    assert values(text, language) == [value]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("10-12", "et"),
        ("1/2/26", "en"),
        ("kuu lõpus", "et"),
        ("end of the month", "en"),
        ("24.12", "en"),
        ("03/04/2026", "en"),
        ("31. veebruar", "et"),
        ("31.02.2026", "et"),
        ("31.06.2027", "et"),
        ("31.06", "et"),
        ("29. veebruar 2027", "et"),
        ("31. veebruaril", "et"),
        ("February 31", "en"),
        ("31 февраля", "ru"),
        ("13/13/2026", "et"),
        ("31. ja 30. aprillil", "et"),
        ("next Friday", "en"),
        ("järgmisel reedel", "et"),
        ("last Tuesday", "en"),
        ("this Monday", "en"),
        ("Thursday the 14th", "en"),
        ("mõne päeva pärast", "et"),
        ("in 99999999 days", "en"),
        ("in 9999 days", "en"),
        ("poolteise nädala pärast", "et"),
        ("pool päeva pärast", "et"),
        ("через несколько дней", "ru"),
        ("nädalavahetusel", "et"),
        ("järgmisel nädalavahetusel", "et"),
        ("järgmisel nädalal", "et"),
        ("eelmisel kuul", "et"),
        ("jõulude ajal", "et"),
        ("aastavahetusel", "et"),
        ("this weekend", "en"),
        ("next month", "en"),
        ("Christmas", "en"),
        ("выходных", "ru"),
        ("следующей неделе", "ru"),
    ],
)
def test_what_is_no_single_day_for_certain_stays_as_written(text, language):
    assert values(text, language) == [text]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("kell 9.10.", "et"),
        ("kell 12.30", "et"),
        ("kell 9.10", "et"),
        ("kell 10-12", "et"),
        ("в 9.10", "ru"),
        ("5.10 eurot", "et"),
        ("2.05%", "et"),
        ("10-20 eurot", "et"),
        ("2-21-1234", "et"),
        ("Mondays", "en"),
        ("esmaspäeviti", "et"),
        ("окружающая среда", "ru"),
        ("may I ask", "en"),
        ("march on", "en"),
        ("spam mail", "en"),
        ("in the week", "en"),
        ("mitme päeva pärast", "et"),
        ("selle nädala number", "et"),
        ("2027", "et"),
        ("2000 eurot", "et"),
        ("dets", "et"),
        ("", "et"),
    ],
)
def test_other_words_and_numbers_are_no_dates(text, language):
    assert values(text, language) == []


@pytest.mark.parametrize(
    ("text", "language", "start", "end"),
    [
        ("10.-12. märts", "et", "2026-03-10", "2026-03-12"),
        ("8.\u201312. veebruar 2027", "et", "2027-02-08", "2027-02-12"),
        ("10 kuni 12 aprill", "et", "2026-04-10", "2026-04-12"),
        ("10.-12.03.2026", "et", "2026-03-10", "2026-03-12"),
        ("с 10 по 12 марта", "ru", "2026-03-10", "2026-03-12"),
        ("10 to 12 April", "en", "2026-04-10", "2026-04-12"),
        ("April 10-12", "en", "2026-04-10", "2026-04-12"),
        ("from October 23rd to November 2nd", "en", "2026-10-23", "2026-11-02"),
        ("April 1st to 3rd", "en", "2026-04-01", "2026-04-03"),
        ("alates 1. aprillist kuni 5. aprillini", "et", "2026-04-01", "2026-04-05"),
        ("from 1 April until 5 April", "en", "2026-04-01", "2026-04-05"),
        ("from 2027 April 4th to April 8th", "en", "2027-04-04", "2027-04-08"),
        ("esmaspäevast reedeni", "et", "2026-03-16", "2026-03-20"),
        ("from Thursday to Friday", "en", "2026-03-12", "2026-03-13"),
        ("с понедельника по пятницу", "ru", "2026-03-16", "2026-03-20"),
        ("jaanuarist märtsini", "et", "2026-01", "2026-03"),
        ("oktoobrist jaanuarini", "et", "2026-10", "2027-01"),
        ("oktoobrist märtsini", "et", "2025-10", "2026-03"),
        ("1. märtsist 31. märtsini", "et", "2026-03-01", "2026-03-31"),
        ("1. veebruarist 10. märtsini", "et", "2026-02-01", "2026-03-10"),
        ("с 1 по 31 мая", "ru", "2026-05-01", "2026-05-31"),
    ],
)
def test_a_range_has_a_start_and_an_end(text, language, start, end):
    found = [(each.value, each.side) for each in find_dates(text, language, TODAY)]

    assert found == [(start, Side.SOURCE), (end, Side.TARGET)]


def test_a_range_keeps_its_days_in_one_year():
    found = find_dates("8.-12. märts", "et", date(2026, 4, 10))

    assert [each.value for each in found] == ["2026-03-08", "2026-03-12"]


def test_a_list_has_all_its_days():
    assert values("10. ja 12. aprillil") == ["2026-04-10", "2026-04-12"]
    assert values("29. ja 30. aprillil") == ["2026-04-29", "2026-04-30"]


def test_the_same_day_said_twice_is_one_date():
    assert values("homme, 12. märtsil") == ["2026-03-12"]


def test_different_days_are_all_found():
    assert values("homme reedel") == ["2026-03-12", "2026-03-13"]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("aasta lõpuni", "et", "2026-12-31"),
        ("järgmise aasta lõpuni", "et", "2027-12-31"),
        ("2030. aasta lõpuni", "et", "2030-12-31"),
        ("kuu lõpuni", "et", "2026-03-31"),
        ("eelmise kuu lõpuni", "et", "2026-02-28"),
        ("until the end of the year", "en", "2026-12-31"),
        ("by the end of next month", "en", "2026-04-30"),
        ("до конца года", "ru", "2026-12-31"),
        ("до конца следующего месяца", "ru", "2026-04-30"),
    ],
)
def test_the_end_of_a_year_or_a_month_is_its_last_day(text, language, value):
    assert [(each.value, each.side) for each in find_dates(text, language, TODAY)] == [(value, Side.TARGET)]


def test_the_end_of_this_month_in_december():
    assert [each.value for each in find_dates("kuu lõpuni", "et", date(2026, 12, 1))] == ["2026-12-31"]


@pytest.mark.parametrize(("weekday", "value"), [("esmaspäeval", "2026-03-09"), ("reedel", "2026-03-06")])
def test_an_estonian_previous_weekday_is_the_one_just_gone_by(weekday, value):
    assert values(f"eelmisel {weekday}") == [value]
