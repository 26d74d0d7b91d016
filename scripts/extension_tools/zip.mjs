// A zip file of bytes in memory. Times and permissions are always the same, so that the same files give the same bytes.

import zlib from "node:zlib";

/** 1 January 1980, the first day that the format knows. */
const DATE = (1 << 5) | 1;
/** A plain file that everybody may read. */
const MODE = 0o100644;
const UNIX = 3;
const DEFLATE = 8;
const STORE = 0;
const UTF8 = 1 << 11;

/** `entries`: `{name, bytes}`, written in the order in which they are given. */
export function zip(entries) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    const deflated = zlib.deflateRawSync(bytes, { level: 9 });
    const isSmaller = deflated.length < bytes.length;
    const data = isSmaller ? deflated : bytes;
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0); // the version of the format that is needed
    about.writeUInt16LE(UTF8, 2);
    about.writeUInt16LE(isSmaller ? DEFLATE : STORE, 4);
    about.writeUInt16LE(0, 6); // midnight
    about.writeUInt16LE(DATE, 8);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(data.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(path.length, 22);

    parts.push(Buffer.from("PK\x03\x04"), about, path, data);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(MODE << 16 >>> 0, 6);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, UNIX]), about, place, path]));
    at += 4 + about.length + path.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes) {
  let value = ~0;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8);
  return ~value >>> 0;
}
