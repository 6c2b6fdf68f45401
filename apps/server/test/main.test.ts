import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { cautionsOf } from "../src/start/cautions.ts";
import { type OpenServer, openServer, refusalOf } from "./support/open-server.ts";
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
	const refusals: [what: string, settings: Record<string, string>, sentence: RegExp][] = [
		["a setting of the wrong form", { PORT: "eighty" }, /^REELMILL_PORT must be a whole number\.$/],
		["a setting out of range", { LOCK_SECONDS: "0" }, /^REELMILL_LOCK_SECONDS must be at least 1\.$/],
		[
			"an admin key that can be guessed",
			{ ADMIN_KEY: "a".repeat(31) },
			/^REELMILL_ADMIN_KEY must have at least 32 characters: make one with openssl rand -hex 32\.$/,
		],
		[
			"a previous master key that is none",
			{ MASTER_KEY_PREVIOUS: "short" },
			/^REELMILL_MASTER_KEY_PREVIOUS must be at least 32 bytes, in hexadecimal or base64\.$/,
		],
		[
			"an address for operations that this machine doesn't have",
			{ OPS_PORT: "0", OPS_HOST: "203.0.113.1" },
			/set REELMILL_OPS_HOST to one/,
		],
		["a misspelt setting", { PROT: "1" }, /^REELMILL_PROT is not a setting of this program; --help lists them all\.$/],
		[
			"an entry that is no CIDR",
			{ WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8,nonsense" },
			/^REELMILL_WEBHOOK_ALLOW_CIDRS: .*nonsense/,
		],
		[
			"a worker's network that is no CIDR",
			{ WORKER_CIDRS: "10.0.0.0/8, fd00::/129" },
			/^REELMILL_WORKER_CIDRS: .*"fd00::\/129"$/,
		],
		[
			"a proxy that is no CIDR",
			{ TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0.0/33" },
			/^REELMILL_TRUSTED_PROXIES: .*"10\.0\.0\.0\/33"$/,
		],
		["a storage address that is no CIDR", { STORAGE_ALLOW_CIDRS: "ten" }, /^REELMILL_STORAGE_ALLOW_CIDRS: .*ten/],
		[
			"locations that aren't there",
			{ STORAGE_LOCATIONS: "/nowhere/locations.json" },
			/^REELMILL_STORAGE_LOCATIONS: .*can't be read \(ENOENT\)\.$/,
		],
		[
			"a default location that there is not",
			{ STORAGE_DEFAULT: "eu" },
			/^REELMILL_STORAGE_DEFAULT is eu, which is no location of REELMILL_STORAGE_LOCATIONS; that names no location\.$/,
		],
		[
			"a missing ffmpeg",
			{ EMBEDDED_WORKERS: "1", FFMPEG: "no-such-ffmpeg" },
			/^The program no-such-ffmpeg can't be found or run\. .*apt-get install ffmpeg/,
		],
		[
			"a missing Whisper model",
			{ EMBEDDED_WORKERS: "1", WHISPER_MODEL: "/nowhere/ggml.bin" },
			/^The Whisper model \/nowhere\/ggml\.bin can't be read \(ENOENT\)\. REELMILL_WHISPER_MODEL/,
		],
		[
			"a missing transcriber",
			{ EMBEDDED_WORKERS: "1", TRANSCRIBER: "nothing-here" },
			/^The program nothing-here can't be found or run\. REELMILL_TRANSCRIBER/,
		],
		[
			"an address that this machine doesn't have",
			{ HOST: "203.0.113.1" },
			/^This machine has no address 203\.0\.113\.1; set REELMILL_HOST/,
		],
	];
	/** The directory lies beside nothing else, so that all that a start makes is seen. */
	const refused = (settings: Record<string, string>) =>
		refusalOf(join(directory, "data"), "postgres://127.0.0.1:1/x", settings);

	it.each(refusals)("says what to do about %s, and makes nothing", async (_, settings, sentence) => {
		expect(await refused(settings)).toMatch(sentence);
		expect(await made()).toEqual([]);
	});

	it("says what is missing of ffmpeg's confinement where all of it is required", async () => {
		const ffprobe = join(directory, "ffprobe");
		await writeFile(ffprobe, '#!/bin/sh\n[ -e /etc/passwd ] || exit 1\nexec ffprobe "$@"\n', { mode: 0o755 });
		expect(await refused({ EMBEDDED_WORKERS: "1", FFPROBE: ffprobe, CONFINEMENT: "required" })).toContain(
			"REELMILL_CONFINEMENT: ffmpeg can't be confined here: it sees more files than its own",
		);
	});

	it("names the port that another program has, and makes nothing", async () => {
		const other = createServer().listen(0, "127.0.0.1");
		await once(other, "listening");
		const { port } = other.address() as { port: number };
		const sentence = await refused({ PORT: String(port) });
		other.close();
		expect(sentence).toBe(
			`Port ${port} on 127.0.0.1 is taken by another program; stop it, or set REELMILL_PORT to a free port.`,
		);
		expect(await made()).toEqual([]);
	});

	it("names a data directory that can't be written", async () => {
		await writeFile(join(directory, "file"), "");
		expect(await refused({ DATA_DIR: join(directory, "file", "data") })).toMatch(
			/^The data directory \S+file\/data can't be written \(ENOTDIR\); set REELMILL_DATA_DIR to one that can, or mend its permissions\.$/,
		);
	});

	it("names a database that can't be reached, without its password", async () => {
		const sentence = await refused({ DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/x" });
		expect(sentence).toMatch(
			/^The database at postgres:\/\/127\.0\.0\.1:1\/x can't be reached \(.*\); check REELMILL_DATABASE_URL and that the server runs\.$/,
		);
		expect(sentence).not.toContain("hunter2");
	});
});

describe("the command", () => {
	it.each([
		["a setting that is wrong", { REELMILL_PORT: "eighty" }, "REELMILL_PORT must be a whole number.\n"],
		[
			"a start that can't go on",
			{ REELMILL_HOST: "203.0.113.1" },
			/^This machine has no address 203\.0\.113\.1; .*\n$/,
		],
	])("ends with 1 and one sentence at %s, and makes nothing", async (_, environment, sentence) => {
		const { code, err, out } = await start(environment).ended();
		expect(err).toMatch(sentence);
		expect([code, out, await made()]).toEqual([1, "", []]);
	});

	it("names the Node that it needs, under an older one", async () => {
		const older = `Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.4"}})`;
		const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
		expect(await start({ NODE_OPTIONS }).ended()).toEqual({
			code: 1,
			out: "",
			err: expect.stringMatching(/^Reelmill needs Node 22\.18 or newer; this is Node 20\.19\.4\./),
		});
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
			"WEBHOOK_SCHEDULE_SECONDS (0,30,300,3600,21600,86400)",
		])
			expect(out).toContain(`REELMILL_${name}`);
	});
});

