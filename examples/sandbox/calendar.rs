//! Dates and times of day in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// `YYYY-MM-DD hh:mm:ss`
pub fn sortable(time: SystemTime) -> String {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    // Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    let text = httpdate::fmt_http_date(time);
    let (day, year, clock) = (&text[5..7], &text[12..16], &text[17..25]);
    let month = MONTHS.find(&text[8..11]).map_or(0, |place| place / 3 + 1);
    format!("{year}-{month:02}-{day} {clock}")
}

/// `MM/DD/YYYY hh:mm:ss AM|PM`, as the service writes dates.
pub fn documented(time: SystemTime) -> String {
    let text = sortable(time);
    let (year, month, day) = (&text[..4], &text[5..7], &text[8..10]);
    let hour = text[11..13].parse().unwrap_or(0);
    let half = if hour < 12 { "AM" } else { "PM" };
    let hour = (hour + 11) % 12 + 1;
    format!("{month}/{day}/{year} {hour:02}{} {half}", &text[13..])
}

/// `YYYY-MM-DDThh:mm:ss.uuuuuuZ`: a question and its order can be in one millisecond.
pub fn timestamp(time: SystemTime) -> String {
    let date = sortable(time).replace(' ', "T");
    let us = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.subsec_micros());
    format!("{date}.{us:06}Z")
}
