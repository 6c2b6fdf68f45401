import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReelmillAdmin } from "@reelmill/node";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenServer, openServer } from "../support/open-server.ts";

const adminKey = "an-admin-key-of-at-least-32-characters";
const account = { name: "fleet", secret: "the-secret-of-the-fleet-in-32-characters" };
let directory: string;
let database: TestDatabase;
const running: OpenServer[] = [];
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-account-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
});
afterEach(async () => {
	for (const { stop } of running.splice(0)) await stop();
	await database.close();
	await rm(directory, { recursive: true, force: true });
});

async function start(secret = account.secret): Promise<OpenServer> {
	const settings = { ADMIN_KEY: adminKey, SERVICE_NAME: account.name, SERVICE_SECRET: secret };
	const server = await openServer(directory, database.url, settings);
	running.push(server);
	return server;
}
const statusOfToken = async ({ url }: OpenServer, given: object): Promise<number> => {
	const headers = { "content-type": "application/json" };
	const request = { method: "POST", headers, body: JSON.stringify({ ...account, ...given }) };
	return (await fetch(`${url}/internal/v1/token`, request)).status;
};

it("servers keep the account whose secret the operator gave them, with the one before for a while, until it is revoked", async () => {
	const first = await start();
	expect(await statusOfToken(first, {})).toBe(200);
	const secret = "another-secret-of-the-fleet-in-32-characters";
	const second = await start(secret);
	expect([await statusOfToken(first, { secret }), await statusOfToken(first, {})]).toEqual([200, 200]);
	expect(await statusOfToken(second, { secret: "a-wrong-secret" })).toBe(401);

	const admin = createReelmillAdmin({ baseUrl: first.url, adminKey });
	const accounts = await Array.fromAsync(admin.serviceAccounts.list());
	expect(accounts.map(({ name }) => name)).toEqual([account.name]);
	await admin.serviceAccounts.revoke(accounts[0]?.id ?? "");
	const third = await start();
	expect(await statusOfToken(third, {})).toBe(401);
	await expect
		.poll(() => third.log.map(({ message }) => message))
		.toContainEqual(expect.stringContaining("was revoked"));
});