describe("a start", () => {
	it("with nothing set makes a database and private keys of its own, finds them again, and leaves no database running", async () => {
		const postgres = join(directory, "data", "postgres", "data");
		const runsPostgres = async () => (await readdir(postgres).catch((): string[] => [])).includes("postmaster.pid");
		const first = await start({}).ready();
		expect(await (await fetch(`${first.url}/v1/health`)).json()).toEqual({ status: "ok", version: expect.any(String) });
		const domain = async ({ url, key }: { url: string; key: string }) =>
			(await fetch(`${url}/v1/domain`, { headers: { authorization: `Bearer ${key}` } })).json();
		const before = await domain(first);
		expect(before).toMatchObject({ slug: "default" });
		for (const name of ["master.key", "tenant.key"])
			expect((await stat(join(directory, "data", name))).mode & 0o777).toBe(0o600);
		expect(await runsPostgres()).toBe(true);
		first.child.kill("SIGTERM");
		expect(await once(first.child, "exit")).toEqual([0, null]);

		const second = await start({ REELMILL_EMBEDDED_WORKERS: "0" }).ready();
		expect(second.key).toBe(first.key);
		// Shown once: terminals and logs of later starts tell where it lies.
		expect(first.out().split(first.key)).toHaveLength(2);
		expect(second.out()).not.toContain(first.key);
		for (const { out } of [first, second]) expect(out()).toContain(join(directory, "data", "tenant.key"));
		const lines = (text: string) =>
			text
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line));
		const life = {
			version: expect.any(String),
			schema: expect.stringMatching(/^\d{4}-/),
			storage: join(directory, "data"),
		};
		expect(lines(first.err())).toMatchObject([
			{ msg: "server started", address: first.url, ...life },
			{ msg: "server stopped", address: first.url, ...life },
		]);
		await expect.poll(() => second.err()).toMatch(/\n$/);
		expect(lines(second.err())).toMatchObject([{ msg: "server started", address: second.url, ...life }]);
		expect(await domain(second)).toEqual(before);
		// One Ctrl-C arrives twice.
		for (const signal of ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"] as const) second.child.kill(signal);
		expect(await once(second.child, "exit")).toEqual([0, null]);
		expect(await runsPostgres()).toBe(false);

		const { child } = start({ REELMILL_EMBEDDED_WORKERS: "0" }).begun();
		await expect.poll(runsPostgres, { interval: 10 }).toBe(true);
		child.kill("SIGTERM");
		expect(await once(child, "exit")).toEqual([0, null]);
		expect(await runsPostgres()).toBe(false);
	});

	describe("on a database that is given", () => {
		let database: TestDatabase;
		let server: OpenServer | undefined;
		beforeEach(async () => {
			database = await openTestDatabase({ serverUrl, template: process.env.REELMILL_TEST_DATABASE_TEMPLATE });
		});
		afterEach(async () => {
			await server?.stop();
			server = undefined;
			await database.close();
		});
		const open = async (settings: Record<string, string> = {}) => {
			await server?.stop();
			server = await openServer(join(directory, "data"), database.url, settings);
			return server;
		};

		it("says in the log what is rarely meant: keys over plain http, headers of a proxy that isn't trusted", async () => {
			const shell = {
				REELMILL_API_KEY: "ek_of_the_shell",
				REELMILL_URL: "https://video.example",
				REELMILL_STORAGE_SECRET: "x",
			};
			expect(cautionsOf(readConfig(shell), "http://127.0.0.1:1")).toEqual([
				expect.stringMatching(/^REELMILL_URL is the command line's setting .* REELMILL_BASE_URL\.$/),
			]);
			const { url, auth, log } = await open({ HOST: "0.0.0.0" });
			for (const client of ["198.51.100.1", "198.51.100.2"])
				await fetch(`${url}/v1/domain`, { headers: { ...auth, "x-forwarded-for": client } });
			const said = (entries: OpenServer["log"]) => entries.filter(({ level }) => level === "warn" || level === "error");
			expect(said(log)).toEqual([
				expect.objectContaining({
					message: expect.stringContaining("X-Forwarded-For is ignored"),
					fields: expect.objectContaining({ peer: "127.0.0.1" }),
				}),
			]);
			const plain = await open({ BASE_URL: "http://video.example" });
			expect(said(plain.log)).toEqual([
				expect.objectContaining({ message: expect.stringContaining("http://video.example is plain http") }),
			]);
		});

		it("opens the operations port on the loopback alone by default, wherever the others listen", async () => {
			const found = async (settings: Record<string, string>) => {
				const { told } = await open({ HOST: "0.0.0.0", ...settings });
				const answers = (address: string) =>
					fetch(`http://${address}:${told.operationsPort}/ready`).then(
						({ status }) => status,
						() => null,
					);
				return [await answers("127.0.0.1"), await answers("127.0.0.2")];
			};
			expect(await found({})).toEqual([200, null]);
			expect(await found({ OPS_HOST: "127.0.0.2" })).toEqual([null, 200]);
		});

		it("starts no embedded database, and opens the admin plane to its key", async () => {
			const { url } = await open({ ADMIN_KEY: operatorsKey });
			const stats = async (sent: string) =>
				(await fetch(`${url}/admin/v1/stats`, { headers: { authorization: `Bearer ${sent}` } })).status;
			expect([await stats(operatorsKey), await stats(`${operatorsKey}x`)]).toEqual([200, 401]);
			expect(await readdir(join(directory, "data"))).not.toContain("postgres");
		});
	});
});
