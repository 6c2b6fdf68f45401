import { createHash } from "node:crypto";
import { createHandler } from "@reelmill/http";
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unlimited } from "../support/credentials.ts";
import { json, type MadeProvider, openMadeProvider, silence } from "../support/made-provider.ts";
import { openService, type Service } from "../support/open-service.ts";
import { client, openRealProvider, type RealProvider } from "../support/real-provider.ts";
import type { Answer } from "../support/send.ts";

const people = {
	ada: { email: "ada@acme.test", email_verified: true },
	eve: { email: "ada@acme.test", email_verified: false },
	mia: { email: "mia@acme.test", email_verified: true },
	nil: {},
};
const html = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
let real: RealProvider;
let made: MadeProvider;
let service: Service;
beforeAll(async () => {
	[real, made] = await Promise.all([openRealProvider(people), openMadeProvider()]);
	service = await openService({ identityProvider: { issuer: real.issuer, ...client } }, () => ({
		rateLimiter: unlimited,
		consoleAdmins: ["ada@acme.test"],
	}));
	real.serve(`${service.url}/console/v1/oauth/callback`);
});
afterAll(() => Promise.all([real.close(), made.close(), service.close()]));
beforeEach(() => made.reset());

const cookieOf = (setCookie: string | null | undefined): string => (setCookie ?? "").split(";")[0] ?? "";

