import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tenantTest } from "./support/tenant-test.ts";

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
const require = createRequire(import.meta.url);
const jest = join(dirname(require.resolve("jest/package.json")), "bin/jest.js");
let folder: string;

/** A tenant's folder: the package as it is installed, and two test files that never close what they opened. */
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-runners-"));
	const installed = join(folder, "node_modules/@reelmill/testing");
	await build({
		entryPoints: [source("index.ts")],
		outfile: join(installed, "index.js"),
		bundle: true,
		format: "esm",
		banner: {
			js: 'import { createRequire as fromHere } from "node:module"; const require = fromHere(import.meta.url);',
		},
		platform: "node",
		logLevel: "error",
	});
	await writeFile(join(installed, "thread.js"), `import ${JSON.stringify(source("thread.ts"))};\n`);
	const manifest = { name: "@reelmill/testing", type: "module", exports: "./index.js" };
	await writeFile(join(installed, "package.json"), JSON.stringify(manifest));
	// Jest gives a test 5 s, and a busy machine needs more to open a service.
	const settings = { transform: {}, testTimeout: 300_000 };
	await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", jest: settings }));
	for (const name of ["one", "other"]) await writeFile(join(folder, `${name}.test.js`), tenantTest);
});
afterAll(() => rm(folder, { recursive: true }));

const runners = {
	"node:test": ["--test"],
	Jest: ["--experimental-vm-modules", jest],
};

it.each(Object.entries(runners))(
	"runs in %s, in several files at once, and leaves nothing running",
	async (_, args) => {
		const child = spawn(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH } });
		let output = "";
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (text) => {
				output += text;
			});
		// It comes when the process has ended by itself, and when no other holds its output.
		const [code] = await once(child, "close");
		expect(code, output).toBe(0);
		expect(output).not.toContain("did not exit");
	},
);
