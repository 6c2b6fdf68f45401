import { createEngine, type Engine } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

const secret = "a secret of the self-host kind, long enough";
const admins = ["Ada@Acme.test", "grace@acme.test"];
let opened: OpenedEngine;
/** Another server over the same database. */
let other: Engine;
let console: Engine["console"];
beforeAll(async () => {
	opened = await openEngine({ consoleSecret: secret, consoleAdmins: admins });
	other = createEngine(opened.options);
	({ console } = opened.engine);
});
afterAll(() => opened.close());

/** Just over the two seconds that another server may remember. */
const staleness = 2001;
const hour = 3_600_000;
const day = 24 * hour;
const unknown = "00000000-0000-4000-8000-000000000000";
const refused = (promise: Promise<unknown>, code: string) => expect(promise).rejects.toMatchObject({ code });
const identity = (subject: string, more: { email?: string | null; emailVerified?: boolean } = {}) => ({
	issuer: "https://login.acme.test",
	subject,
	email: `${subject}@acme.test`,
	emailVerified: true,
	...more,
});
const signInAs = (subject: string, more = {}) => console.signInAs(identity(subject, more));
const rows = async (table: string) =>
	(await opened.database.query({ text: `select * from reelmill.${table}`, values: [] })) as Record<string, unknown>[];

describe("a session by the self-host secret", () => {
	it("is an admin's, who sees every domain by slug, and each sign-in has an id and a token of its own", async () => {
		await opened.tenant("beta");
		const { domain } = await opened.tenant("alpha");
		const first = await console.signIn({ secret });
		const second = await console.signIn({ secret });
		expect(first.token).not.toBe(second.token);
		expect(first.seconds).toBe(7 * 86_400);
		expect(first.session).toEqual({
			account: {
				id: expect.any(String),
				issuer: null,
				subject: null,
				email: null,
				email_verified: false,
				role: "admin",
				domain_ids: [],
				created_at: expect.any(String),
				last_signed_in_at: new Date(opened.clock.now()).toISOString(),
				disabled_at: null,
			},
			domains: [{ id: domain.id, slug: "alpha" }, expect.objectContaining({ slug: "beta" })],
			expires_at: new Date(opened.clock.now() + 12 * hour).toISOString(),
		});
		const [principal, another] = [
			await console.authenticate(first.token),
			await other.console.authenticate(second.token),
		];
		expect(principal).toEqual({
			kind: "console",
			sessionId: expect.any(String),
			accountId: first.session.account.id,
			label: "operator",
			role: "admin",
			domainIds: [],
		});
		expect(another.accountId).toBe(principal.accountId);
		expect(another.sessionId).not.toBe(principal.sessionId);
		expect(await console.session(principal)).toEqual(first.session);
	});

	it("needs the secret, and an installation that has one", async () => {
		await refused(console.signIn({ secret: `${secret}x` }), "invalid_secret");
		await refused(console.signIn({ secret: "" }), "invalid_secret");
		const { consoleSecret: _, ...without } = opened.options;
		const { console: silent } = createEngine(without);
		await refused(silent.signIn({ secret }), "not_found");
		expect(await silent.mintSignInLink()).toBeNull();
		const { token } = await console.signIn({ secret });
		await refused(silent.authenticate(token), "unauthorized");
	});

	it("takes the place of the browser's session before it", async () => {
		const before = await console.signIn({ secret });
		const after = await console.signIn({ secret }, { replaces: before.token });
		await refused(console.authenticate(before.token), "unauthorized");
		await console.authenticate(after.token);
		await console.signIn({ secret }, { replaces: "made up" });
		await console.authenticate(after.token);
	});

	it("lies in the database by hashes alone", async () => {
		const { token } = await console.signIn({ secret });
		const link = (await console.mintSignInLink())?.url.split("#")[1] ?? "";
		const { state, browser, nonce, verifier } = await console.roundTrips.begin();
		const kept = ["console_sessions", "console_sign_in_links", "console_round_trips", "console_accounts"].map(rows);
		const text = JSON.stringify(await Promise.all(kept), (_, value) =>
			value instanceof Uint8Array || value?.type === "Buffer"
				? Buffer.from(value.data ?? value).toString("latin1")
				: value,
		);
		const { sid } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
		for (const told of [token, sid, secret, link, state, browser, nonce, verifier]) {
			expect(told).toHaveLength(told.length || -1);
			expect(text).not.toContain(told);
		}
	});

	it("ends when the secret changes, and the same one keeps it", async () => {
		const { token } = await console.signIn({ secret });
		const link = (await console.mintSignInLink())?.url.split("#")[1] ?? "";
		const person = await signInAs("stays");
		const changed = createEngine({ ...opened.options, consoleSecret: `${secret}, changed` });
		await refused(changed.console.authenticate(token), "unauthorized");
		await refused(changed.console.signIn({ link }), "invalid_secret");
		await changed.console.authenticate(person.token);
		await createEngine(opened.options).console.authenticate(token);
	});
});

