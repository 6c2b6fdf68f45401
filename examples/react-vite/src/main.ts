import { run } from "../../plain-html/src/run.ts";
import { buildPage } from "./build-page.ts";

await run({ pages: [await buildPage()], port: 8793, directory: "./react-vite-data" });
