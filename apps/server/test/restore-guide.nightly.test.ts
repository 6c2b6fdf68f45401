import { execFile, spawn } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Clip, Difference, Import, PlaybackKey, Video } from "@reelmill/contracts";
import { createPostgresDatabase } from "@reelmill/postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inProcess } from "../../../packages/cli/test/support/reelmill.ts";
import { finishWith } from "../../../packages/engine/test/support/whole-outputs.ts";
import { readCommands } from "../../../scripts/documents/commands.ts";
import { findPostgresqlFolder } from "../../../scripts/setup/postgresql.mjs";
import {
	runSystemPostgres,
	type SystemPostgres,
	startSystemPostgres,
	unprivileged,
} from "../../../scripts/test/system-postgres.ts";
import { withDirectEngine } from "./support/direct-engine.ts";
import { type RunningProcess, runServer } from "./support/running-server.ts";

const adminKey = "the-admin-key-of-the-restored-installation";
const guides = ["backup", "restore"].map((name) => `docs/guides/${name}.md`);
const blocks = readCommands()
	.filter(({ file, reason }) => guides.includes(file) && reason === undefined)
	.map(({ text }) => text);
const ran = new Set<string>();
/** The guides' block of commands that holds these words. */
function block(words: string): string {
	const found = blocks.filter((text) => text.includes(words));
	if (found.length !== 1) throw new Error(`${found.length} blocks of the guides hold ${words}`);
	ran.add(found[0] as string);
	return found[0] as string;
}

let directory: string;
let postgres: SystemPostgres;
let server: RunningProcess | undefined;
let environment: Record<string, string>;
const at = (name: string) => join(directory, name);
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-restore-"));
	await chmod(directory, 0o755);
	postgres = await startSystemPostgres();
	await mkdir(at("backup"));
	environment = {
		PATH: `${findPostgresqlFolder()}:${process.env.PATH}`,
		MAINTENANCE_URL: postgres.url,
		REELMILL_DATABASE_URL: postgres.url.replace(/\/\/.*@/, "//owner:password@").replace(/postgres$/, "reelmill"),
		REELMILL_DATA_DIR: at("data"),
		REELMILL_ADMIN_KEY: adminKey,
		BACKUP: at("backup"),
		KEYS: at("keys"),
		PGDATA: at("pgdata"),
	};
});
afterAll(async () => {
	await stop();
	await postgres.stop();
	await rm(directory, { recursive: true, force: true });
});

