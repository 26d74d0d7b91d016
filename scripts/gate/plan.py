"""The checks, in the order in which they begin: what others build on comes first."""

from typing import NamedTuple


class Check(NamedTuple):
    name: str
    part: str
    # For bash, in the root of the project; `environment` in scripts/test has its variables.
    command: str
    # What the machine must have, by its name in needs.py.
    needs: tuple[str, ...] = ()
    # Checks that must have passed, because they make what this one uses.
    after: tuple[str, ...] = ()
    # What runs by default: nothing, "same", or another command.
    quick: str = ""


PARTS = {
    "rust": "format, lints, and all tests of the Rust crates",
    "python": "the Python package: table of cases, types, doctests, guide, Scrapy, datatrove, pandas, polars",
    "node": "the npm package: table of cases, types, bundles, states, the packed package",
    "browser": "in Chromium and Firefox: the extension, the lens of the service, overlays of hostile pages",
    "serve": "the service from outside: agents' tools, schemathesis, kill -9, a full disk",
    "spark": "Spark and Ray, with a cluster on this machine whose processes are killed",
    "docs": "the documentation of the crates, the demo, and every command that a document names",
    "bench": "every benchmark, on a few pages",
}

PYTEST = '"$VENV"/bin/python -m pytest'
INSTALL = "scripts/gate/venv"
GLUE = "GLUE=target/debug/unframe-wasm-glue"
ESLINT = '"$NODE_TOOLS"/node_modules/.bin/eslint --config scripts/extension_tools/eslint.config.mjs'
EXTENSION = (
    'node extension/tests/run.mjs --unframe "$UNFRAME" --tools "$NODE_TOOLS" --work target/extension'
    ' --chromium "${CHROMIUM:-}" --firefox "${FIREFOX:-}" --browsers'
)
WEB_EXT = (
    '"$NODE_TOOLS"/node_modules/.bin/web-ext lint --source-dir target/extension/firefox --warnings-as-errors'
    " --self-hosted=false --no-config-discovery --boring"
)
WORK = "mkdir -p target/serve && "
DEMO = "demo/*/pages"
# What scripts/speed.py compiles, and what it measures: the Rust library of resiliparse needs more than Rust to be built.
UNOPTIMISED = "CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off"
TOOLS = "parse resiliparse trafilatura --"

