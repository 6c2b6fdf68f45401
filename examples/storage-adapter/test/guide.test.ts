import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const withoutIndentation = (code: string): string => code.replace(/^\t+/gm, "");

/** Reads the TypeScript files of this example, each as one text. */
async function sources(): Promise<string[]> {
	const paths = await Promise.all(
		["../src/", "./", "./support/"].map(async (folder) =>
			(await readdir(new URL(folder, import.meta.url)))
				.filter((name) => name.endsWith(".ts"))
				.map((name) => folder + name),
		),
	);
	return Promise.all(paths.flat().map(async (path) => withoutIndentation(await read(path))));
}

it("stands in the guide line by line: every block of code there is one of this example", async () => {
	const blocks = [...(await read("../../../docs/guides/storage-adapter.md")).matchAll(/^```(\w*)\n(.*?)^```$/gms)];
	expect(blocks.length).toBeGreaterThan(6);
	const files = await sources();
	for (const [, language, code = ""] of blocks) {
		expect(language).toBe("ts");
		const found = files.some((file) => file.includes(withoutIndentation(code)));
		expect(found, `no file of the example has\n${code}`).toBe(true);
	}
});

it("has every file that its README and the guide name", async () => {
	const [readme, guide] = await Promise.all([read("../README.md"), read("../../../docs/guides/storage-adapter.md")]);
	const named = [...readme.matchAll(/\]\(((?:src|test)\/[^)]+)\)/g)].map(([, path]) => `../${path}`);
	expect(named.length).toBeGreaterThan(8);
	for (const path of named) expect(await read(path)).not.toBe("");
	expect(guide).toContain("(../../examples/storage-adapter)");
});
