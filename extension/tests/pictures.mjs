// The pictures of docs/extension.md: pages of a demo site beside the panel, as in a browser.

import fs from "node:fs";
import path from "node:path";
import { placeOf } from "./dom.mjs";
import { Scene } from "./scene.mjs";
import { until } from "./wait.mjs";

const FOLDER = path.resolve(import.meta.dirname, "../../docs/extension");
const HEIGHT = 622;
const PAGE = 820;
const PANEL = 360;

export async function take(browser, programs) {
  const scene = new Scene(browser, { programs, work: path.join(path.resolve(programs.work), "tests", "pictures"), name: "docs" });
  await scene.begin();
  fs.mkdirSync(FOLDER, { recursive: true });
  const site = await scene.demo("harbour-shop");
  const page = await scene.open(`${site.origin}/lamps.html`);
  await page.size(PAGE, HEIGHT);
  const panel = await scene.panel(page);
  await panel.page.size(PANEL, HEIGHT);
  await panel.find();
  const shot = async (of, what) => {
    const file = scene.file(what);
    await of.picture(file);
    return `data:image/png;base64,${fs.readFileSync(file, "base64")}`;
  };

  /** Both side by side, with a line between. */
  async function together(name) {
    const sources = [await shot(page, "page.png"), await shot(panel.page, "panel.png")];
    const board = await scene.open("about:blank");
    await board.size(PAGE + PANEL + 1, HEIGHT);
    await board.run(async (sources, widths, height) => {
      document.body.style.cssText = "margin: 0; display: flex; gap: 1px; background: #999";
      for (const [at, source] of sources.entries()) {
        const image = new Image(widths[at], height);
        image.src = source;
        await image.decode();
        document.body.append(image);
      }
    }, sources, [PAGE, PANEL], HEIGHT);
    await board.picture(path.join(FOLDER, `${name}.png`));
    await board.close();
    console.log(`docs/extension/${name}.png: ${fs.statSync(path.join(FOLDER, `${name}.png`)).size} bytes`);
  }

  await together("panel");
  for (const view of ["content", "template", "tint"]) {
    await panel.view(view);
    if (view === "tint") {
      const { x, y } = await page.run(placeOf, "The shop cat");
      await page.point(x, y);
      await until("a reason is shown", () => page.run(() => document.querySelector("unframe-tip") !== null));
    }
    await together(view);
  }
  await scene.end();
  await browser.stop();
}
