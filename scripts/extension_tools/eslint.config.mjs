// A few rules that find mistakes. Style is left to the eye.

const web = ["addEventListener", "atob", "btoa", "AbortController", "Blob", "ClipboardItem", "clearInterval", "clearTimeout",
  "CompressionStream", "console", "crypto", "DecompressionStream", "fetch", "FileReader", "indexedDB", "location",
  "navigator", "performance", "postMessage", "queueMicrotask", "Request", "Response", "setInterval", "setTimeout",
  "structuredClone", "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "WebAssembly"];
const page = ["cancelAnimationFrame", "CSS", "CSSStyleSheet", "customElements", "document", "DocumentFragment", "DOMParser",
  "Document", "Element", "Event", "EventTarget", "getComputedStyle", "getSelection", "Highlight", "history", "HTMLElement",
  "HTMLIFrameElement", "innerHeight", "innerWidth", "IntersectionObserver", "matchMedia", "MutationObserver", "Node",
  "NodeFilter", "Range", "removeEventListener", "requestAnimationFrame", "ResizeObserver", "scrollTo", "scrollX", "scrollY",
  "ShadowRoot", "StaticRange", "Text", "TreeWalker", "window", "Worker", "XMLSerializer", "XPathResult"];
const node = ["Buffer", "process"];
const own = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

const rules = Object.fromEntries([
  "array-callback-return", "constructor-super", "for-direction", "getter-return", "no-class-assign", "no-compare-neg-zero",
  "no-cond-assign", "no-const-assign", "no-constant-binary-expression", "no-constant-condition", "no-constructor-return",
  "no-debugger", "no-dupe-args", "no-dupe-class-members", "no-dupe-else-if", "no-dupe-keys", "no-duplicate-case",
  "no-empty-character-class", "no-empty-pattern", "no-eval", "no-ex-assign", "no-fallthrough", "no-func-assign",
  "no-implied-eval", "no-import-assign", "no-invalid-regexp", "no-irregular-whitespace", "no-loss-of-precision",
  "no-misleading-character-class", "no-new-func", "no-obj-calls", "no-promise-executor-return", "no-prototype-builtins",
  "no-redeclare", "no-self-assign", "no-self-compare", "no-setter-return", "no-shadow-restricted-names", "no-sparse-arrays",
  "no-this-before-super", "no-throw-literal", "no-undef", "no-unexpected-multiline", "no-unmodified-loop-condition",
  "no-unreachable", "no-unreachable-loop", "no-unsafe-finally", "no-unsafe-negation", "no-unsafe-optional-chaining",
  "no-unused-private-class-members", "no-useless-backreference", "no-useless-catch", "no-useless-escape", "no-var",
  "prefer-const", "require-yield", "use-isnan", "valid-typeof",
].map((name) => [name, "error"]));
Object.assign(rules, {
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-constant-condition": ["error", { checkLoops: "allExceptWhileTrue" }],
  "no-promise-executor-return": ["error", { allowVoid: true }],
  "no-unused-vars": ["error", { ignoreRestSiblings: true }],
});

const files = (patterns, globals, sourceType = "module") => ({
  files: patterns,
  languageOptions: { ecmaVersion: 2024, sourceType, globals: { globalThis: "readonly", ...own(globals) } },
});

export default [
  { rules, linterOptions: { reportUnusedDisableDirectives: "error" } },
  files(["extension/background/**/*.js"], web),
  files(["extension/panel/**/*.js", "extension/options/**/*.js"], [...web, ...page]),
  files(["extension/page/**/*.js"], [...web, ...page], "script"),
  files(["scripts/extension_tools/**/*.mjs", "npm/**/*.{js,mjs}"], [...web, ...node]),
  // Tests have functions that run in pages.
  files(["scripts/serve_checks/*.mjs"], [...web, ...page, ...node, "DataTransfer", "DragEvent", "File"]),
  files(["extension/tests/**/*.mjs"], [...web, ...page, ...node, "dispatchEvent", "HTMLFormElement", "HTMLInputElement",
    "HTMLTemplateElement", "Image", "MessageEvent"]),
];
