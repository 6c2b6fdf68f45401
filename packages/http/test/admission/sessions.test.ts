import { takesSession } from "@reelmill/contracts";
import { createMemoryRateLimiter, type RateLimiter } from "@reelmill/engine";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nameOf, served } from "../support/contract.ts";
import { unlimited } from "../support/credentials.ts";
import { minimalRequest } from "../support/minimal.ts";
import { adminKey, openService, type Service } from "../support/open-service.ts";
import { bearer, type Sent } from "../support/send.ts";
import { consoleOptions, sessionHeaders, signIn } from "../support/sessions.ts";

const unknown = "00000000-0000-4000-8000-000000000000";
const takers = served.filter(takesSession);
let service: Service;
let lookUps: number;
const open = async (rateLimiter?: RateLimiter) => {
	lookUps = 0;
	service = await openService({}, ({ database, clock }) => ({
		...consoleOptions,
		rateLimiter: rateLimiter ?? createMemoryRateLimiter({ clock }),
		database: {
			query: (statement) => {
				if (/console_sessions/.test(statement.text)) lookUps++;
				return database.query(statement);
			},
			migrate: (migrations) => database.migrate(migrations),
		},
	}));
};
const close = () => service.close();
const answer = async (sent: Sent) => nameOf(await service.send(sent));
const admin = async () => (await signIn(service, { role: "admin" })).headers;
const member = async (...domainIds: string[]) => (await signIn(service, { role: "member", domainIds })).headers;
const inDomain = (id: string) => ({ "x-service-domain": id });

