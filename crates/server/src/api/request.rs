//! What a client says of a page and of the answer it wants: as JSON, or as a body of its own with the rest
//! in the query.

use std::str::FromStr;

use axum::extract::Request;
use axum::http::{Uri, header};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use unframe::page::Selector;
use unframe::read::MediaType;
use unframe::record::{Fields, Origin};
use unframe::render::{Field, MarkdownOptions};
use unframe::{CleanPage, Comments, Judge};
use url::form_urlencoded;
use utoipa::ToSchema;

use crate::app::App;
use crate::engine::{Asked, Engine, FavorWhat, Marks, Overruled, Page, RemoveWhat, Slot};
use crate::http::BodyReader;
use crate::problem::Problem;

/// Longer URLs are no addresses of pages.
const LONGEST_URL: usize = 8192;
const LONGEST_SITE: usize = 255;
/// Selectors of one request.
const MOST_SELECTORS: usize = 100;

/// A page, and what is wanted of it.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CleanRequest {
    /// The URL of the page. A page is known by it. Needed unless `learn` is false.
    #[schema(example = "https://shop.example/lamps", max_length = 8192)]
    pub url: Option<String>,
    /// The page as text.
    #[schema(example = "<nav>Home</nav><p>Every lamp in the window has been lit.</p>")]
    pub html: String,
    /// The site it is learned with. Default: the host of the URL.
    #[schema(max_length = 255)]
    pub site: Option<String>,
    /// Forms of the kept text. Default: `text`.
    pub formats: Option<Vec<Form>>,
    /// Other fields of the record, as for `unframe clean --fields`. Default: those that are short.
    #[schema(example = json!(["title", "metadata", "links"]))]
    pub fields: Option<Vec<String>>,
    /// What is removed.
    pub remove: RemoveWhat,
    /// Which measure of the kept text matters more.
    pub favor: FavorWhat,
    /// Always keep text inside elements that match one of these CSS selectors.
    #[schema(max_items = 100)]
    pub protect: Vec<String>,
    /// Always remove text inside elements that match one of these CSS selectors.
    #[schema(max_items = 100)]
    pub remove_selector: Vec<String>,
    /// What is done with readers' comments.
    pub comments: WithComments,
    /// Keep the body of an article alone, without its headline, byline, date, standfirst and captions.
    pub body_only: bool,
    /// Learn the page. Default: true. A page that was acknowledged is durable.
    pub learn: Option<bool>,
    /// The charset that the transport stated, for a body of its own.
    #[serde(skip)]
    pub charset: Option<String>,
    /// The page as a body of its own.
    #[serde(skip)]
    pub body: Option<Bytes>,
}

/// A form of the kept text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Plain text; paragraphs, list items and table cells are separated.
    Text,
    /// Headings, lists, tables, code and links.
    Markdown,
    /// The original page with the frame cut out.
    Html,
}

/// What is done with readers' comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WithComments {
    /// They are removed as frame.
    #[default]
    Drop,
    /// They are kept beside the page's own text.
    Keep,
    /// Everything else is removed.
    Only,
}

/// Fields that are short, in the order of a record.
const USUAL: [Field; 8] = [
    Field::Url,
    Field::Site,
    Field::Title,
    Field::Metadata,
    Field::Kind,
    Field::Confidence,
    Field::Flags,
    Field::StatePages,
];

/// What a request comes to: the page, how it is judged, and how it is answered.
pub struct Reply {
    /// The page.
    pub page: Page,
    /// How it is judged.
    pub judge: Judge,
    /// Whether it is learned.
    pub learn: bool,
    /// Which fields the answer has.
    fields: Fields,
    body_only: bool,
}

impl CleanRequest {
    /// Reads the request of a client. The slot holds the room that it takes.
    pub async fn read(app: &App, request: Request) -> Result<(CleanRequest, Slot), Problem> {
        let encoding = request.headers().get(header::CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| encoding != "identity") {
            let message =
                "the body is compressed, and bodies are taken as they are; send it uncompressed";
            return Err(Problem::new("unusable", message));
        }
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.map(|kind| String::from_utf8_lossy(kind.as_bytes()).into_owned());
        let uri = request.uri().clone();
        let reader = BodyReader::new(request.into_body(), app.options.client_timeout);
        // JSON escapes make a page up to six times as long; most make it a tenth longer.
        let mut taken = reader.all(app.options.max_page, &app.engine.slots).await?;
        app.engine.slots.page(&mut taken.slot)?;
        let asked = CleanRequest::of(kind.as_deref(), &uri, taken.bytes)?;
        Ok((asked, taken.slot))
    }

