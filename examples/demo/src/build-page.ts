import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export type Assets = ReadonlyMap<string, { readonly type: string; readonly body: string | Uint8Array }>;

const page = (name: string) => fileURLToPath(new URL(`./page/${name}`, import.meta.url));

/** Builds the page's three files; its script is bundled from TypeScript. Takes a fraction of a second. */
export async function buildPage(): Promise<Assets> {
	const bundle = await build({
		entryPoints: [page("page.ts")],
		bundle: true,
		format: "esm",
		target: "es2022",
		write: false,
		minify: true,
		logLevel: "silent",
	});
	const script = bundle.outputFiles[0];
	if (script === undefined) throw new Error("esbuild made no file");
	return new Map([
		["/", { type: "text/html; charset=utf-8", body: await readFile(page("index.html")) }],
		["/page.css", { type: "text/css", body: await readFile(page("page.css")) }],
		["/page.js", { type: "text/javascript", body: script.contents }],
	]);
}
