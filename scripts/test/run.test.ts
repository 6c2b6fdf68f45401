import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../setup/paths.mjs";

let repository: string;
const programs = ["ffmpeg", "ffprobe", "bwrap"];
/** An ffmpeg that lists these, whatever is asked for. */
const ffmpegWith = (...names: string[]) => names.map((name) => `echo ' V..... ${name} x'`).join("; ");
const isRoot = process.getuid?.() === 0;

beforeEach(() => {
	repository = mkdtempSync(join(tmpdir(), "reelmill-run-"));
	cpSync(join(root, "scripts"), join(repository, "scripts"), { recursive: true });
	write("package.json", '{ "type": "module" }');
	write("pnpm-lock.yaml", "first");
	write("pnpm-workspace.yaml", "");
	program(
		"npx",
		`echo "$@" >> ${repository}/npx-calls; mkdir -p ${repository}/node_modules/.bin; echo "Progress: resolved 1"`,
		"/bin:/usr/bin",
	);
	for (const name of programs) program(name, ffmpegWith("libx264", "libsvtav1", "zscale"));
});

afterEach(() => rmSync(repository, { recursive: true, force: true }));

function write(path: string, text: string): void {
	mkdirSync(dirname(join(repository, path)), { recursive: true });
	writeFileSync(join(repository, path), `${text}\n`);
}

function program(name: string, text: string, searchPath = ""): void {
	write(`bin/${name}`, `#!/bin/sh\n${searchPath && `PATH=${searchPath}\n`}${text}`);
	chmodSync(join(repository, "bin", name), 0o755);
}

function start(args: string[], environment: NodeJS.ProcessEnv = {}) {
	return spawn(process.execPath, [join(repository, "scripts/run.mjs"), ...args], {
		env: { PATH: join(repository, "bin"), REELMILL_CONSOLE: "off", ...environment },
		stdio: "pipe",
	});
}

async function run(args: string[], environment: NodeJS.ProcessEnv = {}) {
	const child = start(args, environment);
	let [out, error] = ["", ""];
	child.stdout.on("data", (bytes) => (out += bytes));
	child.stderr.on("data", (bytes) => (error += bytes));
	const [code] = await once(child, "close");
	return { code, out, error };
}

const installs = () =>
	existsSync(join(repository, "npx-calls"))
		? readFileSync(join(repository, "npx-calls"), "utf8").trim().split("\n")
		: [];

it("lists the commands with --help, names them where there is none of that name, and installs nothing", async () => {
	const { code, out } = await run(["--help"]);
	expect(code).toBe(0);
	for (const name of ["start", "test", "test:fast", "test:all"]) expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
	expect(await run(["strat"])).toMatchObject({
		code: 1,
		error: expect.stringMatching(/^There is no command "strat": choose one of start, demo, /),
	});
	expect((await run(["test", "--help"])).out).toContain("npm test [-- FILTER... OPTION...]");
	expect(installs()).toEqual([]);
});

it("installs what the lockfile names once, and again after the lockfile has changed", async () => {
	expect((await run(["setup"])).code).toBe(0);
	expect((await run(["setup"])).error).toBe("");
	expect(installs()).toHaveLength(1);
	expect(installs()[0]).toMatch(/^--yes pnpm@[\d.]+ --dir \S+ install --frozen-lockfile /);
	write("pnpm-lock.yaml", "second");
	await run(["setup"]);
	expect(installs()).toHaveLength(2);
});