    /// The request of a body with this content type.
    fn of(kind: Option<&str>, uri: &Uri, body: Bytes) -> Result<CleanRequest, Problem> {
        let media = kind.and_then(MediaType::read);
        let essence = media.as_ref().map_or("", |media| media.essence.as_str());
        if essence == "application/json" || (essence.is_empty() && body.first() == Some(&b'{')) {
            if uri.query().is_some_and(|query| !query.is_empty()) {
                let message = "write everything into the JSON object, and nothing into the query";
                return Err(Problem::new("unusable", message));
            }
            return CleanRequest::parse(&body);
        }
        let mut asked = CleanRequest::of_query(uri.query().unwrap_or_default())?;
        asked.charset = media.and_then(|media| media.charset);
        // The page itself is passed on as it is.
        asked.html = String::new();
        asked.body = Some(body);
        Ok(asked)
    }

    /// The request of a JSON object.
    pub fn parse(json: &[u8]) -> Result<CleanRequest, Problem> {
        serde_json::from_slice(json).map_err(|error| {
            let name = match error.classify() {
                serde_json::error::Category::Data => "unusable",
                _ => "bad-request",
            };
            Problem::new(name, format!("the JSON object: {error}"))
        })
    }

    /// The same names in a query; lists are repeated, or separated by commas where no value has one.
    fn of_query(query: &str) -> Result<CleanRequest, Problem> {
        let mut asked = CleanRequest::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let (name, value) = (&*name, value.into_owned());
            let listed = || value.split(',').map(|one| one.trim().to_string());
            match name {
                "url" => asked.url = Some(value),
                "site" => asked.site = Some(value),
                "formats" => {
                    let formats = asked.formats.get_or_insert_default();
                    for one in listed() {
                        formats.push(word(name, &one)?);
                    }
                }
                "fields" => asked.fields.get_or_insert_default().extend(listed()),
                "remove" => asked.remove = word(name, &value)?,
                "favor" => asked.favor = word(name, &value)?,
                "protect" => asked.protect.push(value),
                "remove_selector" => asked.remove_selector.push(value),
                "comments" => asked.comments = word(name, &value)?,
                "body_only" => asked.body_only = word(name, &value)?,
                "learn" => asked.learn = Some(word(name, &value)?),
                _ => {
                    let message = format!(
                        "there is no parameter `{name}`; there are url, site, formats, fields, remove, favor, \
                         protect, remove_selector, comments, body_only and learn"
                    );
                    return Err(Problem::new("unusable", message));
                }
            }
        }
        Ok(asked)
    }

    /// What the request comes to. `learn` is what is done if it does not say.
    pub fn reply(self, engine: &Engine, learn: bool) -> Result<Reply, Problem> {
        let learn = self.learn.unwrap_or(learn);
        let url = self.url.filter(|url| !url.trim().is_empty());
        if url.as_ref().is_some_and(|url| url.len() > LONGEST_URL) {
            let message = format!("`url` is longer than {LONGEST_URL} bytes");
            return Err(Problem::new("unusable", message));
        }
        let site = self.site.filter(|site| !site.is_empty());
        if site
            .as_ref()
            .is_some_and(|site| site.len() > LONGEST_SITE || site.contains('\0'))
        {
            let message = format!("`site` is longer than {LONGEST_SITE} bytes, or has a NUL in it");
            return Err(Problem::new("unusable", message));
        }
        let site = site.or_else(|| engine.site_of(url.as_deref()?));
        let site = site.filter(|site| site.len() <= LONGEST_SITE);
        if learn && url.is_none() {
            let message =
                "a page is known by its URL, and `url` is missing; add it, or `learn`: false";
            return Err(Problem::new("unusable", message));
        }
        let site = match (site, learn) {
            (Some(site), _) => site,
            (None, false) if url.is_none() => "page".into(),
            (None, _) => {
                let message = "`url` has no host; write a whole URL, or name the site in `site`";
                return Err(Problem::new("unusable", message));
            }
        };
        let overruled = Overruled {
            own: Marks {
                protect: selectors("protect", &self.protect)?,
                remove: selectors("remove_selector", &self.remove_selector)?,
            },
            comments: match self.comments {
                WithComments::Drop => Comments::Drop,
                WithComments::Keep => Comments::Keep,
                WithComments::Only => Comments::Only,
            },
        };
        let asked = Asked {
            remove: self.remove,
            favor: self.favor,
        };
        let fields = fields(self.formats, self.fields)?;
        Ok(Reply {
            judge: Judge {
                engine: engine.judges.get(asked),
                overrides: overruled.with(engine.marks.get(&site)),
                reasons: fields.has(Field::Removed),
                explanations: false,
            },
            page: Page {
                site,
                url: url.unwrap_or_default(),
                html: self.body.unwrap_or_else(|| self.html.into()),
                charset: self.charset,
            },
            learn,
            fields,
            body_only: self.body_only,
        })
    }
}

