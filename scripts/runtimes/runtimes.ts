import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { nodeIn } from "../packed/nodes.ts";
import { startProgram } from "../programs/program.ts";
import { run } from "../setup/spawn.mjs";
import { oldestNode } from "./install.ts";
import { workerdConfig } from "./programs.ts";
import { expected } from "./scenario.mjs";

export type Setting = {
	/** Where the packages and the programs lie. */
	readonly folder: string;
	/** The `node_modules` of the runtimes. */
	readonly programs: string;
	readonly service: { readonly baseUrl: string; readonly apiKey: string };
};
type Runtime = { readonly name: string; run(setting: Setting): Promise<unknown> };

/** Runs a program that prints the outcome as its last line. */
async function printed({ folder, service }: Setting, program: string, ...args: string[]): Promise<unknown> {
	const environment = { ...process.env, REELMILL_SERVICE: JSON.stringify(service) };
	const output = await run(program, args, folder, environment);
	return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

/** Bundles a program as the makers of edge runtimes do: for a browser, with their own conditions first. */
async function bundled(folder: string, entry: string, format: "esm" | "iife", conditions: string[]): Promise<string> {
	const { outputFiles } = await build({
		absWorkingDir: folder,
		entryPoints: [entry],
		bundle: true,
		format,
		platform: "browser",
		target: "es2024",
		conditions: [...conditions, "browser"],
		write: false,
	});
	return outputFiles[0]?.text ?? "";
}

async function answered(response: Response): Promise<unknown> {
	const text = await response.text();
	if (!response.ok) throw new Error(text);
	return JSON.parse(text);
}

/**
 * Runs Jest, whose own test compares the outcome. Its modules, and its `require` of them (Node 24.9 and newer), need
 * the flag.
 */
async function jest({ folder, programs, service }: Setting, kind: string): Promise<unknown> {
	const config = { rootDir: join(folder, kind), testMatch: ["**/main.test.*"], transform: {}, testEnvironment: "node" };
	const args = [join(programs, "jest/bin/jest.js"), "--config", JSON.stringify(config)];
	const output = await run(process.execPath, args, folder, {
		...process.env,
		NODE_OPTIONS: "--experimental-vm-modules",
		REELMILL_SERVICE: JSON.stringify(service),
	});
	if (!output.includes("1 passed")) throw new Error(output);
	return expected;
}

const oldest = ({ programs }: Setting): string => nodeIn(dirname(programs), oldestNode);
const bun = ({ programs }: Setting): string => join(programs, ".bin/bun");
/** It may use the network, the environment and files to read, and nothing else. */
const deno = ["run", "--allow-net", "--allow-env", "--allow-read", "--no-lock"];

export const runtimes: readonly Runtime[] = [
	{ name: "Node", run: (setting) => printed(setting, process.execPath, "main.mjs") },
	{ name: "Node 22.18", run: (setting) => printed(setting, oldest(setting), "main.mjs") },
	{ name: "CommonJS on Node", run: (setting) => printed(setting, process.execPath, "main.cjs") },
	{ name: "CommonJS on Node 22.18", run: (setting) => printed(setting, oldest(setting), "main.cjs") },
	{ name: "Bun", run: (setting) => printed(setting, bun(setting), "main.mjs") },
	{ name: "CommonJS on Bun", run: (setting) => printed(setting, bun(setting), "main.cjs") },
	{ name: "Deno", run: (setting) => printed(setting, join(setting.programs, ".bin/deno"), ...deno, "main.mjs") },
	{
		name: "Cloudflare Workers",
		async run({ folder, programs, service }) {
			await writeFile(join(folder, "workerd.mjs"), await bundled(folder, "worker.mjs", "esm", ["workerd", "worker"]));
			await writeFile(join(folder, "workerd.capnp"), workerdConfig("workerd.mjs"));
			const args = ["serve", "--control-fd=1", join(folder, "workerd.capnp")];
			const workerd = startProgram(join(programs, ".bin/workerd"), args);
			try {
				const port = (said: string) => /"port":(\d+)/.exec(said)?.[1];
				await workerd.until(port);
				const init = { method: "POST", body: JSON.stringify(service) };
				return await answered(await fetch(`http://127.0.0.1:${port(workerd.said())}/`, init));
			} finally {
				await workerd.stop();
			}
		},
	},
	{
		name: "Vercel Edge",
		async run({ folder, programs, service }) {
			await writeFile(join(folder, "edge.js"), await bundled(folder, "edge.mjs", "iife", ["edge-light", "worker"]));
			const script = `const { readFileSync } = require("node:fs");
const { EdgeRuntime } = require(${JSON.stringify(join(programs, "edge-runtime"))});
const runtime = new EdgeRuntime({ initialCode: readFileSync("edge.js", "utf8") });
const init = { method: "POST", body: process.env.REELMILL_SERVICE };
runtime.dispatchFetch("https://shop.example.com/", init).then(async (answer) => console.log(await answer.text()));`;
			return printed({ folder, programs, service }, process.execPath, "--eval", script);
		},
	},
	{ name: "Jest, its modules", run: (setting) => jest(setting, "jest-modules") },
	{ name: "Jest, CommonJS", run: (setting) => jest(setting, "jest-commonjs") },
];
