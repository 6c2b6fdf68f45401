import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startServer } from "../support/starting-server.ts";

let directory: string;
let started: ReturnType<typeof startServer> | undefined;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-starts-"));
});
afterEach(async () => {
	await started?.end("SIGTERM");
	await rm(directory, { recursive: true, force: true });
});

const start = (settings: Record<string, string>) => {
	started = startServer({ REELMILL_DATA_DIR: join(directory, "data"), REELMILL_PROCESSES: "2", ...settings });
	return started;
};

it("brings one database, one key and one embedded worker for all processes, and the same ones the next time", async () => {
	const first = start({ REELMILL_CONSOLE: "off", REELMILL_OPS_PORT: "0", REELMILL_EMBEDDED_WORKERS: "1" });
	const { text } = await first.said;
	const metrics = `http://127.0.0.1:${/Operations +port (\d+)/.exec(text)?.[1]}/metrics`;
	await expect
		.poll(async () => (await (await fetch(metrics)).text()).match(/^reelmill_worker_claims\{.*$/gm))
		.toEqual(['reelmill_worker_claims{process="1"} 1']);
	const key = /ek_\w+/.exec(text)?.[0];
	expect(text.match(/ek_\w+/g)).toHaveLength(1);
	const url = /http:\S+(?=\/v1\/health)/.exec(text)?.[0];
	const look = (address: string | undefined) =>
		fetch(`${address}/v1/domain`, { headers: { authorization: `Bearer ${key}`, connection: "close" } });
	for (let times = 0; times < 6; times++) expect((await look(url)).status).toBe(200);
	first.child.kill("SIGTERM");
	expect(await once(first.child, "exit")).toEqual([0, null]);
	const again = await start({ REELMILL_CONSOLE: "off", REELMILL_PROCESSES: "auto" }).said;
	expect(again.text).not.toContain("ek_");
	expect((await look(/http:\S+(?=\/v1\/health)/.exec(again.text)?.[0])).status).toBe(200);
});

it.each([
	[
		"a setting that is wrong",
		{ REELMILL_STORAGE_DEFAULT: "eu" },
		/^REELMILL_STORAGE_DEFAULT is eu, which is no location .*\n$/,
	],
	[
		"a number of processes that is none",
		{ REELMILL_PROCESSES: "65" },
		/^REELMILL_PROCESSES must be auto or a whole number from 1 to 64\.\n$/,
	],
	[
		"an address that is not here",
		{ REELMILL_HOST: "203.0.113.1" },
		/^This machine has no address 203\.0\.113\.1; .*\n$/,
	],
	["a network that is none", { REELMILL_OPS_PORT: "0", REELMILL_WORKER_CIDRS: "ten" }, /^REELMILL_WORKER_CIDRS: .*\n$/],
])("refuses %s in one sentence, and makes nothing", async (_, settings, sentence) => {
	const { text, code } = await start(settings as Record<string, string>).said;
	expect({ text, code }).toEqual({ text: expect.stringMatching(sentence), code: 1 });
	expect(await readdir(directory)).toEqual([]);
});

it("names the port that another program has", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	await once(other, "listening");
	const { port } = other.address() as { port: number };
	const { text, code } = await start({ REELMILL_PORT: String(port) }).said;
	other.close();
	expect({ text, code }).toEqual({
		text: `Port ${port} on 127.0.0.1 is taken by another program; stop it, or set REELMILL_PORT to a free port.\n`,
		code: 1,
	});
	expect(await readdir(directory)).toEqual([]);
});

it("names a database that can't be reached", async () => {
	const { text, code } = await start({ REELMILL_DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/x" }).said;
	expect({ text, code }).toEqual({
		text: expect.stringMatching(/^The database at postgres:\/\/127\.0\.0\.1:1\/x can't be reached .*\n$/),
		code: 1,
	});
});
