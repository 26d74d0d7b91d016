//! Methods by name and parameters, the one list that all commands choose from.

use std::str::FromStr;

use unframe::mdl::{BadMdlParams, MdlParams, OnlineParams};
use unframe::{
    Auto, ChunkParams, Chunks, Lean, LinksMethod, LinksParams, Mdl, OutOfRange, Preset, Remove,
    Stream, StreamParams,
};

use crate::links_spec;
use crate::mdl_spec;
use crate::survey_args::Cluster;

/// A method with its parameters.
#[derive(Clone, Debug)]
pub enum MethodSpec {
    /// Keep everything.
    Text,
    /// All evidence, weighed by a fitted model.
    Auto {
        /// The method.
        method: Auto,
        /// Label pages when they arrive.
        arrival: bool,
    },
    /// Segments counted as pages arrive (Wang et al., 2008).
    Stream {
        /// The method.
        method: Stream,
        /// Label pages when they arrive.
        arrival: bool,
        /// Clusters that are learnt apart.
        cluster: Cluster,
    },
    /// Table text chunks (Ma et al., 2003).
    Chunks {
        /// The method.
        method: Chunks,
        /// Leave duplicates out of what is learnt, as the second of the papers does.
        dedup: bool,
        /// Clusters that are learnt apart.
        cluster: Cluster,
    },
    /// Templates of clusters of least description length (Kim and Shim, 2011).
    Mdl {
        /// The method.
        method: Mdl,
        /// Assign and label pages when they arrive.
        arrival: bool,
    },
    /// Trees of pages mapped onto each other (Alarte, 2014).
    Links {
        /// The method.
        method: LinksMethod,
        /// Label pages when they arrive.
        arrival: bool,
    },
}

impl MethodSpec {
    /// `auto`.
    pub fn auto(remove: Remove, lean: Lean, arrival: bool) -> Self {
        let method = Auto::new(remove, lean);
        MethodSpec::Auto { method, arrival }
    }

    /// `stream` with these parameters.
    pub fn stream(params: StreamParams, arrival: bool) -> Result<Self, OutOfRange> {
        let method = Stream::new(params)?;
        let cluster = Cluster::None;
        Ok(MethodSpec::Stream {
            method,
            arrival,
            cluster,
        })
    }

    /// `chunks` with these parameters.
    pub fn chunks(params: ChunkParams, dedup: bool) -> Result<Self, OutOfRange> {
        let method = Chunks::new(params)?;
        let cluster = Cluster::None;
        Ok(MethodSpec::Chunks {
            method,
            dedup,
            cluster,
        })
    }

    /// `mdl` with these parameters.
    pub fn mdl(params: MdlParams) -> Result<Self, BadMdlParams> {
        let (method, arrival) = (Mdl::new(params)?, false);
        Ok(MethodSpec::Mdl { method, arrival })
    }

    /// `links` with these parameters.
    pub fn links(params: LinksParams, arrival: bool) -> Result<Self, OutOfRange> {
        let method = LinksMethod::new(params)?;
        Ok(MethodSpec::Links { method, arrival })
    }

    /// `mdl` with pages assigned to clusters as they arrive, which has parameters of its own.
    pub fn mdl_at_arrival() -> Self {
        let (method, arrival) = (Mdl::at_arrival(OnlineParams::default()), true);
        MethodSpec::Mdl { method, arrival }
    }

    /// The same, with clusters learnt apart if the method has none of its own.
    fn in_clusters(mut self, by: Cluster) -> Self {
        if let MethodSpec::Stream { cluster, .. } | MethodSpec::Chunks { cluster, .. } = &mut self {
            *cluster = by;
        }
        self
    }

    /// True if leaving duplicates out is part of the method.
    pub fn wants_dedup(&self) -> bool {
        matches!(self, MethodSpec::Chunks { dedup: true, .. })
    }
}

/// `NAME` or `NAME:KEY=VALUE,…`, as in `stream:arrival,separators=table+div`.
impl FromStr for MethodSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let settings: Vec<(&str, &str)> = settings
            .split(',')
            .filter(|setting| !setting.is_empty())
            .map(|setting| setting.split_once('=').unwrap_or((setting, "")))
            .collect();
        match name {
            "text" => match settings.last() {
                None => Ok(MethodSpec::Text),
                Some((key, _)) => Err(format!("`text` has no setting `{key}`")),
            },
            "auto" => parse_auto(&settings),
            "stream" => parse_stream(&settings),
            "chunks" => parse_chunks(&settings),
            "mdl" => mdl_spec::parse(&settings),
            "links" => links_spec::parse(&settings),
            _ => Err(format!(
                "no method is called `{name}`; there are auto, text, stream, chunks, mdl and \
                 links"
            )),
        }
    }
}

