// Marionette, by which Firefox is driven: packets of `LENGTH:JSON` over TCP, and an answer to each request by its number.

import net from "node:net";

export class Marionette {
  number = 0;
  waiting = new Map();
  data = Buffer.alloc(0);

  /** Connects, and waits for the greeting. */
  static async connect(port) {
    const marionette = new Marionette();
    marionette.socket = net.connect(port, "127.0.0.1").setNoDelay();
    await new Promise((resolve, reject) => {
      const end = (error) => {
        const gone = error ?? new Error("Firefox has closed the connection");
        reject(gone);
        marionette.end(gone);
      };
      marionette.socket.on("error", end).on("close", () => end());
      marionette.socket.on("data", (part) => marionette.take(part, resolve));
    });
    return marionette;
  }

  /** Sends a command, and returns its answer. */
  ask(command, parameters = {}) {
    if (this.gone) return Promise.reject(this.gone);
    const number = this.number += 1;
    const packet = JSON.stringify([0, number, command, parameters]);
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.socket.write(`${Buffer.byteLength(packet)}:${packet}`);
    });
  }

  take(part, greeted) {
    this.data = Buffer.concat([this.data, part]);
    for (;;) {
      const colon = this.data.indexOf(":");
      const end = colon + 1 + Number(this.data.subarray(0, colon));
      if (colon < 0 || this.data.length < end) return;
      const packet = JSON.parse(this.data.subarray(colon + 1, end));
      this.data = this.data.subarray(end);
      // Only the greeting is no list.
      if (!Array.isArray(packet)) {
        greeted();
        continue;
      }
      const [, number, problem, answer] = packet;
      const { resolve, reject } = this.waiting.get(number);
      this.waiting.delete(number);
      if (problem) reject(new Error(`${problem.error}: ${problem.message}`));
      else resolve(answer);
    }
  }

  end(why) {
    this.gone ??= why;
    for (const { reject } of this.waiting.values()) reject(this.gone);
    this.waiting.clear();
  }
}
