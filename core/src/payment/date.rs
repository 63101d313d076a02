//! Dates and times of RFC 3339.

/// Seconds since 1970 of an RFC 3339 date such as `2026-11-21T14:05:06Z`, also with fractions of a
/// second or with an offset. `None` for any other form.
pub(crate) fn rfc3339(text: &str) -> Option<i64> {
    let text = text.to_ascii_uppercase();
    let (date, rest) = text.split_at_checked(19)?;
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|one: char| one.is_ascii_digit());
            (zone.len() < fraction.len()).then_some(zone)?
        }
        None => rest,
    };
    let offset = match zone.get(..1)? {
        "Z" if zone.len() == 1 => 0,
        "+" | "-" if has_shape(zone.get(1..)?, "00:00") => {
            let (hours, minutes): (i64, i64) =
                (zone.get(1..3)?.parse().ok()?, zone.get(4..6)?.parse().ok()?);
            let size = (hours < 24 && minutes < 60).then_some((hours * 60 + minutes) * 60)?;
            if zone.starts_with('-') { -size } else { size }
        }
        _ => return None,
    };
    Some(seconds(date)? - offset)
}

/// Seconds since 1970 of `YYYY-MM-DDThh:mm:ss`, as if it were UTC. `None` for any other form, and
/// for a date that does not exist: no calendar has a year 0.
pub(crate) fn seconds(iso: &str) -> Option<i64> {
    if !has_shape(iso, "0000-00-00T00:00:00") {
        return None;
    }
    let number = |from, to| iso.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if leap { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before = lengths.get(..usize::try_from(month - 1).ok()?)?;
    let length = lengths.get(before.len())?;
    let valid = year > 0 && (1..=*length).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let past = year - 1;
    let leap_days = past / 4 - past / 100 + past / 400;
    let days = past * 365 + leap_days + before.iter().sum::<i64>() + day - 1;
    valid.then(|| (days - DAYS_TO_1970) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// From the first day of the year 1.
const DAYS_TO_1970: i64 = 719_162;

/// Whether a text has a digit wherever the shape has 0, and is equal otherwise.
pub(crate) fn has_shape(text: &str, shape: &str) -> bool {
    let fits = |(one, wanted): (u8, u8)| match wanted {
        b'0' => one.is_ascii_digit(),
        _ => one == wanted,
    };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn rfc_3339_dates_are_seconds_since_1970() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-11-21T14:05:06Z", Some(1_795_269_906)),
            ("2026-11-21T14:05:06.789Z", Some(1_795_269_906)),
            ("2026-11-21T19:35:06+05:30", Some(1_795_269_906)),
            ("2026-11-21T10:05:06-04:00", Some(1_795_269_906)),
            ("2024-02-29T00:00:00Z", Some(1_709_164_800)),
            ("0001-01-01T00:00:00Z", Some(-62_135_596_800)),
            ("2026-11-21T14:05:06", None),
            ("2026-11-21 14:05:06Z", None),
            ("2026-11-21T14:05:06.Z", None),
            ("2026-02-29T00:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-00-01T00:00:00Z", None),
            ("2026-11-21T24:00:00Z", None),
            ("2026-11-21T14:05:06+25:00", None),
            ("2026-11-21", None),
            ("", None),
        ] {
            assert_eq!(rfc3339(text), expected, "{text}");
        }
    }
}