fn parse_auto(settings: &[(&str, &str)]) -> Result<MethodSpec, String> {
    let (mut remove, mut lean, mut arrival) = (Remove::default(), Lean::default(), false);
    for (key, value) in settings {
        match *key {
            "arrival" => arrival = true,
            "remove" => remove = value.parse()?,
            "lean" => lean = value.parse()?,
            _ => {
                return Err(format!(
                    "`auto` has no setting `{key}`; it has arrival, remove and lean, as in \
                     `auto:remove=template,lean=precision`"
                ));
            }
        }
    }
    Ok(MethodSpec::auto(remove, lean, arrival))
}

fn parse_stream(settings: &[(&str, &str)]) -> Result<MethodSpec, String> {
    let (mut params, mut arrival) = (StreamParams::default(), false);
    let mut cluster = Cluster::None;
    for (key, value) in settings {
        match *key {
            "arrival" => arrival = true,
            "df" => params.df = number(key, value)?,
            "ratio" => params.ratio = number(key, value)?,
            "tb" => params.tb = number(key, value)?,
            "n" => params.n = number(key, value)?,
            "separators" => params.separators = value.parse()?,
            "cluster" => cluster = value.parse()?,
            _ => {
                return Err(format!(
                    "`stream` has no setting `{key}`; it has arrival, df, ratio, tb, n, \
                     separators and cluster, as in `stream:arrival,separators=table+div`"
                ));
            }
        }
    }
    let spec = MethodSpec::stream(params, arrival).map_err(|error| error.to_string())?;
    Ok(spec.in_clusters(cluster))
}

fn parse_chunks(settings: &[(&str, &str)]) -> Result<MethodSpec, String> {
    // The preset is what the others change, wherever it stands.
    let preset = settings.iter().rfind(|(key, _)| *key == "preset");
    let preset = preset.map_or(Ok(Preset::Modern), |(_, name)| name.parse())?;
    let (mut params, mut dedup) = (preset.params(), preset.leaves_duplicates_out());
    let mut cluster = Cluster::None;
    for (key, value) in settings {
        match *key {
            "preset" => {}
            "delimiters" => params.delimiters = value.parse()?,
            "threshold" => params.threshold = value.parse()?,
            "key" => params.key = value.parse()?,
            "sample" => params.sample = Some(number(key, value)?),
            "seed" => params.seed = number(key, value)?,
            "images" => params.images = true,
            "no-images" => params.images = false,
            "dedup" => dedup = true,
            "no-dedup" => dedup = false,
            "cluster" => cluster = value.parse()?,
            _ => {
                return Err(format!(
                    "`chunks` has no setting `{key}`; it has preset, delimiters, threshold, key, \
                     sample, seed, images, no-images, dedup, no-dedup and cluster, as in \
                     `chunks:preset=ma-2003a,threshold=30%`"
                ));
            }
        }
    }
    let spec = MethodSpec::chunks(params, dedup).map_err(|error| error.to_string())?;
    Ok(spec.in_clusters(cluster))
}

/// The value of a setting that is a number.
pub fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("`{key}={value}` is not a number; write for example `{key}=5`"))
}

impl std::fmt::Display for MethodSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, mut settings) = match self {
            MethodSpec::Text => ("text", Vec::new()),
            MethodSpec::Auto { method, arrival } => ("auto", auto_settings(method, *arrival)),
            MethodSpec::Stream {
                method, arrival, ..
            } => ("stream", stream_settings(method.params(), *arrival)),
            MethodSpec::Chunks { method, dedup, .. } => {
                ("chunks", chunk_settings(method.params(), *dedup))
            }
            MethodSpec::Mdl { method, arrival } => ("mdl", mdl_spec::settings(method, *arrival)),
            MethodSpec::Links { method, arrival } => {
                ("links", links_spec::settings(method.params(), *arrival))
            }
        };
        if let MethodSpec::Stream { cluster, .. } | MethodSpec::Chunks { cluster, .. } = self
            && *cluster != Cluster::None
        {
            settings.push(format!("cluster={cluster}"));
        }
        match settings.is_empty() {
            true => f.write_str(name),
            false => write!(f, "{name}:{}", settings.join(",")),
        }
    }
}

/// What differs from the usual.
fn auto_settings(method: &Auto, arrival: bool) -> Vec<String> {
    let mut settings = Vec::new();
    if arrival {
        settings.push("arrival".to_string());
    }
    if method.remove() != Remove::default() {
        settings.push(format!("remove={}", method.remove()));
    }
    if method.lean() != Lean::default() {
        settings.push(format!("lean={}", method.lean()));
    }
    settings
}

