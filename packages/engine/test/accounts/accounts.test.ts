import { createEngine, type Database, type Engine } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
/** Another server over the same database. */
let other: Engine;
beforeAll(async () => {
	opened = await openEngine();
	other = createEngine(opened.options);
});
afterAll(() => opened.close());

/** Just over the two seconds that another server may remember. */
const staleness = 2001;
const hour = 3_600_000;
let count = 0;
async function account() {
	const name = `worker-${count++}`;
	const { service_account, secret } = await opened.engine.accounts.create({ name });
	return { id: service_account.id, name, secret, service_account };
}
const refused = (promise: Promise<unknown>, code: string) => expect(promise).rejects.toMatchObject({ code });
const unknown = "00000000-0000-4000-8000-000000000000";

describe("a service account", () => {
	it("is listed in pages, newest first, whether revoked or not, and its secret never again", async () => {
		await opened.clock.advance(1);
		const first = await account();
		await opened.clock.advance(1);
		const second = await account();
		await opened.engine.accounts.revoke(first.id);
		const { list } = opened.engine.accounts;
		const page = await list({ limit: 1 });
		expect(page).toEqual({ data: [second.service_account], next_cursor: expect.any(String) });
		const next = await list({ limit: 1, cursor: page.next_cursor ?? "" });
		expect(next.data).toEqual([{ ...first.service_account, revoked_at: new Date(opened.clock.now()).toISOString() }]);
		await refused(list({ limit: 1, cursor: `${page.next_cursor?.slice(0, -2)}xx` }), "invalid_cursor");
		await refused(opened.engine.admin.listDomains({ limit: 1, cursor: page.next_cursor ?? "" }), "invalid_cursor");
	});

	it("has a name of its own, also among revoked ones", async () => {
		const { id, name } = await account();
		await refused(opened.engine.accounts.create({ name }), "name_already_exists");
		await opened.engine.accounts.revoke(id);
		await refused(opened.engine.accounts.create({ name }), "name_already_exists");
	});

	it("keeps its secret of before for an hour after a rotation, of two rotations only the last", async () => {
		const { id, name, secret } = await account();
		const { rotate, issueToken } = opened.engine.accounts;
		const rotated = await rotate(id);
		expect(rotated).toMatchObject({
			service_account: { id, name },
			previous_secret_expires_at: new Date(opened.clock.now() + hour).toISOString(),
		});
		for (const good of [secret, rotated.secret]) await issueToken({ name, secret: good });
		const again = await rotate(id);
		await refused(issueToken({ name, secret }), "invalid_credentials");
		await opened.clock.advance(hour - 1);
		for (const good of [rotated.secret, again.secret]) await issueToken({ name, secret: good });
		await opened.clock.advance(1);
		await refused(issueToken({ name, secret: rotated.secret }), "invalid_credentials");
		await issueToken({ name, secret: again.secret });
	});

	it("rotated by many at once has one present secret and one before", async () => {
		const { id, name } = await account();
		const rotated = await Promise.all(
			Array.from({ length: 8 }, (_, index) => (index % 2 ? other : opened.engine).accounts.rotate(id)),
		);
		const outcomes = await Promise.allSettled(
			rotated.map(({ secret }) => opened.engine.accounts.issueToken({ name, secret })),
		);
		expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
	});

	it("once revoked gives no token and no new secret; tokens it gave end here at once, on another server within two seconds", async () => {
		const { id, name, secret } = await account();
		const token = `Bearer ${(await opened.engine.accounts.issueToken({ name, secret })).token}`;
		for (const engine of [opened.engine, other])
			expect(await engine.accounts.authenticate(token)).toEqual({ accountId: id, name });
		await opened.engine.accounts.revoke(id);
		await refused(opened.engine.accounts.authenticate(token), "unauthorized");
		await opened.clock.advance(staleness);
		await refused(other.accounts.authenticate(token), "unauthorized");
		await refused(other.accounts.issueToken({ name, secret }), "invalid_credentials");
		await refused(opened.engine.accounts.rotate(id), "service_account_revoked");
		const revokedAt = async () =>
			(await opened.engine.accounts.list({ limit: 100 })).data.find((listed) => listed.id === id)?.revoked_at;
		const first = await revokedAt();
		await opened.clock.advance(1);
		await opened.engine.accounts.revoke(id);
		expect(await revokedAt()).toBe(first);
	});

	it("for an embedded worker issues tokens in the process until it is revoked, and again once a server embeds one of that name", async () => {
		const name = `embedded-${count++}`;
		const { issueToken } = await opened.engine.accounts.ensure({ name });
		const { token } = await issueToken();
		const { accountId } = await other.accounts.authenticate(`Bearer ${token}`);
		await opened.engine.accounts.revoke(accountId);
		await refused(issueToken(), "invalid_credentials");
		const again = await (await other.accounts.ensure({ name })).issueToken();
		await opened.clock.advance(staleness);
		expect(await opened.engine.accounts.authenticate(`Bearer ${again.token}`)).toEqual({ accountId, name });
	});

	it("that isn't there can't be rotated or revoked", async () => {
		await refused(opened.engine.accounts.rotate(unknown), "service_account_not_found");
		await refused(opened.engine.accounts.revoke(unknown), "service_account_not_found");
	});

	it("that is unknown, revoked or given a wrong secret is refused with the same words after the same statements", async () => {
		const statements: string[] = [];
		const recording: Database = {
			migrate: (migrations) => opened.database.migrate(migrations),
			query: (statement) => {
				statements.push(statement.text);
				return opened.database.query(statement);
			},
		};
		const { accounts } = createEngine({ ...opened.options, database: recording });
		const [known, revoked] = [await account(), await account()];
		await opened.engine.accounts.revoke(revoked.id);
		const attempt = async (name: string, secret: string) => {
			statements.length = 0;
			const error = await accounts
				.issueToken({ name, secret })
				.catch((reason: unknown) => reason as { code: string; message: string; extras: object });
			if (!("code" in error)) throw new Error("a token was issued");
			return [error.code, error.message, error.extras, ...statements];
		};
		const told = await attempt("nobody", known.secret);
		expect(told).toEqual(["invalid_credentials", expect.any(String), {}, expect.stringContaining("service_accounts")]);
		expect(await attempt(known.name, revoked.secret)).toEqual(told);
		expect(await attempt(revoked.name, revoked.secret)).toEqual(told);
	});
});
