import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { createReelmillServer, type ReelmillServerOptions, SettingsError, StartError } from "@reelmill/server";
import { afterEach, beforeEach, expect, expectTypeOf, it } from "vitest";

let directory: string;
let database: TestDatabase;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-create-server-"));
	database = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
});
afterEach(async () => {
	await database.close();
	await rm(directory, { recursive: true, force: true });
});

const options = (): ReelmillServerOptions => ({
	dataDir: join(directory, "data"),
	databaseUrl: database.url,
	port: 0,
	embeddedWorkers: 0,
	logger: createRecordingLogger(),
});
const status = (baseUrl: string) => fetch(`${baseUrl}/v1/health`).then(({ status }) => status);

it("opens nothing before its start, serves, and leaves nothing after its stop", async () => {
	const server = createReelmillServer(options());
	expect(await readdir(directory)).toEqual([]);
	const { baseUrl, tenant } = await server.start();
	expect(await status(baseUrl)).toBe(200);
	expect(tenant.keyFile).toBe(join(directory, "data", "tenant.key"));
	await server.stop();
	await expect(status(baseUrl)).rejects.toThrow("fetch failed");
});

it("starts once however often it is asked, and again after a stop", async () => {
	const server = createReelmillServer(options());
	const [first, second] = await Promise.all([server.start(), server.start()]);
	expect(second.baseUrl).toBe(first.baseUrl);
	await server.stop();
	await server.stop();
	expect(await status((await server.start()).baseUrl)).toBe(200);
	await server.stop();
});

it("stops a server that is still starting once its start has ended", async () => {
	const server = createReelmillServer(options());
	const starting = server.start();
	await server.stop();
	await expect(status((await starting).baseUrl)).rejects.toThrow("fetch failed");
});

it("reports a start that can't go on, and tries again when it is asked again", async () => {
	const server = createReelmillServer({ ...options(), host: "203.0.113.1" });
	for (const _ of ["first", "second"])
		await expect(server.start()).rejects.toThrow(/no address 203\.0\.113\.1; set REELMILL_HOST/);
	await expect(server.start()).rejects.toBeInstanceOf(StartError);
	await server.stop();
});

it("checks options as it checks settings", () => {
	const refused = (wrong: object) => () => createReelmillServer({ ...options(), ...wrong });
	expect(refused({ port: 70_000 })).toThrow("REELMILL_PORT must be at most 65535");
	expect(refused({ masterKey: new Uint8Array(31) })).toThrow("REELMILL_MASTER_KEY must be at least 32 bytes");
	expect(refused({ dataDirectory: "x" })).toThrow("REELMILL_DATA_DIRECTORY is not a setting of this program");
	expect(refused({ dataDirectory: "x" })).toThrow(SettingsError);
	expect(refused({ processes: 2 })).toThrow("REELMILL_PROCESSES is a setting of the command reelmill-server");
});

it("reads no setting from the environment", async () => {
	process.env.REELMILL_PORT = "not a port";
	try {
		expect(() => createReelmillServer(options())).not.toThrow();
	} finally {
		delete process.env.REELMILL_PORT;
	}
});

it("takes each setting by its name in camel case, in its own type", () => {
	expectTypeOf<ReelmillServerOptions["dataDir"]>().toEqualTypeOf<string | undefined>();
	expectTypeOf<ReelmillServerOptions["drainSeconds"]>().toEqualTypeOf<number | undefined>();
	expectTypeOf<ReelmillServerOptions["trustedProxies"]>().toEqualTypeOf<string[] | undefined>();
	expectTypeOf<ReelmillServerOptions["console"]>().toEqualTypeOf<"on" | "off" | undefined>();
	expectTypeOf<ReelmillServerOptions["masterKey"]>().toEqualTypeOf<Uint8Array | string | undefined>();
});