/// The same of `stream`.
fn stream_settings(params: &StreamParams, arrival: bool) -> Vec<String> {
    let usual = StreamParams::default();
    let mut settings = Vec::new();
    if arrival {
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
    settings
}

/// The preset with the same delimiters, and what differs from it.
fn chunk_settings(params: &ChunkParams, dedup: bool) -> Vec<String> {
    let same = |preset: &Preset| preset.params().delimiters == params.delimiters;
    let preset = Preset::ALL.into_iter().find(same);
    let base = preset.unwrap_or(Preset::Modern);
    let usual = base.params();
    let mut settings = vec![match preset {
        Some(preset) => format!("preset={preset}"),
        None => {
            let names = params.delimiters.to_string();
            format!("delimiters={}", names.replace(',', "+"))
        }
    }];
    if params.threshold != usual.threshold {
        settings.push(format!("threshold={}", params.threshold));
    }
    if params.key != usual.key {
        settings.push(format!("key={}", params.key));
    }
    if let Some(pages) = params.sample {
        settings.push(format!("sample={pages}"));
    }
    if params.seed != usual.seed {
        settings.push(format!("seed={}", params.seed));
    }
    if params.images != usual.images {
        let setting = if params.images { "images" } else { "no-images" };
        settings.push(setting.into());
    }
    if dedup != base.leaves_duplicates_out() {
        let setting = if dedup { "dedup" } else { "no-dedup" };
        settings.push(setting.into());
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_spelled_as_they_are_read() {
        for text in [
            "text",
            "auto",
            "auto:arrival",
            "auto:remove=template",
            "auto:lean=recall",
            "auto:arrival,remove=template,lean=precision",
            "stream",
            "stream:arrival",
            "stream:arrival,df=3,ratio=0.5,tb=10,n=2,separators=modern",
            "stream:separators=div+p",
            "chunks:preset=ma-2003a",
            "chunks:preset=ma-2003b,threshold=30%",
            "chunks:preset=ma-2003b,no-dedup",
            "chunks:preset=modern,dedup",
            "chunks:preset=modern,threshold=3,key=path,sample=9,seed=7,images",
            "chunks:preset=ma-2003a,no-images",
            "chunks:delimiters=div+p",
            "chunks:preset=modern,cluster=mdl",
            "stream:arrival,cluster=minmax",
            "mdl",
            "mdl:arrival",
            "mdl:preset=kim-shim",
            "mdl:preset=kim-shim,search=lsh",
            "mdl:mdl=seed",
            "links",
            "links:n=8,t=4,arrival",
            "links:preset=alarte-2014",
            "links:preset=alarte-best,t=5",
            "links:keep=30,pt=0.5,wc=0.4,wp=0.3,ids=all,page-attributes",
            "mdl:mode-rule=literal,no-room",
            "mdl:mode-rule=elements,search=estimate,exact-limit=9,hashes=64,bands=16",
        ] {
            assert_eq!(text.parse::<MethodSpec>().unwrap().to_string(), text);
        }
        let usual = "chunks".parse::<MethodSpec>().unwrap().to_string();
        assert_eq!(usual, "chunks:preset=modern");
        for (wrong, hint) in [
            ("magic", "auto, text, stream, chunks, mdl and links"),
            ("auto:df=4", "arrival, remove and lean"),
            ("auto:remove=all", "`template`"),
            ("auto:lean=left", "precision, balance and recall"),
            ("text:x", "no setting `x`"),
            ("stream:speed=9", "arrival, df"),
            ("stream:df=one", "df=5"),
            ("stream:df=1", "at least 2"),
            ("stream:separators=dvi", "`dvi`"),
            ("chunks:df=4", "preset, delimiters"),
            ("chunks:preset=ma", "ma-2003a, ma-2003b and modern"),
            ("chunks:threshold=many", "4 or 30%"),
            ("chunks:threshold=1", "at least 2"),
            ("chunks:sample=2", "at least the threshold"),
            ("chunks:key=url", "text, or path"),
            ("chunks:cluster=all", "none, minmax and mdl"),
            ("mdl:cluster=mdl", "preset, arrival"),
            ("links:df=4", "preset, arrival, n, t"),
            ("links:preset=old", "alarte-2014, alarte-best, modern"),
            ("links:t=4", "at most n"),
            ("links:n=some", "n=5"),
            ("links:texts=same", "structural, equal"),
            ("links:wc=0.9", "sum of the weights"),
            ("mdl:mdl=gamma", "seed, delta"),
            ("mdl:preset=ma-2003a", "kim-shim and modern"),
            ("mdl:arrival,search=lsh", "leave out arrival or `search`"),
            ("mdl:search=fast", "auto, exact, lsh, estimate"),
            ("mdl:hashes=many", "hashes=5"),
            ("mdl:hashes=100,bands=32", "multiple of bands"),
        ] {
            let error = wrong.parse::<MethodSpec>().unwrap_err();
            assert!(error.contains(hint), "{wrong}: {error}");
        }
    }
}