describe("a request with a console session", () => {
	beforeAll(() => open(unlimited));
	afterAll(close);

	it.each(takers.filter(({ method }) => method !== "GET"))(
		"needs x-service-console for $name, before its body and its domain are looked at",
		async (operation) => {
			const { cookie } = await admin();
			const { path } = minimalRequest(operation, unknown);
			const before = lookUps;
			const headers = { cookie, "content-type": "application/json", "transfer-encoding": "chunked" };
			expect(await answer({ path, method: operation.method, headers, body: "{" })).toBe("403 csrf_check_failed");
			expect(lookUps).toBe(before);
		},
	);

	it("reads without that header", async () => {
		const { domain } = await service.tenant();
		const { cookie } = await admin();
		expect(await answer({ path: "/admin/v1/stats", headers: { cookie } })).toBe("200");
		for (const method of ["GET", "HEAD"])
			expect(await answer({ method, path: "/v1/domain", headers: { cookie, ...inDomain(domain.id) } })).toBe("200");
	});

	it.each(takers.filter(({ auth }) => auth === "tenant"))(
		"needs a domain that the account sees for $name",
		async (operation) => {
			const [own, foreign] = [await service.tenant(), await service.tenant()];
			const person = await member(own.domain.id);
			const sent = minimalRequest(operation, unknown);
			const to = (headers: Record<string, string>) => answer({ ...sent, headers: { ...sent.headers, ...headers } });
			expect(await to(person)).toBe("400 domain_not_selected");
			for (const id of [foreign.domain.id, unknown, "x", ""])
				expect(await to({ ...person, ...inDomain(id) })).toBe("404 domain_not_found");
			expect(await to({ ...(await admin()), ...inDomain(unknown) })).toBe("404 domain_not_found");
			const opened = [
				await to({ ...person, ...inDomain(own.domain.id) }),
				await to({ ...(await admin()), ...inDomain(own.domain.id) }),
			];
			for (const one of opened) expect(one).not.toMatch(/domain_not|unauthorized|csrf|forbidden/);
		},
	);

	it("sees what the domain's key sees, and no more", async () => {
		const [own, other] = [await service.tenant(), await service.tenant()];
		const person = await member(own.domain.id, other.domain.id);
		const created = await service.send({
			method: "POST",
			path: "/v1/videos",
			headers: { ...person, ...inDomain(own.domain.id) },
			json: { content_type: "video/mp4", file_size: 10 },
		});
		const { id } = (created.json as { video: { id: string } }).video;
		const path = `/v1/videos/${id}`;
		expect((await service.send({ path, headers: own.auth })).status).toBe(200);
		expect(await answer({ path, headers: { ...person, ...inDomain(own.domain.id) } })).toBe("200");
		expect(await answer({ path, headers: { ...person, ...inDomain(other.domain.id) } })).toBe("404 video_not_found");
	});

	it("rotates the key and the webhook secret of its domain, as a key in force does", async () => {
		const { domain, auth } = await service.tenant();
		const headers = { ...(await member(domain.id)), ...inDomain(domain.id) };
		for (const path of ["/v1/domain/rotate-key", "/v1/domain/rotate-key", "/v1/domain/rotate-webhook-secret"])
			expect(await answer({ method: "POST", path, headers })).toBe("200");
		expect((await service.send({ path: "/v1/domain", headers: auth })).status).toBe(401);
	});

	it("sees the sandbox's domain as an admin, and a deleted domain no more", async () => {
		await service.engine.start();
		await service.engine.stop();
		const sandbox = await service.engine.domains.findBySlug("sandbox");
		expect(await answer({ path: "/v1/videos", headers: { ...(await admin()), ...inDomain(sandbox?.id ?? "") } })).toBe(
			"200",
		);
		const { domain } = await service.tenant();
		const person = { ...(await member(domain.id)), ...inDomain(domain.id) };
		expect(await answer({ path: "/v1/domain", headers: person })).toBe("200");
		await service.engine.admin.deleteDomain(domain.id);
		expect(await answer({ path: "/v1/domain", headers: person })).toBe("404 domain_not_found");
	});

	it("finds no admin plane as a member", async () => {
		const { domain } = await service.tenant();
		const person = await member(domain.id);
		for (const operation of served.filter(({ auth }) => auth === "admin")) {
			const sent = minimalRequest(operation, unknown);
			const told = await answer({ ...sent, headers: { ...sent.headers, ...person } });
			expect([operation.name, told]).toEqual([operation.name, "404 not_found"]);
		}
	});

	it("counts as the key alone where it has one as well", async () => {
		const [own, other] = [await service.tenant(), await service.tenant()];
		const { cookie } = await member(other.domain.id);
		const operator = await admin();
		const before = lookUps;
		const path = "/v1/domain/rotate-webhook-secret";
		const both = { cookie, ...own.auth, ...inDomain(other.domain.id) };
		expect(await answer({ method: "POST", path, headers: both })).toBe("200");
		expect((await service.send({ path: "/v1/domain", headers: both })).json).toMatchObject({ id: own.domain.id });
		expect(await answer({ path: "/v1/domain", headers: { ...both, ...bearer("x") } })).toBe("401 unauthorized");
		expect(await answer({ path: "/admin/v1/stats", headers: { ...operator, ...own.auth } })).toBe("404 not_found");
		expect(await answer({ path: "/admin/v1/stats", headers: { cookie, ...bearer(adminKey) } })).toBe("200");
		expect(lookUps).toBe(before);
	});

	it("opens no other plane", async () => {
		const headers = await admin();
		for (const [path, told] of [
			["/uploads/x", "401 unauthorized"],
			["/internal/v1/jobs/x/source", "401 unauthorized"],
			[`/videos/${unknown}/web.mp4`, "401 playback_key_required"],
		] as const)
			expect(await answer({ path, headers })).toBe(told);
	});

	it("is refused by the name of a cookie that isn't the session's, and by a cookie that says nothing", async () => {
		const { cookie } = await admin();
		const token = cookie.split("=").at(-1);
		for (const sent of [
			`__Host-reelmill_session=${token}`,
			`reelmill_sessions=${token}`,
			"reelmill_session",
			"=",
			";;",
		])
			expect(await answer({ path: "/admin/v1/stats", headers: { cookie: sent } })).toBe("401 unauthorized");
		expect(await answer({ path: "/admin/v1/stats", headers: { cookie } })).toBe("200");
	});
});

