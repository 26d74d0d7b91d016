//! Methods by name and parameters, the one list that all commands choose from.

use std::str::FromStr;

use unframe::{OutOfRange, Stream, StreamParams};

/// A method with its parameters.
#[derive(Clone, Debug)]
pub enum MethodSpec {
    /// Keep everything.
    Text,
    /// Seed 004.
    Stream {
        /// The method.
        method: Stream,
        /// Label pages when they arrive.
        arrival: bool,
    },
}

impl MethodSpec {
    /// `stream` with these parameters.
    pub fn stream(params: StreamParams, arrival: bool) -> Result<Self, OutOfRange> {
        let method = Stream::new(params)?;
        Ok(MethodSpec::Stream { method, arrival })
    }
}

/// `NAME` or `NAME:KEY=VALUE,…`, as in `stream:arrival,separators=table+div`.
impl FromStr for MethodSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let settings = settings.split(',').filter(|setting| !setting.is_empty());
        match name {
            "text" => match settings.into_iter().next_back() {
                None => Ok(MethodSpec::Text),
                Some(setting) => Err(format!("`text` has no setting `{setting}`")),
            },
            "stream" => {
                let (mut params, mut arrival) = (StreamParams::default(), false);
                for setting in settings {
                    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
                    match key {
                        "arrival" => arrival = true,
                        "df" => params.df = parse(key, value)?,
                        "ratio" => params.ratio = parse(key, value)?,
                        "tb" => params.tb = parse(key, value)?,
                        "n" => params.n = parse(key, value)?,
                        "separators" => params.separators = value.parse()?,
                        _ => {
                            return Err(format!(
                                "`stream` has no setting `{key}`; it has arrival, df, ratio, tb, n \
                                 and separators, as in `stream:arrival,separators=table+div`"
                            ));
                        }
                    }
                }
                MethodSpec::stream(params, arrival).map_err(|error| error.to_string())
            }
            _ => Err(format!(
                "no method is called `{name}`; there are text and stream"
            )),
        }
    }
}

fn parse<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("`{key}={value}` is not a number; write for example `{key}=5`"))
}

impl std::fmt::Display for MethodSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (method, arrival) = match self {
            MethodSpec::Text => return f.write_str("text"),
            MethodSpec::Stream { method, arrival } => (method, arrival),
        };
        let (params, usual) = (method.params(), StreamParams::default());
        let mut settings = Vec::new();
        if *arrival {
            settings.push("arrival".to_string());
        }
        if params.df != usual.df {
            settings.push(format!("df={}", params.df));
        }
        if params.ratio != usual.ratio {
            settings.push(format!("ratio={}", params.ratio));
        }
        if params.tb != usual.tb {
            settings.push(format!("tb={}", params.tb));
        }
        if params.n != usual.n {
            settings.push(format!("n={}", params.n));
        }
        let names = params.separators.to_string();
        if params.separators == unframe::Separators::modern() {
            settings.push("separators=modern".into());
        } else if params.separators != usual.separators {
            settings.push(format!("separators={}", names.replace(',', "+")));
        }
        match settings.is_empty() {
            true => f.write_str("stream"),
            false => write!(f, "stream:{}", settings.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_spelled_as_they_are_read() {
        for text in [
            "text",
            "stream",
            "stream:arrival",
            "stream:arrival,df=3,ratio=0.5,tb=10,n=2,separators=modern",
            "stream:separators=div+p",
        ] {
            assert_eq!(text.parse::<MethodSpec>().unwrap().to_string(), text);
        }
        for (wrong, hint) in [
            ("magic", "text and stream"),
            ("text:x", "no setting `x`"),
            ("stream:speed=9", "arrival, df"),
            ("stream:df=one", "df=5"),
            ("stream:df=1", "at least 2"),
            ("stream:separators=dvi", "`dvi`"),
        ] {
            let error = wrong.parse::<MethodSpec>().unwrap_err();
            assert!(error.contains(hint), "{wrong}: {error}");
        }
    }
}
