import { fileURLToPath } from "node:url";
import { build } from "vite";
import { run } from "../../plain-html/src/run.ts";

// As `vite build` does in the page's folder.
await build({ root: fileURLToPath(new URL("./page", import.meta.url)), logLevel: "error" });
const built = fileURLToPath(new URL("../dist", import.meta.url));
await run({ pages: [built], port: 8794, directory: "./vue-data" });