describe("a session", () => {
	it("ends 12 hours after what was asked last, and 7 days after its beginning", async () => {
		const { token } = await console.signIn({ secret });
		await opened.clock.advance(12 * hour - 1);
		await other.console.authenticate(token);
		await opened.clock.advance(12 * hour - 1);
		await console.authenticate(token);
		await opened.clock.advance(12 * hour);
		for (const engine of [opened.engine, other]) await refused(engine.console.authenticate(token), "unauthorized");

		const busy = await console.signIn({ secret });
		for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
			await opened.clock.advance(8 * hour);
			await console.authenticate(busy.token);
		}
		const principal = await console.authenticate(busy.token);
		expect((await console.session(principal)).expires_at).toBe(new Date(opened.clock.now() + 8 * hour).toISOString());
		await opened.clock.advance(8 * hour - 1);
		await console.authenticate(busy.token);
		await opened.clock.advance(1);
		await refused(console.authenticate(busy.token), "unauthorized");
	});

	it("is noted as used once a minute at most, and looked up once in two seconds", async () => {
		const statements: string[] = [];
		const { database } = opened;
		const counting = createEngine({
			...opened.options,
			database: {
				migrate: (migrations) => database.migrate(migrations),
				query: (statement) => {
					statements.push(statement.text);
					return database.query(statement);
				},
			},
		});
		const { token } = await console.signIn({ secret });
		for (let second = 0; second < 180; second++) {
			await opened.clock.advance(1000);
			await counting.console.authenticate(token);
		}
		expect(statements.filter((text) => text.includes("update reelmill.console_sessions"))).toHaveLength(2);
		expect(statements.filter((text) => text.includes("where s.hash"))).toHaveLength(60);
	});

	it("ends by signing out: here at once, on another server within two seconds, and the others stay", async () => {
		const [gone, stays] = [await console.signIn({ secret }), await console.signIn({ secret })];
		for (const { token } of [gone, stays]) await other.console.authenticate(token);
		const principal = await console.authenticate(gone.token);
		await console.signOut(principal);
		await refused(console.authenticate(gone.token), "unauthorized");
		await opened.clock.advance(staleness);
		await refused(other.console.authenticate(gone.token), "unauthorized");
		await other.console.authenticate(stays.token);
		await refused(console.session(principal), "unauthorized");
		await console.signOut(principal);
	});

	it("that we never signed is a guess: it is counted, and nothing is looked up for it", async () => {
		const silent = createEngine({
			...opened.options,
			database: { migrate: async () => undefined, query: () => Promise.reject(new Error("looked up")) },
		});
		const { token } = await console.signIn({ secret });
		const [head, claims, signature] = token.split(".");
		const service = await opened.engine.accounts.ensure({ name: "worker" });
		const texts = [
			"",
			"x",
			`${head}.${claims}.${signature?.slice(1)}x`,
			`${head}.${claims}.`,
			(await service.issueToken()).token,
		];
		const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
		let guesses = 0;
		for (const text of [...texts, `${unsigned}.${claims}.`])
			await refused(
				silent.console.authenticate(text, async () => void guesses++),
				"unauthorized",
			);
		expect(guesses).toBe(6);
		await expect(silent.console.authenticate(token, async () => void guesses++)).rejects.toThrow("looked up");
		expect(guesses).toBe(6);
	});

	it("is none where there is no console", async () => {
		const { token } = await console.signIn({ secret });
		const off = createEngine({ ...opened.options, console: false });
		expect(off.console.isOn).toBe(false);
		await refused(off.console.authenticate(token), "unauthorized");
		await refused(off.console.signIn({ secret }), "not_found");
		await refused(off.console.signInAs(identity("ada")), "not_found");
		expect(await off.console.mintSignInLink()).toBeNull();
	});
});

