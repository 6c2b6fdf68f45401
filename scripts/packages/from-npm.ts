import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { run } from "./install-packed.ts";
import { serveRegistry } from "./registry.ts";

const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
const directory = mkdtempSync(join(tmpdir(), "reelmill-from-npm-"));
const [tarballs, node, cache, fresh] = ["tarballs", "node", "cache", "fresh"].map((name) => {
	mkdirSync(join(directory, name));
	return join(directory, name);
}) as [string, string, string, string];

/**
 * Does what a user does on a machine that has Node 22, ffmpeg and nothing else: `npx @reelmill/server` in an empty
 * folder, with npm's cache empty. The packages are this repository's. Prints how long it took until the server
 * answered.
 */
async function proveFromNpm(): Promise<void> {
	const registry = await serveRegistry(tarballs);
	let server: ChildProcess | undefined;
	try {
		await run("npm", ["install", ...quiet, `node22@npm:node-${process.platform}-${process.arch}@22`], node);
		const environment = {
			...withoutProject(process.env),
			...registry.environment,
			PATH: [join(node, "node_modules/node22/bin"), ...withoutProjectsPath()].join(delimiter),
			npm_config_cache: cache,
			REELMILL_PORT: "0",
		};
		const started = performance.now();
		server = spawn("npx", ["--yes", "@reelmill/server"], {
			cwd: fresh,
			env: environment,
			stdio: ["ignore", "pipe", "inherit"],
			// A group of its own, because npx does not hand a signal on; a terminal's Ctrl-C reaches the group as well.
			detached: true,
		});
		const url = await readyAddress(server);
		const health = await fetch(`${url}/v1/health`);
		const seconds = (performance.now() - started) / 1000;
		if (!health.ok) throw new Error(`${url}/v1/health answered ${health.status}.`);
		const page = await fetch(`${url}/console/`);
		if (!page.ok) throw new Error(`${url}/console/ answered ${page.status}.`);
		const [installed = ""] = readdirSync(join(cache, "_npx"));
		const modules = join(cache, "_npx", installed, "node_modules");
		const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
		const [kilobytes] = (await run("du", ["-sk", modules], fresh)).split("\t");
		console.log(
			`npx @reelmill/server answered after ${seconds.toFixed(1)} s from an empty cache: ` +
				`${Object.keys(lock.packages).length} packages, ${Math.round(Number(kilobytes) / 1024)} MB`,
		);
		const closed = once(server, "close");
		process.kill(-(server.pid as number), "SIGTERM");
		await closed;
		server = undefined;
	} finally {
		if (server?.pid !== undefined) process.kill(-server.pid, "SIGKILL");
		registry.close();
		rmSync(directory, { recursive: true, force: true });
	}
}

/** The environment without what `npm run` adds, which names this repository. */
const withoutProject = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
	Object.fromEntries(
		Object.entries(environment).filter(
			([name]) => !/^(?:npm_(?:package|lifecycle|command|execpath|node)|REELMILL_)/.test(name),
		),
	);

const withoutProjectsPath = (): string[] =>
	(process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));

/** Resolves to the address of a server once it is ready. */
async function readyAddress(server: ChildProcess): Promise<string> {
	let said = "";
	const ended = once(server, "exit");
	server.stdout?.on("data", (text: Buffer) => {
		said += text;
	});
	for (;;) {
		const health = said.split(/\s/).find((word) => word.startsWith("http:") && word.endsWith("/v1/health"));
		const url = health?.slice(0, -"/v1/health".length);
		if (url !== undefined) return url;
		if (server.exitCode !== null) throw new Error(`It ended with ${server.exitCode}:\n${said}`);
		await Promise.race([once(server.stdout ?? server, "data"), ended]);
	}
}

await proveFromNpm();
