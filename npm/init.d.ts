export * from "./unframe.js";

/** Where the WebAssembly comes from. */
export type Source = string | URL | Request | Response | ArrayBufferView | ArrayBufferLike | WebAssembly.Module;

/**
 * Starts the engine, once; everything else can be used then. Without a source, `unframe_bg.wasm` is loaded from where
 * this module is.
 */
export default function init(source?: Source | Promise<Source>): Promise<void>;

/** The same at once, with bytes or a compiled module. */
export function initSync(source: ArrayBufferView | ArrayBufferLike | WebAssembly.Module): void;