impl Reply {
    /// Makes the answer of the cleaned page.
    pub fn render(&self) -> impl FnOnce(&CleanPage, bool) -> Vec<u8> + Send + use<> {
        let (fields, body_only) = (self.fields.clone(), self.body_only);
        let (url, site) = (self.page.url.clone(), self.page.site.clone());
        let learn = self.learn;
        move |page, is_new| {
            let body = body_only.then(|| page.body());
            let markdown = MarkdownOptions::default();
            let record = fields.record(origin_of(&url, &site), page, body.as_ref(), &markdown);
            let mut json = serde_json::to_vec(&record).expect("records are plain data");
            if learn {
                // One more field at the end.
                json.pop();
                let comma = if json.len() > 1 { "," } else { "" };
                json.extend_from_slice(format!("{comma}\"learned\":{is_new}}}").as_bytes());
            }
            json
        }
    }
}

/// Where a page comes from.
pub fn origin_of<'a>(url: &'a str, site: &'a str) -> Origin<'a> {
    Origin {
        url: Some(url),
        source: url,
        site,
        ..Origin::default()
    }
}

/// A value that is one of some words.
fn word<T: for<'de> Deserialize<'de>>(name: &str, value: &str) -> Result<T, Problem> {
    let literal = match value {
        "true" | "false" => value.to_string(),
        _ => format!("{value:?}"),
    };
    serde_json::from_str(&literal).map_err(|error| {
        let error = error.to_string();
        let what = error.split(" at line").next().unwrap_or_default();
        Problem::new("unusable", format!("`{name}`: {what}"))
    })
}

fn selectors(name: &str, given: &[String]) -> Result<Vec<Selector>, Problem> {
    if given.len() > MOST_SELECTORS {
        let message = format!("`{name}` has more than {MOST_SELECTORS} selectors");
        return Err(Problem::new("unusable", message));
    }
    let parsed = given.iter().map(|selector| Selector::from_str(selector));
    let parsed: Result<Vec<Selector>, _> = parsed.collect();
    parsed.map_err(|error| Problem::new("unusable", format!("`{name}`: {error}")))
}

/// The fields of the answer, in the order of a record.
fn fields(formats: Option<Vec<Form>>, names: Option<Vec<String>>) -> Result<Fields, Problem> {
    let mut chosen: Vec<Field> = match names {
        None => USUAL.to_vec(),
        Some(names) => {
            let named = names.iter().map(|name| {
                let not_here = [
                    Field::Record,
                    Field::Source,
                    Field::Input,
                    Field::InputLeftOut,
                ];
                let field = Field::named(name).filter(|field| !not_here.contains(field));
                field.ok_or_else(|| {
                    let all = Field::ALL
                        .into_iter()
                        .filter(|field| !not_here.contains(field));
                    let all: Vec<&str> = all.map(Field::name).collect();
                    let message = format!(
                        "`fields`: there is no field `{name}`; choose from {}",
                        all.join(", ")
                    );
                    Problem::new("unusable", message)
                })
            });
            named.collect::<Result<_, _>>()?
        }
    };
    for form in formats.unwrap_or_else(|| vec![Form::Text]) {
        chosen.push(match form {
            Form::Text => Field::Text,
            Form::Markdown => Field::Markdown,
            Form::Html => Field::Html,
        });
    }
    let in_order = Field::ALL
        .into_iter()
        .filter(|field| chosen.contains(field));
    Ok(Fields::new(in_order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_and_objects_say_the_same() {
        let query = "url=https%3A%2F%2Fa.example%2F1&formats=text,markdown&remove=template&favor=recall&\
                     protect=main%2C%20article&protect=.x&learn=false&comments=keep&body_only=true";
        let json = r#"{"url": "https://a.example/1", "formats": ["text", "markdown"], "remove": "template",
            "favor": "recall", "protect": ["main, article", ".x"], "learn": false, "comments": "keep",
            "body_only": true}"#;
        let of_query = CleanRequest::of_query(query).unwrap();
        let of_json = CleanRequest::parse(json.as_bytes()).unwrap();
        assert_eq!(format!("{of_query:?}"), format!("{of_json:?}"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (query, said) in [
            ("formats=pdf", "unknown variant `pdf`"),
            ("learn=perhaps", "`learn`"),
            ("remov=template", "there is no parameter `remov`"),
        ] {
            let problem = CleanRequest::of_query(query).unwrap_err();
            assert_eq!(problem.status, 422, "{query}");
            assert!(problem.detail.contains(said), "{query}: {}", problem.detail);
        }
        assert_eq!(CleanRequest::parse(b"{").unwrap_err().status, 400);
        assert_eq!(
            CleanRequest::parse(b"{\"htlm\": \"\"}").unwrap_err().status,
            422
        );
        let problem = fields(None, Some(vec!["titel".into()])).unwrap_err();
        assert!(problem.detail.contains("`titel`"), "{}", problem.detail);
    }
}
