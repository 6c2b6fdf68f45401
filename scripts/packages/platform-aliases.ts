import { join } from "node:path";
import { root } from "../setup/paths.mjs";

const platform = join(root, "packages/client/src/platform.ts");

/** What takes the place of packages that tus-js-client imports for old browsers: 4 kB that no page has to load. */
export const platformAliases: Readonly<Record<string, string>> = { "url-parse": platform, "js-base64": platform };