describe("a sign-in link", () => {
	const mint = async () => {
		const link = await console.mintSignInLink();
		expect(link?.url).toMatch(/^https:\/\/video\.example\/console\/sign-in#[0-9A-Za-z]{43}$/);
		expect(link?.expires_at).toBe(new Date(opened.clock.now() + 900_000).toISOString());
		return link?.url.split("#")[1] ?? "";
	};

	it("signs in as the self-host account, once, also if many use it at once", async () => {
		const link = await mint();
		const outcomes = await Promise.allSettled(
			Array.from({ length: 8 }, (_, index) => (index % 2 ? other : opened.engine).console.signIn({ link })),
		);
		const signedIn = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
		expect(signedIn).toHaveLength(1);
		for (const outcome of outcomes)
			if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "invalid_secret" });
		expect((await console.authenticate(signedIn[0]?.token ?? "")).label).toBe("operator");
	});

	it("is good for 15 minutes", async () => {
		const [good, late] = [await mint(), await mint()];
		await opened.clock.advance(900_000 - 1);
		await console.signIn({ link: good });
		await opened.clock.advance(1);
		await refused(console.signIn({ link: late }), "invalid_secret");
		await refused(console.signIn({ link: "x" }), "invalid_secret");
	});
});

describe("an account of a provider", () => {
	it("is its issuer and subject, whatever its address", async () => {
		const first = await signInAs("s-1");
		const { id } = first.session.account;
		const renamed = await signInAs("s-1", { email: "other@acme.test" });
		expect(renamed.session.account).toMatchObject({ id, email: "other@acme.test", role: "member", subject: "s-1" });
		const same = await signInAs("s-2", { email: "other@acme.test" });
		expect(same.session.account.id).not.toBe(id);
		const elsewhere = await console.signInAs({ ...identity("s-1"), issuer: "https://other.test" });
		expect(elsewhere.session.account.id).not.toBe(id);
	});

	it("is an admin only with a verified address among the admins', looked at anew at each sign-in", async () => {
		const roleOf = async (subject: string, more = {}) => (await signInAs(subject, more)).session.account.role;
		expect(await roleOf("r-1", { email: "ADA@acme.test" })).toBe("admin");
		expect(await roleOf("r-1", { email: "ada@acme.test", emailVerified: false })).toBe("member");
		expect(await roleOf("r-1", { email: "ada@acme.test" })).toBe("admin");
		expect(await roleOf("r-1", { email: null })).toBe("member");
		expect(await roleOf("r-2", { email: "ada@acme.test.evil" })).toBe("member");
		expect(await roleOf("r-3", { email: "\u212Aate@acme.test" })).toBe("member");
		const { token } = await signInAs("r-1", { email: "ada@acme.test" });
		const fewer = createEngine({ ...opened.options, consoleAdmins: ["grace@acme.test"] });
		await refused(fewer.console.authenticate(token), "unauthorized");
		expect((await fewer.console.signInAs(identity("r-1", { email: "ada@acme.test" }))).session.account.role).toBe(
			"member",
		);
	});

	it("whose address isn't verified is called by its subject", async () => {
		const label = async (more: object) => (await console.authenticate((await signInAs("l-1", more)).token)).label;
		expect(await label({})).toBe("l-1@acme.test");
		expect(await label({ emailVerified: false })).toBe("l-1");
	});

	it("signs in once for many at once", async () => {
		const signedIn = await Promise.all(
			Array.from({ length: 8 }, (_, index) => (index % 2 ? other : opened.engine).console.signInAs(identity("many"))),
		);
		expect(new Set(signedIn.map(({ session }) => session.account.id)).size).toBe(1);
	});

	it("as a member sees the domains that it was given, and its sessions end when they change", async () => {
		const [one, two] = [(await opened.tenant()).domain, (await opened.tenant()).domain];
		const before = await signInAs("member");
		expect(before.session).toMatchObject({ domains: [], account: { role: "member", domain_ids: [] } });
		const { id } = before.session.account;
		for (const engine of [opened.engine, other]) await engine.console.authenticate(before.token);
		const updated = await console.accounts.update(id, { domain_ids: [one.id, two.id, one.id] });
		expect(updated.domain_ids).toEqual([one.id, two.id].toSorted());
		await refused(console.authenticate(before.token), "unauthorized");
		await opened.clock.advance(staleness);
		await refused(other.console.authenticate(before.token), "unauthorized");

		const after = await signInAs("member");
		expect(after.session.domains.map((domain) => domain.id).toSorted()).toEqual([one.id, two.id].toSorted());
		const principal = await console.authenticate(after.token);
		expect(principal).toMatchObject({ role: "member", domainIds: [one.id, two.id].toSorted() });
		await console.accounts.update(id, { domain_ids: [two.id, one.id] });
		await console.accounts.update(id, { role: "member" });
		await console.accounts.update(id, {});
		await console.authenticate(after.token);
		await opened.engine.admin.deleteDomain(two.id);
		await opened.clock.advance(staleness);
		expect((await console.authenticate(after.token)).domainIds).toEqual([one.id]);
		expect((await console.session(principal)).domains).toEqual([{ id: one.id, slug: one.slug }]);
		await refused(console.accounts.update(id, { domain_ids: [two.id] }), "domain_not_found");
		await refused(console.accounts.update(id, { domain_ids: [unknown] }), "domain_not_found");
		await console.accounts.update(id, { domain_ids: [] });
		await refused(console.authenticate(after.token), "unauthorized");
	});

	it("that an admin made a member stays one until it is made admin again, and only a listed one can be", async () => {
		const { session, token } = await signInAs("ada");
		const { id } = session.account;
		expect(session.account.role).toBe("admin");
		expect(await console.accounts.update(id, { role: "member" })).toMatchObject({ role: "member" });
		await refused(console.authenticate(token), "unauthorized");
		expect((await signInAs("ada")).session.account.role).toBe("member");
		expect(await console.accounts.update(id, { role: "admin" })).toMatchObject({ role: "admin" });
		expect((await signInAs("ada")).session.account.role).toBe("admin");
		const nobody = (await signInAs("nobody")).session.account.id;
		await refused(console.accounts.update(nobody, { role: "admin" }), "invalid_state");
		const unverified = (await signInAs("grace", { emailVerified: false })).session.account.id;
		await refused(console.accounts.update(unverified, { role: "admin" }), "invalid_state");
		const self = (await console.signIn({ secret })).session.account.id;
		await refused(console.accounts.update(self, { role: "member" }), "invalid_state");
		await console.accounts.update(self, { role: "admin" });
	});
});

