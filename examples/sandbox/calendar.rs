//! Dates and times of day in UTC.

use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

pub struct DateTime {
    year: usize,
    month: usize,
    day: usize,
    hour: usize,
    minute: usize,
    second: usize,
}

impl DateTime {
    pub fn of(time: SystemTime) -> Self {
        const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
        // Such as `Sun, 06 Nov 1994 08:49:37 GMT`.
        let text = httpdate::fmt_http_date(time);
        let number = |place: Range<usize>| text[place].parse().unwrap_or(0);
        Self {
            year: number(12..16),
            month: MONTHS.find(&text[8..11]).map_or(0, |place| place / 3 + 1),
            day: number(5..7),
            hour: number(17..19),
            minute: number(20..22),
            second: number(23..25),
        }
    }

    /// `MM/DD/YYYY hh:mm:ss AM|PM`, as the service writes dates.
    pub fn documented(&self) -> String {
        let Self {
            year,
            month,
            day,
            minute,
            second,
            ..
        } = self;
        let hour = (self.hour + 11) % 12 + 1;
        let half = if self.hour < 12 { "AM" } else { "PM" };
        format!("{month:02}/{day:02}/{year:04} {hour:02}:{minute:02}:{second:02} {half}")
    }

    /// `YYYY-MM-DD hh:mm:ss`
    pub fn sortable(&self) -> String {
        let Self {
            year,
            month,
            day,
            hour,
            minute,
            second,
        } = self;
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }

    /// `hh:mm:ss`, for the log.
    pub fn clock(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

/// `YYYY-MM-DDThh:mm:ss.uuuuuuZ`: a question and its order can be in one millisecond.
pub fn timestamp(time: SystemTime) -> String {
    let date = DateTime::of(time).sortable().replace(' ', "T");
    let us = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.subsec_micros());
    format!("{date}.{us:06}Z")
}
