import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { directory } from "../src/index.ts";

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

it.each(views)("loads at most 250 kB, gzipped, to show the view %s first", async (view) => {
	const manifest: Record<string, Chunk> = JSON.parse(await readFile(join(directory, "manifest.json"), "utf8"));
	const files = [...filesOf(manifest, `src/views/${view}/view.tsx`, filesOf(manifest, "index.html"))];
	const sizes = await Promise.all(files.map(async (file) => (await readFile(join(directory, `${file}.gz`))).length));
	const bytes = sizes.reduce((sum, size) => sum + size, 0);
	expect(bytes).toBeGreaterThan(100_000);
	expect(bytes).toBeLessThanOrEqual(250_000);
});

it("has no inline script or style, and names no other host", async () => {
	const page = await readFile(join(directory, "index.html"), "utf8");
	expect(page).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)/);
	const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
	expect(addresses.length).toBeGreaterThan(2);
	for (const address of addresses) expect(address).toMatch(/^\/console\/assets\/[\w-]+\.\w+$/);
});
