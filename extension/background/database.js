// What is kept on disk: of each site what was learned, and the sources of a few pages.

let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("unframe", 1);
    request.onupgradeneeded = () => {
      const sites = request.result.createObjectStore("sites", { keyPath: "origin" });
      const sources = request.result.createObjectStore("sources", { keyPath: ["origin", "url"] });
      sources.createIndex("origin", "origin");
      // To list what is there without reading it.
      sites.createIndex("about", ["origin", "pages", "size", "updated"]);
      sources.createIndex("about", ["origin", "url", "size", "loaded"]);
    };
    request.onsuccess = () => {
      request.result.onclose = () => (opened = undefined);
      resolve(request.result);
    };
    request.onerror = () => {
      opened = undefined;
      reject(request.error);
    };
  });
  return opened;
}

/** Runs one transaction; `work` gets the two stores and returns a request, whose result is returned. */
export async function transact(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(["sites", "sources"], mode);
    const request = work(transaction.objectStore("sites"), transaction.objectStore("sources"));
    transaction.oncomplete = () => resolve(request?.result);
    // After an error, too; only then the transaction knows it.
    transaction.onabort = () => reject(transaction.error ?? new Error("the transaction was aborted"));
  });
}

/** The keys of the index `about` of a store, in order. */
export async function abouts(store) {
  const keys = [];
  await transact("readonly", (sites, sources) => {
    const request = (store === "sites" ? sites : sources).index("about").openKeyCursor();
    request.onsuccess = () => {
      if (!request.result) return;
      keys.push(request.result.key);
      request.result.continue();
    };
    return request;
  });
  return keys;
}

export async function zip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function unzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
