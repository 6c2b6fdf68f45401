import { readFileSync, writeFileSync } from "node:fs";
import { run } from "../setup/spawn.mjs";

type Component = { readonly group?: string; readonly name: string };
type Contents = { readonly components: Component[] };

/** Writes an SBOM (CycloneDX) of the packages from npm that the image has. Debian's own list is in the image. */
async function listContents(file: string): Promise<void> {
	const image = await contentsOf("--prod", "--filter=@reelmill/server...", "--filter=@reelmill/transcoder...");
	// What is built into a package is no dependency of it: its notices name it.
	const notices = readFileSync("packages/http/NOTICES.md", "utf8");
	const builtIn = new Set([...notices.matchAll(/^- \[(.+?)\]/gm)].map(([, name]) => name));
	const listed = new Set(image.components.map(nameOf));
	for (const component of (await contentsOf("--filter=@reelmill/http")).components) {
		const name = nameOf(component);
		if (builtIn.has(name) && !listed.has(name)) image.components.push(component);
	}
	writeFileSync(file, JSON.stringify(image));
}

async function contentsOf(...which: string[]): Promise<Contents> {
	const how = ["--sbom-format=cyclonedx", "--sbom-type=application", "--lockfile-only"];
	return JSON.parse(await run("pnpm", ["sbom", ...how, ...which]));
}

const nameOf = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`);

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("Name the file to list the image's packages in.");
await listContents(target);
