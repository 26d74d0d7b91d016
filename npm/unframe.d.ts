/// <reference lib="esnext.disposable" />

/**
 * Learns the frame of a web site (navigation, header, footer, banners, repeated panels) from its own pages, and
 * removes it.
 *
 * @packageDocumentation
 */

/** The source of a page: text, or bytes in any charset. */
export type Html = string | ArrayBufferView | ArrayBufferLike;

/** What is known of a page besides its source. */
export interface PageOptions {
  /**
   * Its address. A site knows its pages by their addresses: a page that comes again changes nothing, and a changed
   * one replaces its former version. Without an address, a page is known by its content. Links are resolved with it.
   */
  url?: string | URL | null;
  /** The charset that the server stated, for bytes. Without it, the page itself is asked. */
  charset?: string | null;
}

/** What is removed. */
export interface SiteOptions {
  /**
   * The method with its parameters, as in `stream` or `chunks:preset=ma-2003a`; `unframe methods` lists them.
   * Duplicates and clusters of pages, which need all pages at once, are left to the command line.
   * @default "auto"
   */
  method?: string | null;
  /**
   * `boilerplate` is all frame, also teasers, comments and consent texts; `template` is only what the site repeats.
   * @default "boilerplate"
   */
  remove?: "boilerplate" | "template" | null;
  /**
   * `precision` removes more, `recall` keeps more.
   * @default "balance"
   */
  favor?: "balance" | "precision" | "recall" | null;
  /**
   * Readers' comments: `keep` keeps and lists them, `only` removes everything else.
   * @default "drop"
   */
  comments?: "drop" | "keep" | "only" | null;
  /** CSS selectors of elements that are always kept. */
  protect?: string | readonly string[] | null;
  /** CSS selectors of elements that are always removed, unless they are protected. */
  removeSelector?: string | readonly string[] | null;
  /**
   * Whether marks of the site's owner, as `data-nosnippet`, are followed. If left out, the method decides.
   */
  ownerMarks?: boolean | null;
  /**
   * Reasons say all they can; this takes longer.
   * @default false
   */
  reasons?: boolean | null;
  /**
   * Pages are cleaned as they arrive, in one pass: for methods that do this in another way than in two.
   * @default false
   */
  arrival?: boolean | null;
  /**
   * Pages are watched for a redesign of the site, which sets the flag `drift`.
   * @default false
   */
  watchDrift?: boolean | null;
}

/** How Markdown is written. */
export interface MarkdownOptions {
  /**
   * Links are written as links, else as their texts.
   * @default true
   */
  links?: boolean | null;
  /**
   * Images are written.
   * @default false
   */
  images?: boolean | null;
}

/** How a template is written. By default it runs no script and loads nothing from anywhere. */
export interface TemplateOptions {
  /**
   * Links are absolute.
   * @default false
   */
  absoluteLinks?: boolean | null;
  /**
   * Slots are visible: outlined, with a label.
   * @default false
   */
  showSlots?: boolean | null;
  /**
   * Scripts of the page are kept, and run where the template is shown.
   * @default false
   */
  scripts?: boolean | null;
  /**
   * Style sheets, images and fonts are loaded from the site.
   * @default false
   */
  assets?: boolean | null;
}

/** What a reader should know of a page; `unframe clean --help` explains each. */
export type Flag =
  | "truncated"
  | "truncated-nodes"
  | "truncated-work"
  | "depth-capped"
  | "attributes-capped"
  | "charset-guessed"
  | "undecodable"
  | "digest-mismatch"
  | "duplicate"
  | "near-duplicate"
  | "few-pages"
  | "no-text"
  | "suspicious"
  | "all-frame"
  | "drift"
  | "rules-unmatched";

/** What kind of page it is. */
export interface Kind {
  name: "article" | "thread" | "list" | "record" | "other";
  probability: number;
}

/** What a page states of itself; only what it does state. */
export interface Metadata {
  title?: string;
  author?: string;
  published?: string;
  modified?: string;
  language?: string;
  canonical_url?: string;
  description?: string;
  site_name?: string;
}

/** The parts of an article that are not its body; only those that it has. */
export interface Parts {
  headline?: string;
  byline?: string;
  date?: string;
  standfirst?: string;
  captions?: string[];
}

/** A reader's comment. */
export interface Comment {
  author: string | null;
  date: string | null;
  text: string;
}

/** A link of a page. */
export interface Link {
  href: string;
  text: string;
}

/** The links of a page: those of its content, and those of the frame. */
export interface Links {
  own: Link[];
  frame: Link[];
}

