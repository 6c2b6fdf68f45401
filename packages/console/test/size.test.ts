import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { directory, referenceDirectory } from "../src/index.ts";

type Chunk = { readonly file: string; readonly css?: readonly string[]; readonly imports?: readonly string[] };
const views = ["overview", "videos", "sign-in"];

/** The files that the page loads for a chunk: itself, what it imports, and their style sheets. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, name: string, found = new Set<string>()): Set<string> {
	const chunk = manifest[name];
	if (chunk === undefined) throw new Error(`the build has no chunk of ${name}`);
	if (found.has(chunk.file)) return found;
	for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
	for (const each of chunk.imports ?? []) filesOf(manifest, each, found);
	return found;
}

/** The gzipped bytes of the files that a built page loads for some of its chunks. */
async function bytesOf(folder: string, chunks: readonly string[]): Promise<number> {
	const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
	const files = new Set<string>();
	for (const chunk of chunks) filesOf(manifest, chunk, files);
	const sizes = await Promise.all([...files].map(async (file) => gzipSync(await readFile(join(folder, file))).length));
	return sizes.reduce((sum, size) => sum + size, 0);
}

it("loads at most 191 kB, gzipped, on every page", async () => {
	expect(await bytesOf(directory, ["index.html"])).toBeLessThanOrEqual(191_000);
});

it.each(views)("loads at most 215 kB, gzipped, to show the view %s first", async (view) => {
	const bytes = await bytesOf(directory, ["index.html", `src/views/${view}/view.tsx`]);
	expect(bytes).toBeGreaterThan(100_000);
	expect(bytes).toBeLessThanOrEqual(215_000);
});

it("loads at most 900 kB, gzipped, to show the API reference", async () => {
	const bytes = await bytesOf(referenceDirectory, ["index.html"]);
	expect(bytes).toBeGreaterThan(500_000);
	expect(bytes).toBeLessThanOrEqual(900_000);
});

it.each([
	["the console", directory, /^\/console\/assets\/[\w-]+\.\w+$/],
	["the API reference", referenceDirectory, /^(?:docs\/assets\/[\w.-]+\.\w+|v1\/openapi\.json)$/],
] as const)("has no inline script or style, and names no other host: %s", async (_name, folder, own) => {
	const page = await readFile(join(folder, "index.html"), "utf8");
	expect(page).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)/);
	const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
	expect(addresses.length).toBeGreaterThan(2);
	for (const address of addresses) expect(address).toMatch(own);
});