it("stops with pnpm's words when the install fails, and installs again the next time", async () => {
	program("npx", `echo "no network" >&2; echo called >> ${repository}/npx-calls; exit 7`);
	expect(await run(["setup"])).toMatchObject({
		code: 1,
		error: expect.stringMatching(/no network\n\nThe dependencies could not be installed \(exit code 7\): see pnpm's/),
	});
	await run(["setup"]);
	expect(installs()).toHaveLength(2);
});

it("runs the program on the Node among the dependencies, with the arguments and exit code passed on", async () => {
	mkdirSync(join(repository, "node_modules/.bin"), { recursive: true });
	symlinkSync(process.execPath, join(repository, "node_modules/.bin/node"));
	write(
		"apps/server/src/main.ts",
		"const code: number = 3;\nconsole.log(process.argv[0], ...process.argv.slice(2));\nprocess.exitCode = code;",
	);
	const { code, out } = await run(["start", "--port", "1"]);
	expect(code).toBe(3);
	expect(out).toMatch(/ --port 1\n$/);
});

it("hands SIGTERM on to the program, from the shell of an npm script, and ends as it ends", async () => {
	symlinkSync(process.execPath, join(repository, "bin/node"));
	write(
		"apps/server/src/main.ts",
		'process.once("SIGTERM", () => process.exit(5));\nsetInterval(() => undefined, 1000);\nconsole.log("ready");',
	);
	const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const child = spawn("/bin/sh", ["-c", scripts.start], {
		cwd: repository,
		env: { PATH: join(repository, "bin"), REELMILL_CONSOLE: "off" },
		stdio: "pipe",
	});
	for await (const bytes of child.stdout) {
		if (!String(bytes).includes("ready")) continue;
		child.kill("SIGTERM");
		break;
	}
	expect(await once(child, "exit")).toEqual([5, null]);
});

it("says in one sentence what to install where it may not install it", async () => {
	for (const name of programs) rmSync(join(repository, "bin", name));
	const { code, error } = await run(["setup"]);
	expect(code).toBe(1);
	const sentence =
		process.platform === "linux"
			? "Missing: ffmpeg, ffprobe, bwrap. Install with (Debian, Ubuntu): sudo apt-get install ffmpeg bubblewrap"
			: "Missing: ffmpeg, ffprobe.";
	expect(error).toContain(sentence);
});

it("installs a missing program with apt-get as root, and never otherwise", async () => {
	rmSync(join(repository, "bin/bwrap"));
	program(
		"apt-get",
		`echo "$@" >> ${repository}/apt-calls; [ "$3" = update ] || { cp ${repository}/bin/ffprobe ${repository}/bin/bwrap; }`,
		"/bin:/usr/bin",
	);
	const { code } = await run(["setup"]);
	const calls = existsSync(join(repository, "apt-calls")) ? readFileSync(join(repository, "apt-calls"), "utf8") : "";
	const installed = isRoot && process.platform === "linux";
	const waiting = "-o DPkg::Lock::Timeout=300";
	const wanted = `${waiting} update\n${waiting} install -y --no-install-recommends bubblewrap\n`;
	expect(calls).toBe(installed ? wanted : "");
	expect(code).toBe(installed || process.platform === "darwin" ? 0 : 1);
});

it("refuses an ffmpeg that lacks what encoding needs, and a setting that leads to no program, and names them", async () => {
	program("ffmpeg", ffmpegWith("libx264", "zscale"));
	const lacking = await run(["setup"]);
	expect(lacking).toMatchObject({ code: 1 });
	const sentence = "lacks libsvtav1: install one that has libx264 and libsvtav1 (";
	expect(lacking.error).toContain(`The ffmpeg at ${repository}/bin/ffmpeg ${sentence}`);
	const nowhere = await run(["setup"], { REELMILL_FFMPEG: "/nowhere/ffmpeg" });
	expect(nowhere).toMatchObject({ code: 1 });
	expect(nowhere.error).toContain("REELMILL_FFMPEG names /nowhere/ffmpeg, where there is no program: correct it, or");
});

describe("npm test", () => {
	beforeEach(() => {
		write("packages/player/test/plain.test.ts", "");
		write("packages/player/test/page.test.ts", 'import { start } from "./support/browser.ts";');
		write("packages/player/test/support/browser.ts", 'export const start = () => spawn("chromium");');
		program("../node_modules/.bin/vitest", `echo vitest "$@"`);
		rmSync(join(repository, "bin/apt-get"), { force: true });
	});

	it("runs vitest on what matches, with vitest's options, though programs of other tests are missing", async () => {
		const { code, out, error } = await run(["test", "player/test/plain", "-t", "of a name", "--bail=1"]);
		expect({ code, out: out.trim() }, error).toEqual({
			code: 0,
			out: "vitest run player/test/plain -t of a name --bail=1",
		});
	});

	it("asks for the programs that the chosen tests lead to", async () => {
		expect(await run(["test", "packages/player"])).toMatchObject({
			code: 1,
			error: expect.stringContaining("Missing: chromium."),
		});
	});

	it("says so when no test matches", async () => {
		const { error } = await run(["test", "nowhere", "-t", "player"]);
		expect(error).toMatch(/^No test file's path contains nowhere: see npm test -- --help.$/m);
	});
});