/** Why a text was kept or removed: a rule, and what it rests on. */
export interface Reason {
  rule:
    | "odds"
    | "settled"
    | "keep-all"
    | "protected"
    | "kept-by-rule"
    | "removed-by-rule"
    | "not-kept-by-rules"
    | "not-removed-by-rules"
    | "marked-by-owner"
    | "comment"
    | "not-comment"
    | "not-table"
    | "not-body"
    | "never-empty"
    | "block-ratio"
    | "chunk-df"
    | "votes"
    | "path-support";
  /** How likely the text is to be what was to be removed, if the rule says so. */
  probability?: number;
  /** What else the rule rests on. */
  [detail: string]: unknown;
}

/**
 * A part of a page that was removed. Its place is counted as in the source that was passed: in UTF-16 units of a
 * string, or in bytes.
 */
export interface Region {
  start: number;
  end: number;
  label: "content" | "template";
  /** The name of the element, or `#text`. */
  element: string;
  /** The beginning of its text. */
  text: string;
  evidence: Reason;
}

/** A visible text of a page. */
export interface Text {
  /** Where its source is, counted as in {@link Region}; several ranges if the parser joined them. */
  at: [start: number, end: number][];
  /** Whether it was removed. */
  template: boolean;
  /** How likely it is to be what was to be removed, if the method says so. */
  probability?: number;
  /** The place of its reason in {@link Texts.reasons}. */
  reason: number;
  /** After `why`: the strongest evidence, each with its weight. */
  evidence?: [name: string, weight: number][];
}

/** All visible texts of a page. */
export interface Texts {
  /** Reasons in words. */
  reasons: string[];
  texts: Text[];
}

/** Fields of a record, as `unframe clean --format jsonl` writes them. Those without a value are left out. */
export interface PageRecord {
  record?: "page";
  url?: string;
  source?: string;
  site?: string;
  title?: string;
  metadata?: Metadata;
  kind?: Kind;
  confidence?: number;
  text?: string;
  content_hash?: string;
  markdown?: string;
  html?: string;
  parts?: Parts;
  comments?: Comment[];
  links?: Links;
  removed?: Region[];
  template_share?: number;
  flags?: Flag[];
  state_pages?: number;
}

/** The memory of the WebAssembly that an object holds. */
interface Held {
  /**
   * Gives the memory back at once. Without it, this happens some time after the object is no longer used. Nothing
   * can be asked of the object afterwards.
   */
  free(): void;
  /** The same at the end of a block, with `using`. */
  [Symbol.dispose](): void;
}

/** A cleaned page. Each form of it is made when it is asked for. */
export class Page {
  private constructor();
  /** The kept text. */
  readonly text: string;
  /** The page's own markup with the frame cut out. Its scripts are those of the page. */
  readonly html: string;
  /** The same in the bytes, and the charset, of the page. */
  htmlBytes(): Uint8Array;
  /** The kept text as Markdown. */
  markdown(options?: MarkdownOptions | null): string;
  /** The frame of the page as a document of its own; a slot marks each place of content. */
  template(options?: TemplateOptions | null): string;
  /** The text of its `<title>`. */
  readonly title: string;
  /** Author, dates, language, … as the page states them. */
  readonly metadata: Metadata;
  /** What kind of page it is, if the method judges it. */
  readonly kind: Kind | undefined;
  /** Headline, byline, date, standfirst and captions, as far as they are kept. */
  readonly parts: Parts;
  /** Readers' comments, with the option `comments`. */
  readonly comments: Comment[];
  /** The links of the content and of the frame. */
  readonly links: Links;
  /** The removed regions. */
  readonly regions: Region[];
  /** Every visible text with its place, its label and its reason. */
  texts(): Texts;
  /** What a reader should know of the page. */
  readonly flags: Flag[];
  /** The F1 that the kept text is expected to have, if the method estimates it. */
  readonly confidence: number | undefined;
  /** The share of the visible text, by length, that was removed. */
  readonly removedShare: number;
  /** SHA-256 of the kept text. It changes with the content, not with the frame. */
  readonly contentHash: string;
  /** How many pages of the site had been learned when the page was cleaned. */
  readonly statePages: number;
  /** The number of nodes of the parsed page. */
  readonly nodes: number;
  /**
   * A record as `unframe clean --format jsonl` writes it. Fields are named as there, as in `"url,text"` or
   * `["url", "text"]`; with a `+` before each, as in `"+markdown"`, they are added to the default ones.
   */
  record(fields: string | readonly string[]): PageRecord;
  /** The page with nothing kept but the body of the article: without headline, byline, date and captions. */
  body(): Page;
}
export interface Page extends Held {}