describe("at a real provider", () => {
	/** Goes through the whole round trip as a browser does. Answers the answer to the way back. */
	async function roundTrip(person: string, more: { accept?: string; cookie?: string } = {}): Promise<Answer> {
		real.person = person;
		const started = await service.send({ path: "/console/v1/oauth/start" });
		expect(started.status).toBe(302);
		const jar = new Map<string, string>();
		let location = started.headers.location ?? "";
		while (!location.startsWith(service.url)) {
			const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
			const answer = await fetch(location, { redirect: "manual", headers: { cookie } });
			for (const set of answer.headers.getSetCookie()) {
				const [name = "", value = ""] = cookieOf(set).split(/=(.*)/s);
				jar.set(name, value);
			}
			expect(answer.status, await answer.text()).toBe(303);
			location = new URL(answer.headers.get("location") ?? "", real.issuer).href;
		}
		const cookie = [cookieOf(started.headers["set-cookie"]?.[0]), more.cookie ?? "other=1"].join("; ");
		return service.send({ path: location.slice(service.url.length), headers: { ...more, cookie } });
	}
	/** Who is signed in by this answer. */
	async function session(answer: Answer): Promise<{ account: { id: string; role: string } }> {
		expect([answer.status, answer.headers.location]).toEqual([302, `${service.url}/console/`]);
		const headers = { cookie: cookieOf(answer.headers["set-cookie"]?.[0]) };
		return (await service.send({ path: "/console/v1/session", headers })).json as never;
	}

	it("a person whom nobody listed is a member without domains, and the same one the next time", async () => {
		const answer = await roundTrip("mia");
		expect(answer.headers["cache-control"]).toBe("no-store");
		expect(answer.headers["set-cookie"]).toEqual([
			expect.stringMatching(/^reelmill_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
		]);
		const first = await session(answer);
		expect(first).toMatchObject({
			account: { issuer: real.issuer, subject: "mia", email: "mia@acme.test", email_verified: true, role: "member" },
			domains: [],
		});
		expect((await session(await roundTrip("mia"))).account.id).toBe(first.account.id);
	});

	it("an admin is one whose address is listed and verified", async () => {
		const accountOf = async (person: string) => (await session(await roundTrip(person))).account;
		expect(await accountOf("ada")).toMatchObject({ role: "admin" });
		expect(await accountOf("eve")).toMatchObject({ role: "member", email: "ada@acme.test", email_verified: false });
		expect(await accountOf("nil")).toMatchObject({ role: "member", email: null });
	});

	it("a sign-in ends the browser's session before it", async () => {
		const before = cookieOf((await roundTrip("mia")).headers["set-cookie"]?.[0]);
		const after = cookieOf((await roundTrip("ada", { cookie: before })).headers["set-cookie"]?.[0]);
		const statusOf = async (cookie: string) =>
			(await service.send({ path: "/console/v1/session", headers: { cookie } })).status;
		expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
	});

	it("a disabled account is told so, on a page if a browser asks", async () => {
		const { id } = (await session(await roundTrip("mia"))).account;
		await service.engine.console.accounts.disable(id);
		expect(await roundTrip("mia")).toMatchObject({ status: 403, json: { error: "account_disabled" } });
		const page = await roundTrip("mia", { accept: html });
		expect([page.status, page.headers["content-type"]]).toEqual([403, "text/html; charset=utf-8"]);
		expect(page.text).toContain("The account was disabled by an operator.");
		expect(page.headers["set-cookie"]).toBeUndefined();
	});
});

describe("at a provider made by hand", () => {
	const handlerOf = (more: object = {}) =>
		createHandler(service.engine, {
			identityProvider: { issuer: made.issuer, ...client, ...more },
		});
	type Handler = ReturnType<typeof handlerOf>;
	let handle: Handler;
	beforeEach(() => {
		handle = handlerOf();
	});
	const get = (path: string, headers: Record<string, string> = {}, by: Handler = handle) =>
		by(new Request(`${service.url}${path}`, { headers }));
	type Begun = { readonly state: string; readonly nonce: string; readonly cookie: string; readonly url: URL };
	async function begin(by: Handler = handle): Promise<Begun> {
		const answer = await get("/console/v1/oauth/start", {}, by);
		expect(answer.status, await answer.text()).toBe(302);
		const url = new URL(answer.headers.get("location") ?? "");
		const told = (name: string) => url.searchParams.get(name) ?? "";
		made.nonce = told("nonce");
		const cookie = cookieOf(answer.headers.get("set-cookie"));
		return { state: told("state"), nonce: told("nonce"), cookie, url };
	}
	const end = (query: Record<string, string>, headers: Record<string, string>, by: Handler = handle) =>
		get(`/console/v1/oauth/callback?${new URLSearchParams(query)}`, headers, by);
	/** Begins and ends a sign-in. */
	async function signIn(by: Handler = handle): Promise<Response> {
		const { state, cookie } = await begin(by);
		return end({ code: "c", state }, { cookie }, by);
	}
	async function expectRefused(answer: Response): Promise<void> {
		const body: unknown = await answer.json();
		expect([answer.status, body]).toEqual([400, { error: "oauth_failed", message: expect.any(String) }]);
		expect(answer.headers.get("set-cookie")).toBeNull();
	}
	const accounts = async () => (await service.engine.console.accounts.list({ limit: 100 })).data.length;

	it("sends the browser there with PKCE, state and nonce, and back to the one address", async () => {
		const answer = await get("/console/v1/oauth/start");
		expect(answer.headers.get("set-cookie")).toMatch(
			/^reelmill_sign_in=[0-9A-Za-z]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
		);
		const { state, nonce, cookie, url } = await begin();
		expect(url.origin + url.pathname).toBe(`${made.issuer}/authorize`);
		expect(Object.fromEntries(url.searchParams)).toEqual({
			client_id: client.clientId,
			response_type: "code",
			scope: "openid email",
			redirect_uri: `${service.url}/console/v1/oauth/callback`,
			state: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
			nonce: expect.stringMatching(/^[\w-]{43}$/),
			code_challenge: expect.stringMatching(/^[\w-]{43}$/),
			code_challenge_method: "S256",
		});
		expect(nonce).not.toBe(state);
		expect((await end({ code: "c", state }, { cookie })).status).toBe(302);
		const { authorization, body } = made.asked.at(-1) as NonNullable<(typeof made.asked)[number]>;
		const sent = Buffer.from(authorization?.replace("Basic ", "") ?? "", "base64").toString();
		expect(decodeURIComponent(sent)).toBe(`${client.clientId}:${client.clientSecret}`);
		expect(body.get("code")).toBe("c");
		expect(body.get("redirect_uri")).toBe(`${service.url}/console/v1/oauth/callback`);
		const verifier = body.get("code_verifier") ?? "";
		expect(createHash("sha256").update(verifier).digest("base64url")).toBe(url.searchParams.get("code_challenge"));
	});

	it("proves itself as the provider asks, and needs no secret for a public client", async () => {
		made.metadata = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
		expect((await signIn(handlerOf())).status).toBe(302);
		expect(made.asked.at(-1)?.authorization).toBeUndefined();
		expect(made.asked.at(-1)?.body.get("client_secret")).toBe(client.clientSecret);
		expect((await signIn(handlerOf({ clientSecret: undefined }))).status).toBe(302);
		expect(made.asked.at(-1)?.body.get("client_secret")).toBeNull();
		expect(made.asked.at(-1)?.body.get("client_id")).toBe(client.clientId);
	});

	const now = () => Math.floor(Date.now() / 1000);
	it.each<[string, Record<string, unknown>]>([
		["another nonce", { nonce: "another" }],
		["no nonce", { nonce: undefined }],
		["another issuer", { iss: "https://login.evil.test" }],
		["another client's audience", { aud: "another-client" }],
		["several audiences and no authorised party", { aud: [client.clientId, "another"] }],
		["another authorised party of several audiences", { aud: [client.clientId, "another"], azp: "another" }],
		["another authorised party of the one audience", { azp: "another" }],
		["its end behind it", { iat: now() - 7200, exp: now() - 3600 }],
		["no end", { exp: undefined }],
		["no subject", { sub: undefined }],
		["an empty subject", { sub: "" }],
		["a subject that can't be stored", { sub: "a\0b" }],
		["a subject that is too long", { sub: "a".repeat(256) }],
	])("refuses a token with %s", async (_, changed) => {
		const before = await accounts();
		made.claims = () => changed;
		await expectRefused(await signIn());
		expect(await accounts()).toBe(before);
		made.claims = () => ({});
		expect((await signIn()).status).toBe(302);
	});

	it("refuses a token that the provider did not sign", async () => {
		const { privateKey } = await generateKeyPair("RS256");
		const secret = Buffer.from(client.clientSecret);
		const signers: MadeProvider["sign"][] = [
			async (claims) => new UnsecuredJWT(claims).encode(),
			(claims) => new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(privateKey),
			(claims) => new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "2" }).sign(privateKey),
			(claims) => new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret),
			async () => "no.token.atall",
		];
		for (const sign of signers) {
			made.sign = sign;
			await expectRefused(await signIn());
		}
		made.metadata = { id_token_signing_alg_values_supported: ["RS256", "HS256", "none"] };
		const lenient = handlerOf();
		for (const sign of signers) {
			made.sign = sign;
			await expectRefused(await signIn(lenient));
		}
	});

	it("takes a state once, in the browser that it was given to, within ten minutes", async () => {
		const [mine, theirs] = [await begin(), await begin()];
		await expectRefused(await end({ code: "c", state: theirs.state }, { cookie: mine.cookie }));
		await expectRefused(await end({ code: "c", state: mine.state }, {}));
		await expectRefused(await end({ code: "c", state: "made-up" }, { cookie: mine.cookie }));
		await expectRefused(await end({ code: "c" }, { cookie: mine.cookie }));
		made.nonce = mine.nonce;
		const both = await Promise.all([1, 2].map(() => end({ code: "c", state: mine.state }, { cookie: mine.cookie })));
		expect(both.map(({ status }) => status).toSorted()).toEqual([302, 400]);
		await expectRefused(await end({ code: "c", state: mine.state }, { cookie: mine.cookie }));
		// A token that was made for one sign-in opens no other.
		await expectRefused(await end({ code: "c", state: theirs.state }, { cookie: theirs.cookie }));
		const late = await begin();
		await service.clock.advance(600_000);
		await expectRefused(await end({ code: "c", state: late.state }, { cookie: late.cookie }));
	});

	it("refuses what the provider refuses, and an answer of another provider", async () => {
		const denied = await begin();
		const answer = { error: "access_denied", error_description: "<script>", state: denied.state };
		await expectRefused(await end(answer, { cookie: denied.cookie }));
		const mixed = await begin();
		await expectRefused(
			await end({ code: "c", state: mixed.state, iss: "https://evil.test" }, { cookie: mixed.cookie }),
		);
		for (const status of [400, 500]) {
			made.instead["/token"] = json({ error: "invalid_grant" }, status);
			await expectRefused(await signIn());
		}
		made.instead["/token"] = json("no object");
		await expectRefused(await signIn());
		delete made.instead["/token"];
		made.instead["/jwks"] = json({}, 500);
		await expectRefused(await signIn(handlerOf()));
	});

	it("gives up on a provider that is silent, and goes on once it answers", async () => {
		handle = handlerOf({ timeoutSeconds: 2 });
		const begun = async () =>
			(await service.database.query({ text: "select from reelmill.console_round_trips", values: [] })).length;
		const before = await begun();
		made.instead["/.well-known/openid-configuration"] = silence;
		await expectRefused(await get("/console/v1/oauth/start"));
		expect(await begun()).toBe(before);
		made.instead["/.well-known/openid-configuration"] = json({}, 500);
		await expectRefused(await get("/console/v1/oauth/start"));
		delete made.instead["/.well-known/openid-configuration"];
		made.metadata = { issuer: "https://login.evil.test" };
		await expectRefused(await get("/console/v1/oauth/start"));
		made.metadata = {};
		made.instead["/token"] = silence;
		await expectRefused(await signIn());
		delete made.instead["/token"];
		expect((await signIn()).status).toBe(302);
	});

	it("shows a person a page that says what to do, with the request's id, and runs nothing", async () => {
		const page = await end({ code: "c", state: "x" }, { accept: html, "x-request-id": "request-7" });
		const text = await page.text();
		expect([page.status, page.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
		for (const told of ["Sign-in failed", "Begin anew.", "Try again", "/console/sign-in", "oauth_failed", "request-7"])
			expect(text).toContain(told);
		expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
		expect(page.headers.get("cache-control")).toBe("no-store");
		expect(page.headers.get("x-content-type-options")).toBe("nosniff");
		made.instead["/.well-known/openid-configuration"] = json({}, 500);
		const start = await get("/console/v1/oauth/start", { accept: html });
		expect([start.status, await start.text()]).toEqual([
			400,
			expect.stringContaining("The identity provider can&#39;t be reached."),
		]);
	});

	it("logs why, without codes, tokens or secrets", async () => {
		const { entries } = service.logger;
		const before = entries.length;
		made.claims = () => ({ nonce: "another" });
		const { state, cookie } = await begin();
		await end({ code: "the-code", state }, { cookie, "x-request-id": "request-8" });
		const logged = entries.slice(before);
		expect(logged).toEqual([
			expect.objectContaining({ level: "warn", message: "signing in at the identity provider failed" }),
		]);
		const text = JSON.stringify(logged);
		expect(text).toContain("request-8");
		for (const secret of ["the-code", client.clientSecret, state, cookie.split("=")[1] ?? ""])
			expect(text).not.toContain(secret);
	});

	it("is there only if it is set, and only at an https address, or on the loopback", async () => {
		const none = createHandler(service.engine);
		for (const path of ["/console/v1/oauth/start", "/console/v1/oauth/callback"])
			expect((await none(new Request(`${service.url}${path}`))).status).toBe(404);
		const ways = await none(new Request(`${service.url}/console/v1/sign-in`));
		expect(await ways.json()).toEqual({ secret: false, provider: false });
		for (const issuer of ["http://login.acme.test", "ftp://127.0.0.1", "login.acme.test", "http://127.0.0.1.evil.test"])
			expect(() => handlerOf({ issuer })).toThrow(TypeError);
		for (const issuer of ["https://login.acme.test", "http://localhost:1"]) handlerOf({ issuer });
	});
});
