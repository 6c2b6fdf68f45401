import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const main = new URL("../src/main.ts", import.meta.url).pathname;
const account = { REELMILL_SERVICE_NAME: "transcoder", REELMILL_SERVICE_SECRET: "secret" };
/** Halves the time of a start. */
const compileCache = join(tmpdir(), "reelmill-test-compile-cache");
let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-transcoder-"));
});
afterEach(() => rm(folder, { recursive: true }));

const start = (environment: Record<string, string>, ...args: string[]) => {
	const child = spawn(process.execPath, [main, ...args], {
		env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, REELMILL_WORKDIR: folder, ...environment },
	});
	const said = { out: "", err: "" };
	child.stdout.on("data", (chunk) => {
		said.out += chunk;
	});
	child.stderr.on("data", (chunk) => {
		said.err += chunk;
	});
	return { child, said, ended: once(child, "close").then(([code]) => code as number) };
};

const program = async (name: string, script: string): Promise<string> => {
	const path = join(folder, name);
	await writeFile(path, `#!/bin/sh\n${script}\n`);
	await chmod(path, 0o755);
	return path;
};

it("prints every setting with its default on --help", async () => {
	const { said, ended } = start({}, "--help");
	expect(await ended).toBe(0);
	for (const name of [
		"API_URL",
		"SERVICE_NAME",
		"SERVICE_SECRET",
		"WORKDIR",
		"CONCURRENCY",
		"FFMPEG",
		"FFPROBE",
		"WHISPER_MODEL",
		"TRANSCRIBER",
	])
		expect(said.out).toContain(`REELMILL_${name} (`);
	expect(said.out).toContain("REELMILL_CONCURRENCY (1)");
	for (const option of ["--once (off)", "--max-jobs (no limit)", "--idle-seconds ("])
		expect(said.out).toContain(option);
});

/** An ffprobe that runs, but not in bubblewrap, where there is no such file. */
const unconfinable = () => program("ffprobe", '[ -e /etc/passwd ] || exit 1\nexec ffprobe "$@"');

it("refuses to start where all of ffmpeg's confinement is required and a part is missing", async () => {
	const { said, ended } = start({
		...account,
		REELMILL_FFPROBE: await unconfinable(),
		REELMILL_CONFINEMENT: "required",
	});
	expect(await ended).toBe(1);
	expect(said.err).toMatch(
		/^REELMILL_CONFINEMENT: ffmpeg can't be confined here: it sees more files than its own, its system calls are not filtered\./,
	);
});

it("says when it starts which parts are missing where they are preferred", async () => {
	const { child, said, ended } = start({
		...account,
		REELMILL_FFPROBE: await unconfinable(),
		REELMILL_API_URL: "http://127.0.0.1:9",
	});
	await expect.poll(() => said.err).toContain("ffmpeg is not confined here as it could be");
	expect(said.err).toContain('"missing":["files","system_calls"]');
	child.kill("SIGTERM");
	expect(await ended).toBe(0);
});

it("says when it starts why the hardware encoder that was asked for is not used", async () => {
	const { child, said, ended } = start({
		...account,
		REELMILL_ENCODER: "nvenc",
		REELMILL_API_URL: "http://127.0.0.1:9",
		REELMILL_CONFINEMENT: "off",
	});
	await expect.poll(() => said.err).toContain("transcoder started");
	expect(said.err).toContain("no hardware encoder works here: everything is encoded in software");
	expect(said.err).toContain('"encoder":"h264_nvenc"');
	child.kill("SIGTERM");
	expect(await ended).toBe(0);
});

