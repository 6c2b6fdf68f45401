import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { processEnvironment } from "./support/process-environment.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const serverUrl = process.env.REELMILL_TEST_DATABASE_URL;
const operatorsKey = "the-operators-key-of-32-characters";
let directory: string;
let children: ChildProcess[];
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-start-"));
	children = [];
});
afterEach(async () => {
	for (const child of children) {
		if (child.exitCode !== null || child.signalCode !== null) continue;
		child.kill("SIGTERM");
		await once(child, "exit");
	}
	await rm(directory, { recursive: true, force: true });
});

function start(environment: Record<string, string>, ...args: string[]) {
	const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("REELMILL_")));
	const child = spawn(process.execPath, [main, ...args], {
		env: {
			...own,
			...processEnvironment,
			REELMILL_DATA_DIR: join(directory, "data"),
			REELMILL_PORT: "0",
			...environment,
		},
	});
	children.push(child);
	let [out, err] = ["", ""];
	child.stdout.on("data", (text: Buffer) => {
		out += text;
	});
	child.stderr.on("data", (text: Buffer) => {
		err += text;
	});
	return {
		async ended() {
			const [code] = (await once(child, "close")) as [number | null];
			return { code, out, err };
		},
		begun: () => ({ child }),
		async ready() {
			while (!out.includes("Reelmill is ready.")) {
				if (child.exitCode !== null) throw new Error(err);
				await Promise.race([once(child.stdout, "data"), once(child, "close")]);
			}
			const key = (await readFile(join(directory, "data", "tenant.key"), "utf8")).trim();
			return { url: /http:\S+(?=\/v1\/health)/.exec(out)?.[0] as string, key, child, out: () => out, err: () => err };
		},
	};
}
const made = () => readdir(directory);

