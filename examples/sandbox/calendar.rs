//! Dates and times of day in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

pub struct DateTime {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

impl DateTime {
    pub fn of(time: SystemTime) -> Self {
        let seconds = time
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs() as i64);
        let (days, second_of_day) = (seconds / 86_400, seconds % 86_400);
        // Years are counted from 1 March of the year 0, so that the leap day is the last day of a
        // year. 400 years have 146 097 days.
        let day = days + 719_468;
        let (era, day_of_era) = (day / 146_097, day % 146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        Self {
            year: era * 400 + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_from_march + 2) / 5 + 1,
            hour: second_of_day / 3_600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
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
