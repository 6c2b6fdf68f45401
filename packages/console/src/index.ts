import { fileURLToPath } from "node:url";

/**
 * The folder of the built page: `index.html`, and hashed files under `assets/`, each with its `.br` and `.gz`. A server
 * sends `index.html` for every path under `/console/` that is no file. In a clone the folder is there after a build.
 * @example
 * ```ts
 * import { directory } from "@reelmill/console";
 * import { readFile } from "node:fs/promises";
 * import { join } from "node:path";
 *
 * const page = await readFile(join(directory, "index.html"), "utf8");
 * console.log(page.includes('<div id="root">')); // => true
 * ```
 */
export const directory: string = fileURLToPath(new URL("../dist/page/", import.meta.url));

/**
 * The folder of the API reference, built: `index.html`, and hashed files under `assets/`, each with its `.br` and `.gz`.
 * A server sends `index.html` at `/docs`, and the files under `/docs/`. In a clone the folder is there after a build.
 * @example
 * ```ts
 * import { referenceDirectory } from "@reelmill/console";
 * import { readFile } from "node:fs/promises";
 * import { join } from "node:path";
 *
 * const page = await readFile(join(referenceDirectory, "index.html"), "utf8");
 * console.log(page.includes("<title>Reelmill API reference</title>")); // => true
 * ```
 */
export const referenceDirectory: string = fileURLToPath(new URL("../dist/page-reference/", import.meta.url));