describe("a start that can't go on", () => {
	const refusals: [what: string, environment: Record<string, string>, sentence: RegExp][] = [
		["a setting of the wrong form", { REELMILL_PORT: "eighty" }, /^REELMILL_PORT must be a whole number\.$/],
		["a setting out of range", { REELMILL_LOCK_SECONDS: "0" }, /^REELMILL_LOCK_SECONDS must be at least 1\.$/],
		[
			"an admin key that can be guessed",
			{ REELMILL_ADMIN_KEY: "a".repeat(31) },
			/^REELMILL_ADMIN_KEY must have at least 32 characters: make one with openssl rand -hex 32\.$/,
		],
		[
			"a previous master key that is none",
			{ REELMILL_MASTER_KEY_PREVIOUS: "short" },
			/^REELMILL_MASTER_KEY_PREVIOUS must be at least 32 bytes, in hexadecimal or base64\.$/,
		],
		[
			"an address for operations that this machine doesn't have",
			{ REELMILL_OPS_PORT: "0", REELMILL_OPS_HOST: "203.0.113.1" },
			/set REELMILL_OPS_HOST to one/,
		],
		[
			"a misspelt setting",
			{ REELMILL_PROT: "1" },
			/^REELMILL_PROT is not a setting of this program; --help lists them all\.$/,
		],
		[
			"an entry that is no CIDR",
			{ REELMILL_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8,nonsense" },
			/^REELMILL_WEBHOOK_ALLOW_CIDRS: .*nonsense/,
		],
		[
			"a worker's network that is no CIDR",
			{ REELMILL_WORKER_CIDRS: "10.0.0.0/8, fd00::/129" },
			/^REELMILL_WORKER_CIDRS: .*"fd00::\/129"$/,
		],
		[
			"a proxy that is no CIDR",
			{ REELMILL_TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0.0/33" },
			/^REELMILL_TRUSTED_PROXIES: .*"10\.0\.0\.0\/33"$/,
		],
		[
			"a storage address that is no CIDR",
			{ REELMILL_STORAGE_ALLOW_CIDRS: "ten" },
			/^REELMILL_STORAGE_ALLOW_CIDRS: .*ten/,
		],
		[
			"locations that aren't there",
			{ REELMILL_STORAGE_LOCATIONS: "/nowhere/locations.json" },
			/^REELMILL_STORAGE_LOCATIONS: .*can't be read \(ENOENT\)\.$/,
		],
		[
			"a default location that there is not",
			{ REELMILL_STORAGE_DEFAULT: "eu" },
			/^REELMILL_STORAGE_DEFAULT is eu, which is no location of REELMILL_STORAGE_LOCATIONS; that names no location\.$/,
		],
		[
			"a missing ffmpeg",
			{ REELMILL_FFMPEG: "no-such-ffmpeg" },
			/^The program no-such-ffmpeg can't be found or run\. .*apt-get install ffmpeg/,
		],
		[
			"a missing Whisper model",
			{ REELMILL_WHISPER_MODEL: "/nowhere/ggml.bin" },
			/^The Whisper model \/nowhere\/ggml\.bin can't be read \(ENOENT\)\. REELMILL_WHISPER_MODEL/,
		],
		[
			"a missing transcriber",
			{ REELMILL_TRANSCRIBER: "nothing-here" },
			/^The program nothing-here can't be found or run\. REELMILL_TRANSCRIBER/,
		],
		[
			"an address that this machine doesn't have",
			{ REELMILL_HOST: "203.0.113.1" },
			/^This machine has no address 203\.0\.113\.1; set REELMILL_HOST/,
		],
	];
	for (const [what, environment, sentence] of refusals) {
		it(`says what to do about ${what}, ends with 1 and makes nothing`, async () => {
			const { code, err, out } = await start(environment).ended();
			expect(err.trim()).toMatch(sentence);
			expect(err.trim().split("\n")).toHaveLength(1);
			expect([code, out, await made()]).toEqual([1, "", []]);
		});
	}

	it("says what is missing of ffmpeg's confinement where all of it is required", async () => {
		const ffprobe = join(directory, "ffprobe");
		await writeFile(ffprobe, '#!/bin/sh\n[ -e /etc/passwd ] || exit 1\nexec ffprobe "$@"\n', { mode: 0o755 });
		const { code, err } = await start({ REELMILL_FFPROBE: ffprobe, REELMILL_CONFINEMENT: "required" }).ended();
		expect({ code, err }).toEqual({
			code: 1,
			err: expect.stringContaining(
				"REELMILL_CONFINEMENT: ffmpeg can't be confined here: it sees more files than its own",
			),
		});
	});

	it("names the port that another program has, and makes nothing", async () => {
		const other = createServer().listen(0, "127.0.0.1");
		await once(other, "listening");
		const { port } = other.address() as { port: number };
		const { code, err } = await start({ REELMILL_PORT: String(port) }).ended();
		other.close();
		expect([code, await made()]).toEqual([1, []]);
		expect(err).toBe(
			`Port ${port} on 127.0.0.1 is taken by another program; stop it, or set REELMILL_PORT to a free port.\n`,
		);
	});

	it("names a data directory that can't be written", async () => {
		await writeFile(join(directory, "file"), "");
		const { code, err } = await start({ REELMILL_DATA_DIR: join(directory, "file", "data") }).ended();
		expect(code).toBe(1);
		expect(err).toMatch(
			/^The data directory \S+file\/data can't be written \(ENOTDIR\); set REELMILL_DATA_DIR to one that can, or mend its permissions\.\n$/,
		);
	});

	it("names a database that can't be reached, without its password", async () => {
		const { code, err } = await start({ REELMILL_DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/x" }).ended();
		expect(code).toBe(1);
		expect(err).toMatch(
			/^The database at postgres:\/\/127\.0\.0\.1:1\/x can't be reached \(.*\); check REELMILL_DATABASE_URL and that the server runs\.\n$/,
		);
		expect(err).not.toContain("hunter2");
	});

	it("names an option that it doesn't know, and --help lists every setting", async () => {
		expect(await start({}, "--prot").ended()).toMatchObject({
			code: 1,
			err: "--prot is not an option of this program; --help lists its settings.\n",
		});
		const { code, out } = await start({}, "--help").ended();
		expect(code).toBe(0);
		for (const name of [
			"PORT (8787)",
			"DATA_DIR (./.reelmill)",
			"DATABASE_URL",
			"MASTER_KEY",
			"WEBHOOK_SCHEDULE_SECONDS (0,30,120,600,3600,21600)",
		])
			expect(out).toContain(`REELMILL_${name}`);
	});
});

describe("a start", () => {
	it("with nothing set makes a database and private keys of its own, and finds them again the next time", async () => {
		const first = await start({}).ready();
		expect(await (await fetch(`${first.url}/v1/health`)).json()).toEqual({ status: "ok", version: expect.any(String) });
		const domain = async ({ url, key }: { url: string; key: string }) =>
			(await fetch(`${url}/v1/domain`, { headers: { authorization: `Bearer ${key}` } })).json();
		const before = await domain(first);
		expect(before).toMatchObject({ slug: "default" });
		for (const name of ["master.key", "tenant.key"])
			expect((await stat(join(directory, "data", name))).mode & 0o777).toBe(0o600);
		first.child.kill("SIGTERM");
		expect(await once(first.child, "exit")).toEqual([0, null]);

		const second = await start({}).ready();
		expect(second.key).toBe(first.key);
		// Shown once: terminals and logs of later starts tell where it lies.
		expect(first.out().split(first.key)).toHaveLength(2);
		expect(second.out()).not.toContain(first.key);
		for (const { out } of [first, second]) expect(out()).toContain(join(directory, "data", "tenant.key"));
		expect([first.err(), second.err()]).toEqual(["", ""]);
		expect(await domain(second)).toEqual(before);
	});

	it("says in the log what is rarely meant: keys over plain http, headers of a proxy that isn't trusted", async () => {
		const { url: databaseUrl, close } = await openTestDatabase({ serverUrl });
		onTestFinished(close);
		const shell = {
			REELMILL_API_KEY: "ek_of_the_shell",
			REELMILL_URL: "https://video.example",
			REELMILL_STORAGE_SECRET: "x",
			REELMILL_ADMIN_KEY: operatorsKey,
			REELMILL_DATABASE_URL: databaseUrl,
		};
		const { url, key, child, err } = await start({
			REELMILL_EMBEDDED_WORKERS: "0",
			REELMILL_HOST: "0.0.0.0",
			REELMILL_OPS_PORT: "0",
			...shell,
		}).ready();
		for (const client of ["198.51.100.1", "198.51.100.2"])
			await fetch(`${url}/v1/domain`, { headers: { authorization: `Bearer ${key}`, "x-forwarded-for": client } });
		child.kill("SIGTERM");
		expect(await once(child, "exit")).toEqual([0, null]);
		const said = (text: string) =>
			text
				.split("\n")
				.filter((line) => line !== "")
				.map((line) => JSON.parse(line) as { msg: string; peer?: string });
		expect(said(err())).toEqual([
			expect.objectContaining({
				msg: expect.stringMatching(/^REELMILL_URL is the command line's setting .* REELMILL_BASE_URL\.$/),
			}),
			expect.objectContaining({ msg: expect.stringContaining("X-Forwarded-For is ignored"), peer: "127.0.0.1" }),
		]);
		const plain = await start({
			REELMILL_EMBEDDED_WORKERS: "0",
			REELMILL_BASE_URL: "http://video.example",
			REELMILL_DATABASE_URL: databaseUrl,
		}).ready();
		plain.child.kill("SIGTERM");
		await once(plain.child, "exit");
		expect(said(plain.err())).toEqual([
			expect.objectContaining({ msg: expect.stringContaining("http://video.example is plain http") }),
		]);
	});

	it("opens the operations port on the loopback alone by default, wherever the others listen", async () => {
		const { url: databaseUrl, close } = await openTestDatabase({ serverUrl });
		onTestFinished(close);
		const port = async (settings: Record<string, string>) => {
			const { out, child } = await start({
				REELMILL_EMBEDDED_WORKERS: "0",
				REELMILL_HOST: "0.0.0.0",
				REELMILL_OPS_PORT: "0",
				REELMILL_DATABASE_URL: databaseUrl,
				...settings,
			}).ready();
			const number = Number(/Operations +port (\d+)/.exec(out())?.[1]);
			const answers = (address: string) =>
				fetch(`http://${address}:${number}/ready`).then(
					({ status }) => status,
					() => null,
				);
			const found = [await answers("127.0.0.1"), await answers("127.0.0.2")];
			child.kill("SIGTERM");
			await once(child, "exit");
			return found;
		};
		expect(await port({})).toEqual([200, null]);
		expect(await port({ REELMILL_OPS_HOST: "127.0.0.2" })).toEqual([null, 200]);
	});

	it("ends in order when one Ctrl-C arrives twice, and leaves no database running", async () => {
		const { child } = await start({ REELMILL_EMBEDDED_WORKERS: "0" }).ready();
		for (const signal of ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"] as const) child.kill(signal);
		expect(await once(child, "exit")).toEqual([0, null]);
		expect(await readdir(join(directory, "data", "postgres", "data"))).not.toContain("postmaster.pid");
	});

	it("stopped while it is still starting leaves no database running", async () => {
		const { child } = start({ REELMILL_EMBEDDED_WORKERS: "0" }).begun();
		const postgres = join(directory, "data", "postgres", "data");
		await expect
			.poll(async () => (await readdir(postgres).catch((): string[] => [])).includes("postmaster.pid"), {
				interval: 10,
			})
			.toBe(true);
		child.kill("SIGTERM");
		expect(await once(child, "exit")).toEqual([0, null]);
		expect(await readdir(postgres)).not.toContain("postmaster.pid");
	});

	it("with REELMILL_DATABASE_URL starts no embedded database, and opens the admin plane to its key", async () => {
		const { url, close } = await openTestDatabase({
			serverUrl,
			template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
		});
		try {
			const started = await start({
				REELMILL_DATABASE_URL: url,
				REELMILL_EMBEDDED_WORKERS: "0",
				REELMILL_ADMIN_KEY: operatorsKey,
			}).ready();
			const { child, key } = started;
			const stats = async (sent: string) =>
				(await fetch(`${started.url}/admin/v1/stats`, { headers: { authorization: `Bearer ${sent}` } })).status;
			expect([await stats(operatorsKey), await stats(`${operatorsKey}x`)]).toEqual([200, 401]);
			expect((await readFile(join(directory, "data", "tenant.key"), "utf8")).trim()).toBe(key);
			expect(await readdir(join(directory, "data"))).not.toContain("postgres");
			child.kill("SIGTERM");
			await once(child, "exit");
		} finally {
			await close();
		}
	});
});
