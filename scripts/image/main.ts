import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";
import { buildah, buildImage, imageFolder, makeBase } from "./buildah.ts";
import { tryImage } from "./try.ts";

const { values: options } = parseArgs({ options: { twice: { type: "boolean", default: false } } });
/** How large the image may be as registries keep it and machines pull it, in megabytes. */
const mostMegabytes = 350;

const { SOURCE_DATE_EPOCH } = process.env;
const epoch = SOURCE_DATE_EPOCH ?? (await run("git", ["-C", root, "log", "-1", "--format=%ct"])).trim();
const base = await makeBase();
const layers = await buildImage(base, epoch);
console.log(`Built ${layers}`);
if (options.twice) {
	const again = await buildImage(base, epoch);
	if (again !== layers) throw new Error(`The same inputs made other layers: ${again}`);
	console.log("Built again, to the same layers");
}

const packed = join(imageFolder, "packed");
rmSync(packed, { recursive: true, force: true });
await buildah("push", "--format", "v2s2", "localhost/reelmill", `dir:${packed}`);
const compressed = megabytes(await run("du", ["-sk", packed]));
const container = await buildah("from", "localhost/reelmill");
const folder = mkdtempSync(join(tmpdir(), "reelmill-image-"));
try {
	const image = await buildah("mount", container);
	const uncompressed = megabytes(await run("du", ["-sk", image]));
	console.log(`${compressed} MB compressed, as it is pulled; ${uncompressed} MB on the disk`);
	if (compressed > mostMegabytes) throw new Error(`The image may have ${mostMegabytes} MB, compressed.`);
	const contents = readFileSync(join(image, "opt/reelmill/sbom.cdx.json"), "utf8");
	for (const name of ["hono", "%40tus/server"])
		if (!contents.includes(`pkg:npm/${name}@`)) throw new Error(`The image's SBOM doesn't list ${name}.`);
	await tryImage(image, folder);
} finally {
	await buildah("rm", container);
	rmSync(folder, { recursive: true, force: true });
}

function megabytes(kilobytes: string): number {
	return Math.round(Number.parseInt(kilobytes, 10) / 1024);
}
