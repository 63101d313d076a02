//! A setting: a key of the configuration or an option of a call, with its limits and its default.

/// A setting, as the list has it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name in JSON; after the name of its object and a dot, if that is not the outermost one.
    pub key: &'static str,
    /// Its type, as the documentation names it.
    pub kind: &'static str,
    /// The least value of a number; the least length of a text.
    pub least: u64,
    /// The largest value of a number; the largest length of a text.
    pub most: u64,
    /// The texts that are allowed, if not any.
    pub values: &'static [&'static str],
    /// What it is if it is left out.
    pub default: DefaultValue,
}

/// What a setting is if it is left out.
#[derive(Debug, Clone, Copy)]
pub enum DefaultValue {
    /// It must be given.
    Required,
    /// The setting's text says what leaving it out means.
    None,
    /// A number.
    Number(u64),
    /// A boolean.
    Boolean(bool),
    /// A string.
    Text(&'static str),
}

/// A setting of a type, without limits and without a default.
pub(super) const fn setting(key: &'static str, kind: &'static str) -> Setting {
    Setting {
        key,
        kind,
        least: 0,
        most: u64::MAX,
        values: &[],
        default: DefaultValue::None,
    }
}

pub(super) const fn integer(key: &'static str, least: u64, most: u64) -> Setting {
    setting(key, "integer").within(least, most)
}

/// A text; its length is counted in bytes.
pub(super) const fn string(key: &'static str) -> Setting {
    setting(key, "string")
}

/// A string that names a file.
pub(super) const fn path(key: &'static str) -> Setting {
    setting(key, "path")
}

/// False by default.
pub(super) const fn boolean(key: &'static str) -> Setting {
    setting(key, "boolean").or(DefaultValue::Boolean(false))
}

impl Setting {
    pub(super) const fn within(mut self, least: u64, most: u64) -> Setting {
        self.least = least;
        self.most = most;
        self
    }

    pub(super) const fn one_of(mut self, values: &'static [&'static str]) -> Setting {
        self.values = values;
        self
    }

    pub(super) const fn or(mut self, default: DefaultValue) -> Setting {
        self.default = default;
        self
    }

    /// Checks a number that a Rust program gave.
    pub(crate) fn check(&self, value: u128) -> Result<(), String> {
        let (least, most) = (self.least, self.most);
        if (u128::from(least)..=u128::from(most)).contains(&value) {
            Ok(())
        } else {
            Err(format!("must be from {least} to {most}, not {value}"))
        }
    }
}
