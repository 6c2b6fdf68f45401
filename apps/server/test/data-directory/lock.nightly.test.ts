import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startServer } from "../support/starting-server.ts";

/** As in a container of its own, over the same files. macOS has none of that. */
const elsewhere =
	process.platform === "linux"
		? [
				"bwrap",
				"--die-with-parent",
				"--unshare-pid",
				"--unshare-ipc",
				"--unshare-net",
				"--dev-bind",
				"/",
				"/",
				"--proc",
				"/proc",
			]
		: [];
const cleanUp: (() => unknown)[] = [];
let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-directory-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
});
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

function start(environment: Record<string, string> = {}, inside: readonly string[] = []) {
	const server = startServer({ REELMILL_DATA_DIR: directory, ...environment }, inside);
	cleanUp.push(() => server.end("SIGTERM"));
	return server;
}

it("belongs to one server with an embedded database, even across containers, until that server is killed", async () => {
	const first = start();
	expect((await first.said).text).toContain("Reelmill is ready.");
	const others = await Promise.all([start({}, elsewhere).said, start().said]);
	for (const second of others) {
		expect(second).toMatchObject({
			code: 1,
			text:
				`The data directory ${directory} is in use by a server with an embedded database ` +
				`(process ${first.child.pid} on ${hostname()}): stop it, or set REELMILL_DATA_DIR to another directory.\n`,
		});
	}
	await first.end("SIGKILL");
	expect((await start({}, elsewhere).said).text).toContain("Reelmill is ready.");
});

it("is shared by servers over one database, and by no embedded one beside them", async () => {
	const { url, close } = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(close);
	const shared = start({ REELMILL_DATABASE_URL: url });
	expect((await shared.said).text).toContain("Reelmill is ready.");
	expect(await start().said).toMatchObject({
		code: 1,
		text: expect.stringContaining("is in use by servers with a REELMILL_DATABASE_URL: set that here as well"),
	});
	await shared.end("SIGTERM");

	const embedded = start();
	expect((await embedded.said).text).toContain("Reelmill is ready.");
	expect(await start({ REELMILL_DATABASE_URL: url }).said).toMatchObject({
		code: 1,
		text: expect.stringMatching(
			/is in use by a server with an embedded database \(process \d+ on .*\): give both the same REELMILL_DATABASE_URL, or set/,
		),
	});
});
