import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleForScriptTag } from "../../../scripts/packages/script-tag.ts";
import { run } from "./run.ts";

// What `@reelmill/elements` has as dist/elements.js when it is installed.
const elements = await mkdtemp(join(tmpdir(), "reelmill-elements-"));
await bundleForScriptTag(elements);
const page = fileURLToPath(new URL("../page", import.meta.url));
await run({ pages: [page, elements], port: 8792, directory: "./plain-html-data" });