describe("a disabled account", () => {
	it("is told so, on every server within two seconds, and its sessions stay ended when it is enabled", async () => {
		const { session, token } = await signInAs("gone");
		const { id } = session.account;
		for (const engine of [opened.engine, other]) await engine.console.authenticate(token);
		const disabled = await console.accounts.disable(id);
		expect(disabled.disabled_at).toBe(new Date(opened.clock.now()).toISOString());
		await refused(console.authenticate(token), "account_disabled");
		await opened.clock.advance(staleness);
		await refused(other.console.authenticate(token), "account_disabled");
		await refused(signInAs("gone"), "account_disabled");
		expect((await console.accounts.disable(id)).disabled_at).toBe(disabled.disabled_at);
		expect((await console.accounts.enable(id)).disabled_at).toBeNull();
		await refused(console.authenticate(token), "unauthorized");
		await console.authenticate((await signInAs("gone")).token);
	});

	it("may be the self-host one, if another admin is left: then neither secret nor link signs in", async () => {
		await signInAs("grace");
		const { session } = await console.signIn({ secret });
		const link = (await console.mintSignInLink())?.url.split("#")[1] ?? "";
		await console.accounts.disable(session.account.id);
		await refused(console.signIn({ secret }), "account_disabled");
		await refused(console.signIn({ link }), "account_disabled");
		await refused(console.signIn({ secret: "wrong" }), "invalid_secret");
		await console.accounts.enable(session.account.id);
		await console.signIn({ secret });
	});

	it("is unknown if it isn't there", async () => {
		await refused(console.accounts.disable(unknown), "not_found");
		await refused(console.accounts.enable(unknown), "not_found");
		await refused(console.accounts.update(unknown, {}), "not_found");
	});
});

