import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import contracts from "../../../packages/contracts/package.json" with { type: "json" };
import { proveLinks } from "../../../scripts/documents/links.ts";
import { npmInstall } from "../../../scripts/packages/pack.ts";
import { root } from "../../../scripts/setup/paths.mjs";
import { run } from "../../../scripts/setup/spawn.mjs";
import { apiDocuments } from "./api-pages.ts";
import { layOutSite } from "./lay-out.ts";
import { llmsFull, llmsIndex } from "./llms.ts";
import { makePackagesReference } from "./packages-reference.ts";
import { readPages } from "./pages.ts";
import { addPlayer } from "./player.ts";
import { addReference } from "./reference.ts";
import { proveSelfContained } from "./self-contained.ts";
import { hideFromSearchEngines, noteVersion, versionAt } from "./versions.ts";

const help = `Usage: npm run docs [-- options]   Makes the site of the documents.

  --into FOLDER      the site, to which this version is added (default: dist/site)
  --older            make an older version, which stands under v/VERSION/ and leads to the newest
  --version VERSION  what this version is called (default: that of the packages)
  --base PATH        the site's path on its host (default: /)
  --prove            see in Chromium that the pages work: search, requests to a server, calculator, narrow and dark
`;
const { values } = parseArgs({
	options: {
		into: { type: "string", default: join(root, "dist/site") },
		older: { type: "boolean", default: false },
		version: { type: "string", default: contracts.version },
		base: { type: "string", default: "/" },
		prove: { type: "boolean", default: false },
		help: { type: "boolean", short: "h", default: false },
	},
});
if (values.help) console.log(help);
else {
	await makeSite(values);
	if (values.prove) await (await import("./try.ts")).trySite(resolve(values.into));
}

/** Makes one version of the site in a folder, which may hold others. */
async function makeSite(options: {
	readonly into: string;
	readonly older: boolean;
	readonly version: string;
	readonly base: string;
}): Promise<void> {
	/** Where the pages are laid out and built; what npm installed stays there for the next time. */
	const work = join(root, "dist/site-source");
	const site = resolve(options.into);
	const version = versionAt(options.version, options.older, options.base);
	const out = options.older ? join(site, "v", options.version) : site;

	await proveLinks();
	const pages = readPages();
	console.log("Making the reference of the packages.");
	const modules = await makePackagesReference(join(work, "reference"));
	layOutSite(work, pages, modules, version);
	console.log("Installing VitePress (250 MB the first time).");
	await npmInstall(work);
	console.log("Building the pages.");
	await run(process.execPath, [join(work, "node_modules/vitepress/bin/vitepress.js"), "build"], work);
	clear(out);
	cpSync(join(work, ".vitepress/dist"), out, { recursive: true });

	await addPlayer(join(out, "home"));
	const documents = apiDocuments();
	for (const { file, document } of documents) writeFileSync(join(out, "api", file), JSON.stringify(document));
	await addReference(out);
	const files = [
		...documents.map(({ file, about }) => [`api/${file}`, `OpenAPI 3.1: ${about}`] as const),
		["llms-full.txt", "all guides, READMEs and the architecture as one text"] as const,
	];
	writeFileSync(join(out, "llms.txt"), llmsIndex(pages, files, version.base));
	writeFileSync(join(out, "llms-full.txt"), llmsFull(pages));
	for (const { page, text } of pages) {
		mkdirSync(join(out, page, ".."), { recursive: true });
		writeFileSync(join(out, page), text);
	}
	if (options.older) hideFromSearchEngines(out);
	proveSelfContained(out, version.base);
	noteVersion(site, version);
	console.log(`The site is in ${site}: any server of files serves it, for example \`npx serve dist/site\`.`);
}

/** Empties a version's folder; of the site's root, all but the older versions and the list of them. */
function clear(folder: string): void {
	mkdirSync(folder, { recursive: true });
	for (const name of existsSync(folder) ? readdirSync(folder) : [])
		if (name !== "v" && name !== "versions.json") rmSync(join(folder, name), { recursive: true });
}
