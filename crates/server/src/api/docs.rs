//! The description of the interface as a page. It needs no script and loads nothing.

use std::fmt::Write;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use utoipa::openapi::OpenApi;

use crate::problem::KINDS;

const STYLE: &str = include_str!("docs.css");

/// The page of a description.
pub fn docs_page(description: &OpenApi) -> Response {
    let value = serde_json::to_value(description).unwrap_or_default();
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(policy),
        ),
    ];
    (headers, page(&value)).into_response()
}

fn page(api: &Value) -> String {
    let mut out = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>unframe: interface</title><style>",
    );
    out.push_str(STYLE);
    out.push_str("</style><main><h1>unframe: the interface</h1>");
    paragraphs(&api["info"]["description"], &mut out);
    out.push_str(
        "<p>The machine-readable description is <a href=/openapi.json>/openapi.json</a>. The pages of the state \
         can be looked at <a href=/>in the lens</a>. Language-model agents find tools at <code>/mcp</code>.</p>\
         <nav><h2>Addresses</h2><ul>",
    );
    let operations = operations(api);
    for (path, method, operation) in &operations {
        let (method, path) = (method.to_uppercase(), escaped(path));
        let id = escaped(operation["operationId"].as_str().unwrap_or_default());
        let title = escaped(operation["summary"].as_str().unwrap_or_default());
        let _ = write!(
            out,
            "<li><a href=\"#{id}\"><code>{method} {path}</code></a> {title}"
        );
    }
    out.push_str("</ul></nav>");
    for (path, method, operation) in &operations {
        write_operation(api, path, method, operation, &mut out);
    }
    out.push_str("<h2 id=values>Values</h2>");
    let schemas = api["components"]["schemas"].as_object();
    for (name, schema) in schemas.into_iter().flatten() {
        let name = escaped(name);
        let _ = write!(out, "<section><h3 id=\"{name}\"><code>{name}</code></h3>");
        paragraphs(&schema["description"], &mut out);
        write_fields(schema, &mut out);
        out.push_str("</section>");
    }
    out.push_str("<h2 id=problems>Problems</h2><p>Errors are <code>application/problem+json</code>; \
        <code>type</code> leads to one of these.</p><table><tr><th>type<th>status<th>meaning<th>what to do");
    for kind in KINDS {
        let (title, remedy) = (escaped(kind.title), escaped(kind.remedy));
        let _ = write!(
            out,
            "<tr id=\"{}\"><td><code>{}</code><td>{}<td>{title}<td>{remedy}",
            kind.name, kind.name, kind.status
        );
    }
    out.push_str("</table></main>");
    out
}

/// Path, method and operation, in the order of the description.
fn operations(api: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = api["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(|(method, operation)| (path.as_str(), method.as_str(), operation))
    });
    all.collect()
}

fn write_operation(api: &Value, path: &str, method: &str, operation: &Value, out: &mut String) {
    let id = escaped(operation["operationId"].as_str().unwrap_or_default());
    let title = escaped(operation["summary"].as_str().unwrap_or_default());
    let (method, path) = (method.to_uppercase(), escaped(path));
    let _ = write!(
        out,
        "<section><h3 id=\"{id}\"><code>{method} {path}</code> {title}</h3>"
    );
    paragraphs(&operation["description"], out);
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let rows: Vec<String> = parameters
        .map(|one| {
            let name = escaped(one["name"].as_str().unwrap_or_default());
            let place = escaped(one["in"].as_str().unwrap_or_default());
            let about = escaped(one["description"].as_str().unwrap_or_default());
            format!("<tr><td><code>{name}</code><td>{place}<td>{about}")
        })
        .collect();
    if !rows.is_empty() {
        let _ = write!(
            out,
            "<table><tr><th>parameter<th>in<th>meaning{}</table>",
            rows.concat()
        );
    }
    let contents = operation["requestBody"]["content"].as_object();
    for (kind, content) in contents.into_iter().flatten() {
        let kind = escaped(kind);
        let _ = write!(
            out,
            "<p>Body: <code>{kind}</code>, {}</p>",
            type_of(&content["schema"])
        );
    }
    let responses = operation["responses"].as_object().into_iter().flatten();
    out.push_str("<table><tr><th>status<th>body<th>meaning");
    for (status, response) in responses {
        let status = escaped(status);
        let about = escaped(response["description"].as_str().unwrap_or_default());
        let contents = response["content"].as_object().into_iter().flatten();
        let kinds: Vec<String> = contents
            .map(|(kind, content)| {
                format!(
                    "<code>{}</code> {}",
                    escaped(kind),
                    type_of(&content["schema"])
                )
            })
            .collect();
        let _ = write!(out, "<tr><td>{status}<td>{}<td>{about}", kinds.join(", "));
    }
    out.push_str("</table></section>");
    let _ = api;
}

fn write_fields(schema: &Value, out: &mut String) {
    let own = schema["properties"].as_object().into_iter().flatten();
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let inherited = parts.flat_map(|part| part["properties"].as_object().into_iter().flatten());
    let rows: Vec<String> = own
        .chain(inherited)
        .map(|(name, field)| {
            let about = escaped(field["description"].as_str().unwrap_or_default());
            format!(
                "<tr><td><code>{}</code><td>{}<td>{about}",
                escaped(name),
                type_of(field)
            )
        })
        .collect();
    if !rows.is_empty() {
        let _ = write!(
            out,
            "<table><tr><th>field<th>type<th>meaning{}</table>",
            rows.concat()
        );
    }
    let words = |one: &Value| one["enum"].as_array().cloned().unwrap_or_default();
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let rows: Vec<String> = variants
        .map(|one| {
            let names = words(one);
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            let about = escaped(one["description"].as_str().unwrap_or_default());
            format!(
                "<tr><td><code>{}</code><td>{about}",
                escaped(&names.join(" "))
            )
        })
        .collect();
    if !rows.is_empty() {
        let _ = write!(
            out,
            "<table><tr><th>value<th>meaning{}</table>",
            rows.concat()
        );
    }
}

/// A type in words, with a link to its description.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        let name = escaped(name.rsplit('/').next().unwrap_or_default());
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    let variants = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    if let Some(variants) = variants {
        let named: Vec<String> = variants
            .iter()
            .filter(|one| one["type"] != "null")
            .map(type_of)
            .collect();
        return named.join(" or ");
    }
    let name = match &schema["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            names
                .filter(|name| *name != "null")
                .collect::<Vec<_>>()
                .join(" or ")
        }
        _ => String::new(),
    };
    match name.as_str() {
        "array" => format!("list of {}", type_of(&schema["items"])),
        _ => escaped(&name),
    }
}

fn paragraphs(text: &Value, out: &mut String) {
    for paragraph in text.as_str().unwrap_or_default().split("\n\n") {
        if !paragraph.is_empty() {
            let _ = write!(out, "<p>{}</p>", escaped(paragraph));
        }
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