it("accounts are listed in pages, newest first, whether disabled or not", async () => {
	await opened.clock.advance(1);
	const first = (await signInAs("p-1")).session.account.id;
	await opened.clock.advance(1);
	const second = (await signInAs("p-2")).session.account.id;
	await console.accounts.disable(first);
	const page = await console.accounts.list({ limit: 1 });
	expect(page).toMatchObject({ data: [{ id: second }], next_cursor: expect.any(String) });
	const next = await console.accounts.list({ limit: 1, cursor: page.next_cursor ?? "" });
	expect(next).toMatchObject({ data: [{ id: first, disabled_at: expect.any(String) }] });
	await refused(opened.engine.accounts.list({ limit: 1, cursor: page.next_cursor ?? "" }), "invalid_cursor");
});

it("the audit log tells who signed in and out, from where, and of each change of an account, once", async () => {
	const { audit } = opened.engine;
	const from = { address: "192.0.2.7", requestId: "request-1" };
	const { token, session } = await console.signInAs(identity("audited"), { from });
	const { id } = session.account;
	const by = { kind: "account", id: "someone", label: "someone", ...from } as const;
	await console.signOut(await console.authenticate(token), by);
	const { domain } = await opened.tenant();
	for (let times = 0; times < 2; times++) {
		await console.accounts.update(id, { role: "member", domain_ids: [domain.id] }, by);
		await console.accounts.disable(id, by);
	}
	for (let times = 0; times < 2; times++) await console.accounts.enable(id, by);
	await refused(console.accounts.update(id, { role: "admin" }, by), "invalid_state");
	const { data } = await audit.list({ limit: 100, resource_id: id });
	expect(data.map(({ action, changed }) => [action, ...changed]).toSorted()).toEqual([
		["console.signed_in"],
		["console.signed_out"],
		["console_account.disabled", "disabled_at"],
		["console_account.enabled"],
		["console_account.updated", "domain_ids"],
	]);
	expect(data.find(({ action }) => action === "console.signed_in")).toMatchObject({
		actor: { kind: "account", id, label: "audited@acme.test" },
		resource: { kind: "console_account", id, label: "audited@acme.test" },
		domain_id: null,
		address: "192.0.2.7",
		request_id: "request-1",
	});
	const secretly = (await console.signIn({ secret })).session.account.id;
	const own = await audit.list({ limit: 1, resource_id: secretly });
	expect(own.data[0]).toMatchObject({ actor: { id: secretly, label: "operator" }, address: null });
});

