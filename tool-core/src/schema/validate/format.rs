//! Formats that schemars has words of its own for.

/// A format's name, and whether a text has it.
type Format = (&'static str, fn(&str) -> bool);

pub(crate) const OWN: [Format; 3] = [
    // What `std::net::IpAddr` reads.
    ("ip", |text| text.parse::<std::net::IpAddr>().is_ok()),
    // RFC 3339 without an offset: chrono's `NaiveTime` and `NaiveDateTime`.
    ("partial-time", is_time),
    ("partial-date-time", |text| {
        text.split_once('T')
            .is_some_and(|(date, time)| is_date(date) && is_time(time))
    }),
];

/// `12:30:00`, `23:59:60.5`
fn is_time(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let Some([hour, minute, second]) = numbers(clock, ':', [2, 2, 2]) else {
        return false;
    };
    // A leap second counts.
    let in_range = hour < 24 && minute < 60 && second <= 60;
    in_range && !fraction.is_empty() && fraction.bytes().all(|digit| digit.is_ascii_digit())
}

/// `2024-02-29`
fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = numbers(text, '-', [4, 2, 2]) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u16::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// Three numbers of so many digits each.
fn numbers(text: &str, separator: char, digits: [usize; 3]) -> Option<[u16; 3]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; 3];
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| {
            part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())
        })?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::OWN;

    #[test]
    fn own_formats() {
        let has = |name: &str, text: &str| {
            let (_, check) = OWN.iter().find(|(own, _)| *own == name).unwrap();
            check(text)
        };
        for (name, good, bad) in [
            ("ip", vec!["::1", "127.0.0.1"], vec!["", "1.2.3", "a"]),
            (
                "partial-time",
                vec!["00:00:00", "23:59:60", "12:30:00.25"],
                vec![
                    "",
                    "24:00:00",
                    "12:60:00",
                    "12:30",
                    "12:30:00Z",
                    "12:30:00.",
                    "+1:30:00",
                    "12:30:00:00",
                ],
            ),
            (
                "partial-date-time",
                vec!["2024-02-29T12:30:00", "2000-12-31T00:00:00.5"],
                vec![
                    "",
                    "2023-02-29T12:30:00",
                    "1900-02-29T12:30:00",
                    "2024-13-01T00:00:00",
                    "2024-00-01T00:00:00",
                    "2024-04-31T00:00:00",
                    "2024-01-00T00:00:00",
                    "2024-01-01 00:00:00",
                    "2024-01-01T00:00:00Z",
                    "2024-01-01T00:00:00+01:00",
                ],
            ),
        ] {
            for text in good {
                assert!(has(name, text), "{name}: {text:?}");
            }
            for text in bad {
                assert!(!has(name, text), "{name}: {text:?}");
            }
        }
    }
}
