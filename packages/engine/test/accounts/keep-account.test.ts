import { createEngine, type Engine } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
/** Other servers over the same database. */
let others: Engine[];
beforeAll(async () => {
	opened = await openEngine();
	others = Array.from({ length: 4 }, () => createEngine(opened.options));
});
afterAll(() => opened.close());

const hour = 3_600_000;
const refused = (promise: Promise<unknown>) => expect(promise).rejects.toMatchObject({ code: "invalid_credentials" });
const entriesOf = async (name: string) =>
	(await opened.engine.audit.list({ limit: 100 })).data
		.filter(({ resource }) => resource.label === name)
		.map(({ action }) => action)
		.sort();

describe("an account that servers keep by their settings", () => {
	it("is made once by servers that start at once, and takes the secret at each", async () => {
		const account = { name: "fleet", secret: "the-secret-of-the-fleet" };
		const kept = await Promise.all([opened.engine, ...others].map(({ accounts }) => accounts.keep(account)));
		expect(kept).toEqual([true, true, true, true, true]);
		for (const { accounts } of others)
			expect(await accounts.issueToken(account)).toMatchObject({ token_type: "Bearer" });
		expect(await entriesOf("fleet")).toEqual(["service_account.created"]);
	});

	it("gets another secret by other settings, and the one before works for an hour", async () => {
		const { accounts } = opened.engine;
		const name = "rotated";
		for (const secret of ["one", "two", "two"]) expect(await accounts.keep({ name, secret })).toBe(true);
		await opened.clock.advance(hour - 1);
		for (const secret of ["one", "two"]) await accounts.issueToken({ name, secret });
		await opened.clock.advance(1);
		await refused(accounts.issueToken({ name, secret: "one" }));
		await accounts.issueToken({ name, secret: "two" });
		expect(await entriesOf(name)).toEqual(["service_account.created", "service_account.secret_rotated"]);
	});

	it("stays revoked", async () => {
		const { accounts } = opened.engine;
		const { service_account } = await accounts.create({ name: "gone" });
		await accounts.revoke(service_account.id);
		expect(await accounts.keep({ name: "gone", secret: "a-new-one" })).toBe(false);
		await refused(accounts.issueToken({ name: "gone", secret: "a-new-one" }));
	});
});
