import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parseEnv } from "node:util";
import { blocksOf } from "../documents/read-code.ts";
import { addressOf, answers, type Program, startProgram } from "../programs/program.ts";
import { root } from "../setup/paths.mjs";
import { run } from "../setup/spawn.mjs";
import { openMachine } from "./machine.ts";

const guide = "docs/guides/one-machine.md";

/**
 * Does what a user does on a machine that has Node 22, ffmpeg and nothing else: `npx @reelmill/server` in an empty
 * folder, with npm's cache empty. The packages are this repository's. Prints how long it took until the server
 * answered. Installs the services then, as the guide has it, and starts both programs from there.
 */
async function proveFromNpm(): Promise<void> {
	const { folder, environment, close } = await openMachine();
	const fresh = folder("fresh");
	let server: Program | undefined;
	try {
		const started = performance.now();
		server = startProgram("npx", ["--yes", "@reelmill/server"], {
			cwd: fresh,
			env: { ...environment, REELMILL_PORT: "0" },
			// A group of its own, because npx does not hand a signal on; a terminal's Ctrl-C reaches the group as well.
			detached: true,
		});
		const url = await addressOf(server);
		const health = await fetch(`${url}/v1/health`);
		const seconds = (performance.now() - started) / 1000;
		if (!health.ok) throw new Error(`${url}/v1/health answered ${health.status}.`);
		const page = await fetch(`${url}/console/`);
		if (!page.ok) throw new Error(`${url}/console/ answered ${page.status}.`);
		const installs = join(environment.npm_config_cache ?? "", "_npx");
		const modules = join(installs, readdirSync(installs)[0] ?? "", "node_modules");
		const lock = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
		const [kilobytes] = (await run("du", ["-sk", modules], fresh)).split("\t");
		console.log(
			`npx @reelmill/server answered after ${seconds.toFixed(1)} s from an empty cache: ` +
				`${Object.keys(lock.packages).length} packages, ${Math.round(Number(kilobytes) / 1024)} MB`,
		);
		await server.stop();
		await installServices(folder("root"), environment);
	} finally {
		await server?.stop("SIGKILL");
		close();
	}
}

/**
 * Runs the guide's commands that install the services, below a folder in place of the machine's root and without the
 * programs that change users and services. Shows that what the units start is there, and starts.
 */
async function installServices(machine: string, environment: NodeJS.ProcessEnv): Promise<void> {
	const blocks = [...blocksOf(readFileSync(join(root, guide), "utf8"), /^sh$/)].map(({ text }) => text);
	const below = (path: string) => join(machine, path);
	mkdirSync(below("etc/systemd/system"), { recursive: true });
	mkdirSync(below("bin"));
	for (const name of ["id", "systemctl", "useradd"])
		writeFileSync(below(`bin/${name}`), "#!/bin/sh\n", { mode: 0o755 });
	const installing = blocks.filter((block) => /npm install --global|>> \/etc\/reelmill/.test(block));
	for (const block of installing) {
		const commands = block.replaceAll(/ \/(?=(?:opt|etc)\/)/g, ` ${machine}/`);
		const path = [below("bin"), environment.PATH].join(delimiter);
		await run("sh", ["-euc", commands], machine, { ...environment, PATH: path });
	}
	console.log(`${guide}: ${installing.length} blocks install the services`);
	const [server, transcoder] = [readUnit(below, "server"), readUnit(below, "transcoder")];
	const running: Program[] = [];
	const start = ({ program, settings }: Unit, more: NodeJS.ProcessEnv): Program => {
		const started = startProgram(program, [], { env: { ...environment, ...settings, ...more } });
		running.push(started);
		return started;
	};
	try {
		const own = { REELMILL_PORT: "0", REELMILL_DATA_DIR: below("data"), REELMILL_EMBEDDED_WORKERS: "0" };
		const url = await addressOf(start(server, own));
		const operations = { REELMILL_WORKDIR: below("work"), REELMILL_OPS_PORT: "19465" };
		const worker = start(transcoder, { REELMILL_API_URL: url, ...operations });
		await worker.until(() => answers("http://127.0.0.1:19465/ready"));
		console.log(
			"What the units start, with the guide's settings: the server serves, and the transcoder waits for jobs",
		);
	} finally {
		for (const program of running.reverse()) await program.stop();
	}
}

type Unit = { readonly program: string; readonly settings: Readonly<Record<string, string>> };

/** What a unit that was installed starts, and its settings. */
function readUnit(below: (path: string) => string, app: string): Unit {
	const unit = readFileSync(below(`etc/systemd/system/reelmill-${app}.service`), "utf8");
	const [, program = ""] = /^ExecStart=(\S+)$/m.exec(unit) ?? [];
	const settings = parseEnv(readFileSync(below(`etc/reelmill/${app}.env`), "utf8")) as Record<string, string>;
	return { program: below(program), settings };
}

await proveFromNpm();
