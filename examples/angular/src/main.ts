import { join } from "node:path";
import { layOutExample } from "../../../scripts/examples/lay-out.ts";
import { run as runProgram } from "../../../scripts/setup/spawn.mjs";
import { run } from "../../plain-html/src/run.ts";

console.log("Packing the packages, and installing Angular (300 MB the first time).");
const packages = ["contracts", "client", "browser", "elements"];
const folder = await layOutExample("angular", join(import.meta.dirname, "../page"), packages);
// As `ng build` does in the page's folder.
const ng = join(folder, "node_modules/@angular/cli/bin/ng.js");
await runProgram(process.execPath, [ng, "build"], folder, { ...process.env, NG_CLI_ANALYTICS: "false" });
await run({ pages: [join(folder, "dist/page/browser")], port: 8796, directory: "./angular-data" });