CHECKS = [
    # What others build on. The programs, the extension module of Python and the tests come from one build.
    Check("format", "rust", "cargo fmt --all --check", quick="same"),
    Check("html5lib", "rust", "scripts/gate/html5lib", quick="same"),
    Check("build", "rust", "cargo build --workspace --all-targets", quick="cargo build --workspace --lib --bins --tests --examples"),
    Check("engine module", "node", "scripts/wasm module", ("wasm",), quick="PROFILE=wasm-quick scripts/wasm module"),
    Check("python packages", "python", f"{INSTALL} python/requirements-test.txt", quick=f"{INSTALL} python/requirements-quick.txt"),
    Check("node packages", "node", "scripts/gate/node-tools", ("node",)),
    Check("serve packages", "serve", f"{INSTALL} scripts/serve_checks/requirements.txt", (), ("python packages",)),
    Check("spark packages", "spark", f"{INSTALL} python/requirements-spark.txt", ("java",), ("serve packages",)),
    # Checks that take long, and wait for most of their time, beside those that keep the processors busy.
    Check("rust tests", "rust", "cargo test --workspace", (), ("build", "html5lib"), quick="same"),
    Check("wheel", "python", "scripts/gate/wheel", (), ("build", "python packages"), quick="same"),
    Check(
        "engine", "node", f"{GLUE} scripts/wasm && node npm/build.mjs", ("node",), ("build", "engine module"),
        quick=f"{GLUE} PROFILE=wasm-quick scripts/wasm && node npm/build.mjs",
    ),
    Check("spark tests", "spark", f"{PYTEST} -m spark", ("java",), ("wheel", "spark packages")),
    Check(
        "python tests", "python", f'{PYTEST} -m "not spark"', (), ("wheel",),
        quick=f"{PYTEST} python/tests/test_cases.py python/tests/test_wheel.py",
    ),
    Check("extension build", "browser", f"{GLUE} scripts/extension build && scripts/extension_tools/check", ("node",), ("engine",)),
    Check("extension in chromium", "browser", f"{EXTENSION} chromium", ("chromium",), ("build", "node packages", "extension build")),
    Check("extension in firefox", "browser", f"{EXTENSION} firefox", ("firefox",), ("build", "node packages", "extension build")),
    Check("lints", "rust", "cargo clippy --workspace --all-targets -- -D warnings", quick="same"),
    Check("npm tests", "node", "node --test --test-reporter=spec npm/tests/*.test.js", (), ("build", "engine", "node packages"),
          quick="node --test --test-reporter=spec npm/tests/cases.test.js npm/tests/api.test.js npm/tests/package.test.js"),
    Check("lens", "browser", f'{WORK} node scripts/serve_checks/lens.mjs "$UNFRAME" "$CHROMIUM" target/serve', ("chromium",), ("build", "node packages")),
    Check("hostile pages", "browser", 'scripts/browser-check "$UNFRAME"', ("chromium",), ("build", "node packages")),
    Check("service tools", "serve", '"$VENV"/bin/python scripts/serve_checks/mcp_client.py "$UNFRAME"', (), ("build", "serve packages")),
    Check("service kills", "serve", f'{WORK} "$VENV"/bin/python scripts/serve_checks/kill.py "$UNFRAME" target/serve', (), ("build", "serve packages")),
    Check("service disk", "serve", f'{WORK} "$VENV"/bin/python scripts/serve_checks/full_disk.py "$UNFRAME" target/serve', (), ("build", "serve packages")),
    Check("service interface", "serve", "scripts/serve_checks/interface", (), ("build", "serve packages")),
    Check("scripts of browsers", "browser", f"{ESLINT} extension scripts npm/build.mjs npm/src npm/tests npm/bench && {WEB_EXT}", (), ("extension build", "node packages")),
    Check("small features", "rust", "cargo clippy --no-default-features -p unframe-cli -p unframe-lab -- -D warnings", (), ("lints",)),
    Check("documentation", "docs", "RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps", (), ("lints",)),
    Check("demo", "docs", "scripts/demo", (), ("build",)),
    Check("commands in documents", "docs", "python3 scripts/gate/documents.py target/debug", ("curl",), ("build",)),
    Check("benchmarks of the crates", "bench", "cargo test --workspace --bench '*'", (), ("build", "rust tests")),
    Check("instructions", "bench", 'scripts/instructions --sets demo --pages 3 --program "$UNFRAME"', ("valgrind",), ("build",)),
    Check("growth", "bench", 'scripts/growth --program "$UNFRAME" --most 1000 --memory 256MB', (), ("build",)),
    Check("service under load", "bench", "BUILT=target/debug scripts/serve-load demo 1 20 1", (), ("build",)),
    Check("speed", "bench", f'{UNOPTIMISED} scripts/speed.py --unframe "$UNFRAME" --rounds 1 --pages 6 --tools {TOOLS} {DEMO}', (), ("build",)),
    Check("speed in python", "bench", f"scripts/speed.py --python --wheel target/python/wheels/*.whl --rounds 1 --pages 6 {DEMO}", (), ("wheel",)),
    Check("speed of the engine", "bench", "node npm/bench/speed.js --rounds 1 --pages 3 --native target/debug/examples/rounds demo", (), ("build", "engine")),
    Check("spark-scale", "bench", "scripts/spark-scale --pages 100000 --sites 5000 --largest 2000 --second 1500 --five-hundredth 20"),
    Check("spark-bench", "bench", 'scripts/spark-bench demo --pages 20 --python "$VENV"/bin/python --work target/test/spark-bench', (), ("spark tests",)),
    Check("debian-docs", "bench", "scripts/debian-docs target/test/debian git-doc", ("apt",)),
]