it.each<[string, Record<string, string>, string, ...string[]]>([
	["a missing secret", { REELMILL_SERVICE_NAME: "a" }, "REELMILL_SERVICE_SECRET is not set"],
	[
		"an unknown setting",
		{ ...account, REELMILL_CONCURENCY: "2" },
		"REELMILL_CONCURENCY is not a setting of this program",
	],
	["a value out of range", { ...account, REELMILL_CONCURRENCY: "0" }, "REELMILL_CONCURRENCY must be at least 1"],
	[
		"an address that is none",
		{ ...account, REELMILL_API_URL: "here" },
		"REELMILL_API_URL must be an http:// or https:// address",
	],
	[
		"a missing ffmpeg",
		{ ...account, REELMILL_FFMPEG: "/nonexistent/ffmpeg" },
		"The program /nonexistent/ffmpeg can't be found or run. On Debian or Ubuntu: apt-get install ffmpeg.",
	],
	[
		"a missing Whisper model",
		{ ...account, REELMILL_WHISPER_MODEL: "/nonexistent/ggml.bin" },
		"The Whisper model /nonexistent/ggml.bin can't be read (ENOENT).",
	],
	[
		"a broken Whisper model",
		{ ...account, REELMILL_WHISPER_MODEL: "/bin/sh" },
		"/bin/sh is no Whisper model that can be loaded. REELMILL_WHISPER_MODEL names it.",
	],
	[
		"a missing transcriber",
		{ ...account, REELMILL_TRANSCRIBER: "nothing-here" },
		"The program nothing-here can't be found or run. REELMILL_TRANSCRIBER names it.",
	],
	[
		"a folder that can't be made",
		{ ...account, REELMILL_WORKDIR: "/dev/null/reelmill" },
		"REELMILL_WORKDIR: /dev/null/reelmill can't be written to",
	],
	["an option that is none", account, "--onec is not an option of this program", "--onec"],
	["an option out of range", account, "--max-jobs must be at least 1", "--max-jobs=0"],
	["an option without its value", account, "--idle-seconds takes a value", "--idle-seconds"],
	["an option with a value that it can't have", account, "--once takes no value", "--once=2"],
])("stops with one sentence and code 1 at %s", async (_, environment, sentence, ...options) => {
	const { said, ended } = start(environment, ...options);
	expect(await ended).toBe(1);
	expect(said.err).toContain(sentence);
	expect(said.err.trim().split("\n")).toHaveLength(1);
	expect(said.out).toBe("");
});

it.each([
	["the encoder libsvtav1", { encoders: ["libx264", "aac"], filters: ["zscale"] }],
	["the filter zscale", { encoders: ["libx264", "libsvtav1", "aac"], filters: ["scale"] }],
])("stops and names what an ffmpeg lacks: %s", async (lacking, { encoders, filters }) => {
	const list = (names: string[]) => names.map((name) => `echo " V..... ${name} this and that"`).join("; ");
	const ffmpeg = await program(
		"ffmpeg",
		`case "$*" in *-encoders) ${list(encoders)};; *-filters) ${list(filters)};; esac`,
	);
	const { said, ended } = start({ ...account, REELMILL_FFMPEG: ffmpeg });
	expect(await ended).toBe(1);
	expect(said.err).toContain(`${ffmpeg} lacks ${lacking}.`);
	expect(said.err.trim().split("\n")).toHaveLength(1);
});

it("runs while the server can't be reached, keeps the secret to itself, and ends with code 0 on SIGTERM", async () => {
	const claimed = Promise.withResolvers<void>();
	const server = createServer((request, response) => {
		claimed.resolve();
		request.resume();
		response.writeHead(503).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	// Settings of the command line, in the same shell, are none of its business.
	const shell = {
		REELMILL_API_KEY: "ek_of_the_shell",
		REELMILL_URL: "https://video.example",
		REELMILL_ADMIN_KEY: "x",
		REELMILL_STORAGE_SECRET: "x",
	};
	const { child, said, ended } = start({
		...shell,
		...account,
		REELMILL_SERVICE_SECRET: "unspoken",
		REELMILL_API_URL: `http://127.0.0.1:${port}`,
		REELMILL_DRAIN_SECONDS: "86400",
	});
	await claimed.promise;
	child.kill("SIGTERM");
	expect(await ended).toBe(0);
	expect(said.err).toContain('"drainSeconds":86400');
	server.closeAllConnections();
	server.close();
	expect(said.err).toContain("transcoder started");
	expect(said.err + said.out).not.toContain("unspoken");
});