const run = (commands: string) => promisify(execFile)("sh", ["-e", "-c", commands], { env: environment });
/** Exit code and differences of a check as the guide writes it. */
async function check(words: string): Promise<{ code: number | null; found: string[] }> {
	const [, ...args] = block(words).trim().split(" ");
	const { code, stdout } = await inProcess(environment, ...args, "--json");
	const lines = stdout.split("\n").filter(Boolean);
	return {
		code,
		found: lines
			.map((line) => JSON.parse(line) as Difference)
			.map(({ kind, video_id, reference }) => `${kind} ${video_id ?? reference}`)
			.sort(),
	};
}
async function start(settings: Record<string, string> = {}): Promise<RunningProcess> {
	const { REELMILL_DATA_DIR: data = "", REELMILL_DATABASE_URL: url = "" } = environment;
	server = await runServer(data, url, { ADMIN_KEY: adminKey, CHECK_AGE_SECONDS: "1", SWEEP_SECONDS: "1", ...settings });
	environment["REELMILL_URL"] = server.url;
	return server;
}
const extractStorage = 'tar --extract --file="$BACKUP/storage.tar"';
/** As the guide starts the first server after a restore. */
const startAfterRestore = () =>
	start(
		Object.fromEntries(
			[...block("npx @reelmill/server").matchAll(/REELMILL_(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
		),
	);
async function stop(): Promise<void> {
	server?.child.kill("SIGTERM");
	await server?.ended;
	server = undefined;
}
const engine = <T>(work: Parameters<typeof withDirectEngine<T>>[2]) =>
	withDirectEngine(environment["REELMILL_DATA_DIR"] ?? "", environment["REELMILL_DATABASE_URL"] ?? "", work);
/** The superuser of this PostgreSQL has the name that the guide gives to the role of the server. */
const owned = (commands: string): string => commands.replace("--owner=reelmill", "--owner=owner");
const dropDatabase = () => run('psql --quiet --command="drop database reelmill" "$MAINTENANCE_URL"');
const forgetStorage = () =>
	Promise.all(["uploads", "outputs"].map((name) => rm(join(at("data"), name), { recursive: true, force: true })));

it("restores the database alone, storage alone and both, and the check mends the difference", async () => {
	// As the guide to a deployment makes it: a role that owns its database, and may create no other.
	await run(`psql --quiet --command="create role owner login password 'password'" "$MAINTENANCE_URL"`);
	await run(owned(block("createdb").split("\n")[0] ?? ""));
	await start({ IMPORT_ALLOW_CIDRS: "127.0.0.0/8" });
	const { kept, gone, encodedLater } = await engine(async ({ queued, finish }) => ({
		kept: await finish(await queued()),
		gone: await finish(await queued()),
		encodedLater: await queued(),
	}));
	const whole = await edit(kept);
	const before = await whole();
	for (const words of [
		"pg_dump",
		'tar --create --file="$BACKUP/storage.tar"',
		'install -D -m 600 "$REELMILL_DATA_DIR/master.key"',
	])
		await run(block(words));
	await saveNightly();
	const removed = await fetch(`${server?.url}/v1/videos/${gone}`, { method: "DELETE", headers: server?.auth ?? {} });
	expect(removed.status).toBe(204);
	// A file of this edit stays behind.
	await put(`/v1/videos/${kept}/captions/de`, "text/vtt", caption("Servus"));
	const later = await engine(async ({ queued, finish }) => {
		await finish(encodedLater);
		return finish(await queued());
	});
	await stop();

	// The database goes back to before storage.
	await dropDatabase();
	await run(owned(block("pg_restore")));
	const { url, auth } = await startAfterRestore();
	await expect
		.poll(() => check("reelmill check\n"))
		.toEqual({
			code: 1,
			found: [
				`outputs_adoptable ${encodedLater}`,
				`outputs_adoptable ${later}`,
				`outputs_unused ${kept}`,
				`source_missing ${encodedLater}`,
				`video_unplayable ${gone}`,
			].sort(),
		});
	const mended = [`outputs_adoptable ${encodedLater}`, `outputs_adoptable ${later}`, `video_unplayable ${gone}`];
	const unused = `outputs_unused ${kept}`;
	expect(await check("reelmill check --repair --adopt")).toEqual({ code: 1, found: [...mended, unused].sort() });
	expect(await check("reelmill check --remove-orphans")).toEqual({ code: 0, found: [unused] });
	expect(await whole()).toEqual(before);
	expect(await check("reelmill check\n")).toEqual({ code: 0, found: [] });
	const get = async <T>(path: string, init: RequestInit = {}) =>
		(await (await fetch(`${url}${path}`, { headers: auth, ...init })).json()) as T;
	for (const id of [kept, encodedLater, later])
		expect(await get<Video>(`/v1/videos/${id}`)).toMatchObject({ state: "available", visibility: "private" });
	expect(await get<Video>(`/v1/videos/${gone}`)).toMatchObject({ state: "failed", failure_reason: "storage_error" });
	const json = {
		method: "POST",
		headers: { ...auth, "content-type": "application/json" },
		body: JSON.stringify({ viewer_ref: "v" }),
	};
	const { playback_key } = await get<PlaybackKey>("/v1/playback-keys", json);
	const played = await fetch(`${url}/videos/${later}/web.mp4`, {
		headers: { authorization: `Bearer ${playback_key}` },
	});
	expect(await played.text()).toBe("the whole video");
	await stop();

	// Storage goes back to before the database: what was deleted comes back, what was encoded since is lost.
	await forgetStorage();
	await run(block(extractStorage));
	await startAfterRestore();
	const lost = [`video_unplayable ${encodedLater}`, `video_unplayable ${later}`];
	await expect
		.poll(() => check("reelmill check\n"))
		.toEqual({ code: 1, found: [`upload_unused ${encodedLater}`, ...lost].sort() });
	const repaired = await check("reelmill check --repair --adopt");
	expect(repaired).toEqual({ code: 0, found: [`outputs_adoptable ${gone}`, ...lost].sort() });
	// Once the row has been left alone for long enough.
	await expect.poll(() => check("reelmill check\n")).toEqual({ code: 1, found: [`upload_unused ${encodedLater}`] });
	expect(await check("reelmill check --remove-orphans")).toEqual({ code: 0, found: [`upload_unused ${encodedLater}`] });
	expect(await check("reelmill check\n")).toEqual({ code: 0, found: [] });
	await stop();

	// Both, of one nightly backup, on a new disk.
	await dropDatabase();
	await rm(at("data"), { recursive: true });
	environment = { ...environment, BACKUP: environment["DAY"] ?? "" };
	for (const words of ["pg_restore", "rsync", 'install -m 600 "$KEYS/master.key"']) await run(owned(block(words)));
	const restored = await startAfterRestore();
	expect(await check("reelmill check\n")).toEqual({ code: 0, found: [] });
	expect(await inProcess(environment, "check", "--deep", "--json")).toMatchObject({ code: 0, stdout: "" });
	expect(await whole()).toEqual(before);
	const source = await fetch(`${restored.url}/v1/videos/${encodedLater}`, { headers: restored.auth });
	expect(await source.json()).toMatchObject({ state: "queued" });
	await stop();

	// The whole directory, as with the embedded database.
	const files = async () => (await readdir(at("data"), { recursive: true })).sort();
	const all = await files();
	expect(all).toContain("master.key");
	await run(block('tar --create --file="$BACKUP/everything.tar"'));
	await rm(at("data"), { recursive: true });
	await run(block('tar --extract --file="$BACKUP/everything.tar"'));
	expect(await files()).toEqual(all);
});

const caption = (text: string) => `WEBVTT\n\n00:00.000 --> 00:01.000\n${text}\n`;
async function request<T>(method: string, path: string, type?: string, body?: string): Promise<T> {
	const headers = { ...server?.auth, ...(type !== undefined && { "content-type": type }) };
	const answer = await fetch(`${server?.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
	expect(answer.ok, `${method} ${path}`).toBe(true);
	return (await answer.json()) as T;
}
const put = (path: string, type: string, body: string) => request("PUT", path, type, body);
const post = <T>(path: string, body: object) => request<T>("POST", path, "application/json", JSON.stringify(body));

/**
 * Edits a video in every way, cuts a clip of it, and imports another. Returns a function that reads all that is shown of
 * them, and their files.
 */
async function edit(id: string): Promise<() => Promise<readonly string[]>> {
	const json = (path: string, body: object) =>
		put(`/v1/videos/${id}/${path}`, "application/json", JSON.stringify(body));
	await put(`/v1/videos/${id}/captions/de`, "text/vtt", caption("Hallo"));
	await json("chapters", { chapters: [{ start_seconds: 0, title: "Beginning" }] });
	await json("metadata", { title: "The mill", values: { course: "biology-7" } });
	await json("poster", { at_seconds: 1, preview: true });
	const { video: clip } = await post<Clip>(`/v1/videos/${id}/clips`, { start_seconds: 1, end_seconds: 3 });
	const origin = createServer((_, response) => response.setHeader("content-type", "video/mp4").end("0123456789"));
	await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/film.mp4`;
	const made = await post<Import>("/v1/imports", { url, title: "A film", external_ref: "film-1" });
	const look = () => request<Import>("GET", `/v1/imports/${made.id}`);
	await expect.poll(async () => (await look()).status).toBe("done");
	await new Promise((resolve) => origin.close(resolve));
	const imported = (await look()).video_id ?? "";
	await engine(async ({ engine: { jobs }, engine: direct, finish }) => {
		const worker = { accountId: id, name: "test" };
		const poster = await jobs.claim(worker, { worker: "test", wait_seconds: 0, takes_posters: true });
		const pictures = { "poster.jpg": "poster", "og.jpg": "picture", "preview.webp": "preview" };
		if (poster !== null) await finishWith(direct, poster, pictures);
		await finishWith(direct, await jobs.claimById(worker, clip.id, { worker: "test", takes_clips: true }));
		await finish(imported);
	});
	const shown = ["", "/captions", "/chapters", "/metadata", "/poster", "/clips"].map(
		(path) => `/v1/videos/${id}${path}`,
	);
	const ofOthers = [`/v1/videos/${clip.id}`, `/v1/videos/${imported}/metadata`, "/v1/imports"];
	return async () => {
		const texts: string[] = [];
		for (const path of [...shown, ...ofOthers])
			texts.push(JSON.stringify(await request("GET", path)).replaceAll(/https?:\/\/[^/"]+\/v/g, "/v"));
		const { playback_key: key } = await post<PlaybackKey>("/v1/playback-keys", { viewer_ref: "v" });
		const paths = texts.flatMap((text) => [...text.matchAll(/"(\/videos\/[^"]+)"/g)].map(([, path]) => path));
		expect(paths.length).toBeGreaterThan(6);
		for (const path of new Set(paths)) {
			const played = await fetch(`${server?.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
			texts.push(`${path} ${played.status} ${await played.text()}`);
			expect(played.status, path).toBe(200);
		}
		return texts;
	};
}

it("brings back the database from a base backup and its log, up to the last change", async () => {
	environment = { ...environment, BACKUP: at("backup"), REELMILL_DATABASE_URL: postgres.url };
	await rm(at("backup"), { recursive: true });
	await mkdir(at("backup"));
	const database = createPostgresDatabase({ url: postgres.url });
	const query = (text: string) => database.query<{ n: number; done: boolean }>({ text, values: [] });
	const receivers = async () =>
		(await query("select count(*)::integer as n from pg_stat_replication where state = 'streaming'"))[0]?.n;
	const receiver = spawn("sh", ["-e", "-c", block("pg_receivewal")], {
		env: environment,
		detached: true,
		stdio: ["ignore", "inherit", "inherit"],
	});
	try {
		await expect.poll(receivers).toBe(1);
		await query("create table changes as select 1 as n");
		await run(block("pg_basebackup"));
		await query("insert into changes values (2), (3)");
		const isReceived =
			"select bool_and(flush_lsn >= (select pg_current_wal_insert_lsn())) as done from pg_stat_replication";
		await expect.poll(async () => (await query(isReceived))[0]?.done).toBe(true);
	} finally {
		process.kill(-(receiver.pid as number), "SIGTERM");
		// It closes its file before its connection.
		await expect.poll(receivers).toBe(0);
		await database.close();
	}
	await cp(at("backup/base"), at("pgdata"), { recursive: true });
	await run(block("recovery.signal"));
	for (const name of ["pgdata", "backup"]) await give(at(name));
	await chmod(at("pgdata"), 0o700);
	const restored = await runSystemPostgres(at("pgdata"));
	const copy = createPostgresDatabase({ url: restored.url });
	try {
		expect(await copy.query({ text: "select n from changes order by n", values: [] })).toEqual([
			{ n: 1 },
			{ n: 2 },
			{ n: 3 },
		]);
	} finally {
		await copy.close();
		await restored.stop();
	}
});

/** What the timer runs each night: one day after another, so that the second has the first one's files. */
async function saveNightly(): Promise<void> {
	const program = fileURLToPath(new URL("../deploy/reelmill-backup", import.meta.url));
	const [nightly, before] = [at("nightly"), at("nightly/2001-02-03")];
	await mkdir(nightly);
	const save = () => promisify(execFile)(program, { env: { ...environment, BACKUP: nightly } });
	const daysKept = () => readdir(nightly);
	await save();
	await rename(join(nightly, (await daysKept())[0] ?? ""), before);
	await utimes(before, new Date(), new Date());
	await save();
	const [old, today = "", ...more] = await daysKept();
	expect([old, more]).toEqual(["2001-02-03", []]);
	const contents = await readdir(join(nightly, today));
	expect(contents.sort()).toEqual(["outputs", "reelmill.dump", "storage.id", "uploads"]);
	const [file] = (await readdir(join(before, "outputs"), { recursive: true, withFileTypes: true })).filter((entry) =>
		entry.isFile(),
	);
	const path = join(file?.parentPath ?? "", file?.name ?? "");
	const inodes = [path, path.replace("2001-02-03", today)].map(async (each) => (await stat(each)).ino);
	expect(new Set(await Promise.all(inodes)).size).toBe(1);
	environment = { ...environment, DAY: join(nightly, today) };
	await utimes(before, new Date(0), new Date(0));
	await save();
	expect(await daysKept()).not.toContain(old);
	// A disk that isn't mounted isn't a storage without files.
	environment = { ...environment, REELMILL_DATA_DIR: nightly };
	await expect(save()).rejects.toThrow("holds no storage");
	environment = { ...environment, REELMILL_DATA_DIR: at("data") };
}

it("ran every block of commands that the guides have", () => {
	expect(blocks.filter((text) => !ran.has(text))).toEqual([]);
});

/** PostgreSQL's programs ran as this test's user, and its server runs as another. */
async function give(path: string): Promise<void> {
	if (unprivileged.uid === undefined) return;
	const names = await readdir(path, { recursive: true });
	for (const name of ["", ...names]) await chown(join(path, name), unprivileged.uid, unprivileged.gid);
}