it("a round trip ends once, in the browser that began it, within ten minutes", async () => {
	const { roundTrips } = console;
	const begun = await roundTrips.begin();
	expect(begun.verifier).toMatch(/^[\w-]{43}$/);
	expect(new Set(Object.values(begun)).size).toBe(4);
	const elsewhere = await roundTrips.begin();
	expect(await roundTrips.end({ state: begun.state, browser: elsewhere.browser })).toBeNull();
	expect(await roundTrips.end({ state: "x", browser: begun.browser })).toBeNull();
	const ends = await Promise.all([roundTrips.end(begun), other.console.roundTrips.end(begun), roundTrips.end(begun)]);
	expect(ends.filter((ended) => ended !== null)).toEqual([begun]);
	await opened.clock.advance(600_000);
	expect(await roundTrips.end(elsewhere)).toBeNull();
});

describe("the last admin", () => {
	let alone: OpenedEngine;
	beforeAll(async () => {
		alone = await openEngine({ consoleAdmins: admins, consoleSecret: secret });
	});
	afterAll(() => alone.close());

	it("can't be disabled, nor made a member; another one can, and of two who disable each other one is left", async () => {
		const { accounts, signIn, signInAs: signInAlone } = alone.engine.console;
		const self = (await signIn({ secret })).session.account.id;
		await refused(accounts.disable(self), "invalid_state");
		const ada = (await signInAlone(identity("ada"))).session.account.id;
		await accounts.disable(self);
		await refused(accounts.disable(ada), "invalid_state");
		await refused(accounts.update(ada, { role: "member" }), "invalid_state");
		await signInAlone(identity("member"));
		await refused(accounts.disable(ada), "invalid_state");
		await accounts.enable(self);
		const otherServer = createEngine(alone.options).console.accounts;
		for (let round = 0; round < 10; round++) {
			const outcomes = await Promise.allSettled([accounts.disable(self), otherServer.disable(ada)]);
			expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
			await accounts.enable(self);
			await accounts.enable(ada);
			const mixed = await Promise.allSettled([accounts.disable(self), otherServer.update(ada, { role: "member" })]);
			expect(mixed.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
			await accounts.enable(self);
			await accounts.update(ada, { role: "admin" });
		}
	});

	it("is one who can sign in: without a secret the self-host account is none", async () => {
		const { consoleSecret: _, ...without } = alone.options;
		const { accounts } = createEngine(without).console;
		const ada = (await alone.engine.console.signInAs(identity("ada"))).session.account.id;
		await refused(accounts.disable(ada), "invalid_state");
	});
});

it("rows end: sessions, links and round trips when they are over, accounts that nobody uses after 90 days", async () => {
	const fresh = await openEngine({ consoleAdmins: admins, consoleSecret: secret });
	try {
		const { engine, clock, database } = fresh;
		const count = async (table: string) =>
			(await database.query({ text: `select count(*)::integer as n from reelmill.${table}`, values: [] }))[0]?.["n"];
		const { domain } = await fresh.tenant();
		await engine.console.signIn({ secret });
		await engine.console.mintSignInLink();
		await engine.console.roundTrips.begin();
		const person = async (subject: string) => (await engine.console.signInAs(identity(subject))).session.account.id;
		const [, given, disabled, demoted] = [
			await person("stranger"),
			await person("given"),
			await person("off"),
			await person("ada"),
		];
		await person("grace");
		await engine.console.accounts.update(given, { domain_ids: [domain.id] });
		await engine.console.accounts.disable(disabled);
		await engine.console.accounts.update(demoted, { role: "member" });
		await clock.advance(900_000);
		await engine.sweep();
		expect([await count("console_sign_in_links"), await count("console_round_trips")]).toEqual([0, 0]);
		await clock.advance(7 * day - 900_001);
		await engine.sweep();
		expect(await count("console_sessions")).toBe(6);
		await clock.advance(1);
		await engine.sweep();
		expect(await count("console_sessions")).toBe(0);
		await clock.advance(83 * day - 1);
		await engine.sweep();
		expect(await count("console_accounts")).toBe(6);
		await clock.advance(1);
		await engine.sweep();
		const left = await engine.console.accounts.list({ limit: 100 });
		expect(left.data.map(({ subject }) => subject).toSorted()).toEqual(
			[null, "ada", "given", "grace", "off"].toSorted(),
		);
	} finally {
		await fresh.close();
	}
});
