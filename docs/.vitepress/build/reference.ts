import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildReference } from "../../../scripts/console/page.mjs";
import { root } from "../../../scripts/setup/paths.mjs";

/** The address that the reference offers to try first: that of `npm start`. */
const server = "http://127.0.0.1:8787";

/**
 * Puts the API reference of the servers into a site: `api/docs.html`, with its files under `api/docs/`. It reads the
 * documents beside it, and asks its reader which server to try.
 */
export async function addReference(site: string): Promise<void> {
	await buildReference();
	const built = join(root, "packages/console/dist/page-reference");
	cpSync(join(built, "assets"), join(site, "api/docs/assets"), {
		recursive: true,
		filter: (file) => !/\.(?:br|gz)$/.test(file),
	});
	const page = readFileSync(join(built, "index.html"), "utf8")
		.replaceAll('href="v1/openapi.json"', 'href="openapi.json"')
		.replace('rel="service-desc"', `rel="service-desc" data-server="${server}"`);
	writeFileSync(join(site, "api/docs.html"), page);
}