describe("answers to requests with a cookie from another origin", () => {
	beforeAll(() => open(unlimited));
	afterAll(close);

	it.each(served)("never let that origin send credentials: $name", async (operation) => {
		const sent = minimalRequest(operation, unknown);
		const { cookie } = await admin();
		const origin = { origin: "https://evil.example", cookie };
		const preflight = {
			...origin,
			"access-control-request-method": operation.method,
			"access-control-request-headers": "x-service-console, x-service-domain, authorization",
		};
		const { headers } = await service.send({ ...sent, headers: { ...sent.headers, ...origin } });
		const { headers: before } = await service.send({ method: "OPTIONS", path: sent.path, headers: preflight });
		for (const found of [headers, before]) {
			expect(found["access-control-allow-credentials"]).toBeUndefined();
			expect(found["access-control-allow-headers"] ?? "").not.toMatch(/x-service|^\*$/i);
		}
		if (takesSession(operation)) expect(headers["access-control-allow-origin"]).toBeUndefined();
	});
});

describe("requests with a console session", () => {
	beforeEach(() => open());
	afterEach(close);

	it("count on the account in its domain, and on neither the domain's key nor the address", async () => {
		const [own, other] = [await service.tenant(), await service.tenant()];
		const account = await member(own.domain.id, other.domain.id);
		const get = (id: string) => ({ path: "/v1/limits", headers: { ...account, ...inDomain(id) } });
		const all = await Promise.all(Array.from({ length: 201 }, () => answer(get(own.domain.id))));
		expect(all.filter((one) => one !== "200")).toEqual(["429 rate_limited"]);
		expect(await answer(get(other.domain.id))).toBe("200");
		expect(await answer({ path: "/v1/limits", headers: own.auth })).toBe("200");
		expect(await answer({ path: "/v1/nothing", headers: get(own.domain.id).headers })).toBe("429 rate_limited");
		expect(await answer({ path: "/v1/limits" })).toBe("401 unauthorized");
	});

	it("count on the address if they are refused", async () => {
		const headers = await admin();
		const all = await Promise.all(Array.from({ length: 201 }, () => answer({ path: "/v1/limits", headers })));
		expect(all.filter((one) => one !== "400 domain_not_selected")).toEqual(["429 rate_limited"]);
	});

	it("are guesses if the token isn't ours, and never refused for the guesses of others if it is", async () => {
		const headers = await admin();
		const get = { path: "/admin/v1/stats", headers };
		const before = lookUps;
		const guesses: string[] = [];
		for (let index = 0; index < 40; index++)
			guesses.push(await answer({ ...get, headers: sessionHeaders(`guess-${index}`) }));
		expect(guesses.filter((one) => one === "401 unauthorized")).toHaveLength(30);
		expect(guesses.at(-1)).toBe("429 rate_limited");
		expect(lookUps).toBe(before);
		expect(await answer(get)).toBe("200");
	});

	it("are refused once the account is disabled, or signs out", async () => {
		const { domain } = await service.tenant();
		const { headers, accountId } = await signIn(service, { role: "member", domainIds: [domain.id] });
		const read = () => answer({ path: "/v1/domain", headers: { ...headers, ...inDomain(domain.id) } });
		expect(await read()).toBe("200");
		await service.engine.console.accounts.disable(accountId);
		expect(await read()).toBe("403 account_disabled");
		const operator = await admin();
		const stats = { path: "/admin/v1/stats", headers: operator };
		expect(await answer(stats)).toBe("200");
		const token = operator.cookie.split("=").at(-1) ?? "";
		await service.engine.console.signOut(await service.engine.console.authenticate(token));
		expect(await answer(stats)).toBe("401 unauthorized");
	});
});
