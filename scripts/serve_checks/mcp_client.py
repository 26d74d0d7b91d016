"""Uses the tools with the official Python client, over standard input and output and over HTTP, against a site
on this machine.

    python mcp_client.py PROGRAM
"""

import asyncio
import http.server
import json
import sys
import threading
import urllib.error
import urllib.request

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from common import LONGEST, Service, check, run

PROGRAM = sys.argv[1]


def story(number):
    links = " ".join(f'<a href="/{word}">{word.title()}</a>' for word in ["one", "two", "three", "four", "five"])
    body = f"The story of {number} is told by the harbour wall, where the lamps are lit every evening. " * 12
    return (
        f"<!doctype html><title>Story {number}</title><nav>{links}</nav><main><h1>Story {number}</h1><p>{body}</p></main>"
        "<footer>All rights reserved by the company of story tellers</footer>"
    )


class Site(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        Site.asked.append(self.path)
        if self.path == "/robots.txt":
            status, kind, body = 200, "text/plain", "User-agent: *\nDisallow: /private\n"
        elif self.path == "/data":
            status, kind, body = 200, "application/pdf", "%PDF-1.7"
        elif self.path == "/gone":
            status, kind, body = 404, "text/html", "gone"
        else:
            status, kind, body = 200, "text/html; charset=utf-8", story(self.path.strip("/"))
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def text_of(result):
    return "".join(part.text for part in result.content if part.type == "text")


async def call(session, name, **arguments):
    result = await session.call_tool(name, arguments)
    return bool(getattr(result, "is_error", getattr(result, "isError", False))), text_of(result)


async def use(session, site, remembers=False):
    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    check("the tools are there", set(tools) == {"fetch", "clean_html", "site_template", "why"})
    for tool in tools.values():
        hints = tool.annotations
        check(f"{tool.name} only reads", getattr(hints, "read_only_hint", getattr(hints, "readOnlyHint", None)) is True)
    schema = getattr(tools["fetch"], "input_schema", None) or tools["fetch"].inputSchema
    check("fetch takes what the reference server takes", set(schema["properties"]) == {"url", "max_length", "start_index", "raw"})
    check("only the URL is required", schema["required"] == ["url"])
    usual = {name: value.get("default") for name, value in schema["properties"].items()}
    check(f"with its defaults: {usual}", usual == {"url": None, "max_length": 5000, "start_index": 0, "raw": False})

    Site.asked.clear()
    failed, text = await call(session, "fetch", url=f"{site}/one")
    check(f"a page is fetched: {text[:200]}", not failed and text.startswith(f"Contents of {site}/one:\n"))
    check("its content is there", "The story of one is told" in text)
    check(f"its frame is not: {text[-300:]}", "All rights reserved" not in text and "Four" not in text)
    if not remembers:
        check(f"a first visit looks at pages of the menu: {Site.asked}", len([path for path in Site.asked if path != "/robots.txt"]) >= 4)
    before = len(Site.asked)
    failed, text = await call(session, "fetch", url=f"{site}/six")
    check("the next page is fetched alone", not failed and len(Site.asked) == before + 1)

    failed, first = await call(session, "fetch", url=f"{site}/two", max_length=100)
    check("a part says where the next begins", "start_index of 100 " in first)
    failed, rest = await call(session, "fetch", url=f"{site}/two", max_length=100_000, start_index=100)
    head = first.split("\n\n<error>")[0].removeprefix(f"Contents of {site}/two:\n")
    whole = (await call(session, "fetch", url=f"{site}/two", max_length=100_000))[1].removeprefix(f"Contents of {site}/two:\n")
    check("parts make the whole", head + rest.removeprefix(f"Contents of {site}/two:\n") == whole)
    failed, end = await call(session, "fetch", url=f"{site}/two", start_index=1_000_000)
    check("there is an end", "No more content available" in end)
    failed, raw = await call(session, "fetch", url=f"{site}/two", raw=True)
    check("raw is the source", "<nav>" in raw and "All rights reserved" in raw)

    for url, said in [
        (f"{site}/gone", "404"), (f"{site}/data", "pdf"), (f"{site}/private", "robots.txt"), ("nonsense", "not a URL"),
        ("ftp://127.0.0.1/", "http"),
    ]:
        failed, text = await call(session, "fetch", url=url)
        check(f"{url} is an error of the tool: {text}", failed and said in text)

    failed, text = await call(session, "clean_html", html=story("given"), url=f"{site}/given")
    check("a page is cleaned", not failed and "The story of given" in text and "All rights" not in text)
    failed, text = await call(session, "site_template", url=f"{site}/one")
    check("the frame is shown", not failed and "All rights reserved" in text and "The story of one" not in text)
    failed, text = await call(session, "why", url=f"{site}/one", text="rights reserved")
    check(f"a region is explained: {text}", not failed and "- frame" in text and "All rights reserved" in text)


async def refuse(session):
    for url in ["http://127.0.0.1:1/", "http://localhost/", "http://[::1]/", "http://169.254.169.254/", "http://10.0.0.1/"]:
        failed, text = await call(session, "fetch", url=url)
        check(f"{url} is refused: {text}", failed and "only public addresses" in text)


async def stdio(site):
    private = StdioServerParameters(command=PROGRAM, args=["mcp", "--allow-private", "--delay", "0.01"])
    async with stdio_client(private) as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        await use(session, site)
    usual = StdioServerParameters(command=PROGRAM, args=["mcp"])
    async with stdio_client(usual) as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        await refuse(session)


async def over_http(site, address):
    async with streamable_http_client(f"{address}/mcp") as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        await use(session, site)
    # The protocol without sessions: each request says all of itself.
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "check", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28"}
    for method, params in [("server/discover", {}), ("tools/list", {}), ("tools/call", {"name": "clean_html", "arguments": {"html": story("new")}})]:
        own = {**headers, "Mcp-Method": method}
        if "name" in params:
            own["Mcp-Name"] = params["name"]
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        status, answer = post(f"{address}/mcp", message, own)
        check(f"{method} without a session: {status} {answer[:300]}", status == 200 and "result" in json.loads(answer))
    check("the answer is the page", "The story of new" in answer)
    check("other web sites are refused", post(f"{address}/mcp", {}, {**headers, "Origin": "https://evil.example"})[0] == 403)
    check("other hosts are refused", post(f"{address}/mcp", {}, {**headers, "Host": "evil.example"})[0] == 421)


def post(url, message, headers):
    request = urllib.request.Request(url, json.dumps(message).encode(), {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=LONGEST) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_address[1]}"
    asyncio.run(stdio(site))
    with Service(PROGRAM, "--allow-fetch", "--allow-private", "--delay", "0.01") as service:
        asyncio.run(over_http(site, service.address))
        service.end()


run("mcp", main)