/** One web site: what was learned of it, and what cleans its pages. */
export class Site {
  /** A site that knows no pages. */
  constructor(options?: SiteOptions | null);
  /** A site that knows what {@link Site.toBytes} wrote. The method must be the same. */
  static fromBytes(bytes: ArrayBufferView | ArrayBufferLike, options?: SiteOptions | null): Site;
  /** Learns a page. False if it was known as it is. */
  learn(html: Html, options?: PageOptions | null): boolean;
  /** Learns a page, and cleans it by all that has been learned so far. */
  clean(html: Html, options?: PageOptions | null): Page;
  /** Cleans a page by what has been learned so far, without learning from it. */
  label(html: Html, options?: PageOptions | null): Page;
  /** The same, and {@link Page.texts} explains each text. */
  why(html: Html, options?: PageOptions | null): Page;
  /** How many pages have been learned. */
  readonly pages: number;
  /** All that has been learned. Python and Rust read and write the same bytes. */
  toBytes(): Uint8Array;
  /** Adds what another site has learned, and returns how many pages were new. */
  merge(bytes: ArrayBufferView | ArrayBufferLike): number;
  /**
   * A state file with this site alone, for `unframe clean --state FILE`. `name` is what the site is called there: the
   * host of its pages, as in `shop.example`.
   */
  stateFile(name: string): Uint8Array;
}
export interface Site extends Held {}

/** Cleans a single page by its own evidence. */
export function extract(html: Html, options?: (PageOptions & SiteOptions) | null): Page;

/** Which pages a page is compared with; what is left out is as in `unframe template`. */
export interface SearchOptions extends PageOptions {
  /** The address of the page. */
  url: string | URL;
  /** Parameters that belong together. */
  preset?: "alarte-2014" | "alarte-best" | "modern" | null;
  /** How many pages are compared with the page. */
  n?: number | null;
  /** In how many of them a node must have a counterpart, to be template. */
  t?: number | null;
  /** How many pages are loaded at most. */
  maxLoads?: number | null;
}

/** What a template rests on. */
export interface TemplateSummary {
  n: number;
  t: number;
  /** The votes that a node needed. */
  needed: number;
  /** How many of the pages were chosen because they link to each other. */
  byLinks: number;
  /** The links of the page to its own site. */
  links: number;
  /** Pages that were asked for. */
  loads: number;
  /** The pages it was compared with. */
  restsOn: string[];
  /** Pages that were replaced by others, because they are too different. */
  replaced: string[];
  /** Links that are no pages to compare with. */
  skipped: { url: string; reason: string }[];
  nodes: number;
  elements: number;
  templateElements: number;
}

/** A node of a page and its votes. Its place is counted as in {@link Region}. */
export interface Votes {
  start: number;
  end: number;
  votes: number;
  template: boolean;
  /** A text, not an element. */
  text: boolean;
}

/**
 * The template of one page: compares it with other pages of its site, and says which.
 *
 * ```js
 * const finder = new TemplateFinder(html, { url });
 * for (let next; (next = finder.next()); ) {
 *   const response = await fetch(next);
 *   if (response.ok) finder.give(await response.arrayBuffer(), { url: response.url });
 *   else finder.fail("missing");
 * }
 * console.log(finder.template());
 * ```
 */
export class TemplateFinder {
  constructor(html: Html, options: SearchOptions);
  /**
   * The address of the page that is needed next; undefined when the template is found. Throws if there is no page to
   * compare with.
   */
  next(): string | undefined;
  /** Hands over the page that `next` asked for; `url` is its address after redirects. */
  give(html: Html, options: PageOptions & { url: string | URL }): void;
  /** Says why there is no such page: it does not exist, it is no HTML, or another reason. */
  fail(kind: "missing" | "not-html" | "failed", reason?: string): void;
  /** What the template rests on. */
  summary(): TemplateSummary;
  /** The template, as `unframe template` writes it. */
  template(options?: TemplateOptions | null): string;
  /** The elements and texts of the page with their votes. */
  votes(): Votes[];
}
export interface TemplateFinder extends Held {}

/** What the `robots.txt` of a site allows to the agent `unframe` (RFC 9309). */
export class Robots {
  constructor(text: Html);
  /** Whether a page may be loaded. */
  allows(url: string | URL): boolean;
  /** The pause between two requests that the site asks for, in seconds. */
  readonly delay: number | undefined;
}
export interface Robots extends Held {}

/** Finds selectors that remove what was removed from pages. */
export class RuleFinder {
  constructor();
  /** Adds a page that was cleaned. */
  add(page: Page, options: { url: string | URL }): void;
  /** The rules, as `unframe rules` writes them; `site` is the host. */
  write(format: "css" | "json" | "xpath" | "adblock" | "ftr", options: { site: string }): string;
}
export interface RuleFinder extends Held {}

/** The version of the library. */
export function version(): string;

/**
 * Starts the engine anew with empty memory; all objects made before are lost. For programs that run for long: after
 * a `WebAssembly.RuntimeError`, as of a page that needs more memory than there is, nothing else helps.
 */
export function reset(): void;
