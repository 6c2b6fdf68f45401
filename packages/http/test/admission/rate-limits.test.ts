import { createServer } from "node:http";
import { domainLimitDefaults, rateLimits } from "@reelmill/contracts";
import { createEngine } from "@reelmill/engine";
import { createHandler, createNodeListener } from "@reelmill/http";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../support/open-service.ts";
import { type Answer, bearer, type Sent, send } from "../support/send.ts";
import { tusFor } from "../support/tus.ts";

const proxies = { trustedProxies: ["127.0.0.0/8"] };
const unknownKey = bearer(`ek_${"0".repeat(43)}`);
const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });

let service: Service;
beforeEach(async () => {
	service = await openService(proxies, ({ database, clock }) => ({
		rateLimiter: createPostgresRateLimiter({ database, clock }),
	}));
});
afterEach(() => service.close());

/** Sends `request` so many times, 50 at once, and answers the statuses. */
async function statuses(times: number, request: (index: number) => Sent, url = service.url): Promise<number[]> {
	const all: number[] = [];
	for (let start = 0; start < times; start += 50) {
		const batch = Array.from({ length: Math.min(50, times - start) }, (_, index) => send(url, request(start + index)));
		all.push(...(await Promise.all(batch)).map(({ status }) => status));
	}
	return all;
}

/** Expects a refusal that says when to come again, in its body and its header, and that this is `seconds` away. */
function expectLimited(answer: Answer, seconds: number): void {
	const retryAfter = new Date(service.clock.now() + seconds * 1000).toISOString();
	expect([answer.status, answer.json]).toEqual([
		429,
		{ error: "rate_limited", message: "Too many requests.", retryAfter },
	]);
	expect(answer.headers["retry-after"]).toBe(String(Math.ceil(seconds)));
}

describe("all calls under /v1", () => {
	it("are limited to 200 in a minute for each key", async () => {
		const [one, other] = [await service.tenant(), await service.tenant()];
		const get = { path: "/v1/domain", headers: one.auth };
		expect(await statuses(200, () => get)).toEqual(Array(200).fill(200));
		expectLimited(await service.send(get), 60);
		expect((await service.send({ ...get, headers: other.auth })).status).toBe(200);
		await service.clock.advance(59_400);
		expectLimited(await service.send(get), 0.6);
		await service.clock.advance(600);
		expect((await service.send(get)).status).toBe(200);
	});

	it("are limited before anything of the request but its credential is looked at", async () => {
		const { auth } = await service.tenant();
		await statuses(200, () => ({ path: "/v1/videos/nonsense", headers: auth }));
		expectLimited(await service.send({ path: "/v1/videos/nonsense", headers: auth }), 60);
		expectLimited(
			await service.send({
				method: "POST",
				path: "/v1/videos",
				headers: { ...auth, "content-type": "text/plain" },
				body: "{",
			}),
			60,
		);
		expect((await service.send({ path: "/v1/domain", headers: unknownKey })).status).toBe(401);
	});

	it("are limited to 200 in a minute for each address without a valid credential, even on unknown routes", async () => {
		const { auth } = await service.tenant();
		const requests: Sent[] = [
			{ path: "/v1/domain" },
			{ path: "/v1/videos", headers: unknownKey },
			{ path: "/v1/nothing", headers: unknownKey },
			{ method: "DELETE", path: "/v1/health" },
		];
		const request = (index: number, address = "198.51.100.1"): Sent => {
			const chosen = requests[index % 4] as Sent;
			return { ...chosen, headers: { ...chosen.headers, ...from(address) } };
		};
		expect(await statuses(200, (index) => request(index))).toEqual(
			Array.from({ length: 50 }, () => [401, 401, 404, 404]).flat(),
		);
		for (const index of [0, 1, 2, 3]) expectLimited(await service.send(request(index)), 60);
		expect(await statuses(4, (index) => request(index, "198.51.100.2"))).toEqual([401, 401, 404, 404]);
		expect((await service.send({ path: "/v1/domain", headers: { ...auth, ...from("198.51.100.1") } })).status).toBe(
			200,
		);
		await service.clock.advance(60_000);
		expect((await service.send(request(0))).status).toBe(401);
	});

	it("of a valid key count on it and on no address, whatever they ask for", async () => {
		await service.engine.domains.ensure({ slug: "sandbox", limits: domainLimitDefaults });
		const { auth } = await service.tenant();
		const requests: Sent[] = [
			{ path: "/v1/nothing", headers: auth },
			{ method: "DELETE", path: "/v1/domain", headers: auth },
			{ path: "/v1/videos/x", headers: auth },
			{ path: "/v1/%6eothing", headers: auth },
		];
		expect(new Set(await statuses(200, (index) => requests[index % 4] as Sent))).toEqual(new Set([404, 400]));
		for (const request of requests) expectLimited(await service.send(request), 60);
		expectLimited(await service.send({ path: "/v1/domain", headers: auth }), 60);
		expectLimited(await service.send({ method: "POST", path: "/v1/sandbox/session", headers: auth }), 60);
		expect(await statuses(200, () => ({ path: "/v1/domain" }))).toEqual(Array(200).fill(401));
		expect(
			(await service.send({ method: "POST", path: "/v1/sandbox/session", headers: (await service.tenant()).auth }))
				.status,
		).toBe(200);
	});

	it("aren't counted where they are probes, documents or preflights", async () => {
		const free: Sent[] = [
			{ path: "/v1/health" },
			{ path: "/v1/openapi.all.json" },
			{ path: "/docs" },
			{ method: "OPTIONS", path: "/v1/domain" },
		];
		await statuses(200, () => ({ path: "/v1/domain" }));
		expectLimited(await service.send({ path: "/v1/domain" }), 60);
		expect(await statuses(4, (index) => free[index] as Sent)).toEqual([200, 200, 200, 404]);
		const limited = await statuses(204, (index) => ({ ...(free[index % 4] as Sent), headers: from("198.51.100.3") }));
		expect(limited).not.toContain(429);
		expect((await service.send({ path: "/v1/domain", headers: from("198.51.100.3") })).status).toBe(401);
	});

	it("leave quota codes to their quotas", async () => {
		const { domain, api_key } = await service.engine.domains.create({
			slug: "small",
			limits: { daily_upload_bytes: 11 },
		});
		expect(domain.limits.daily_upload_bytes).toBe(11);
		await service.engine.videos.create(await service.engine.keys.authenticate(`Bearer ${api_key}`), {
			content_type: "video/mp4",
			file_size: 1,
		});
		const request = {
			method: "POST",
			path: "/v1/videos",
			headers: bearer(api_key),
			json: { content_type: "video/mp4", file_size: 11, uploader_ref: "u" },
		};
		expect(await statuses(200, () => request)).toEqual(Array(200).fill(429));
		await service.clock.advance(60_000);
		const answer = await service.send(request);
		expect(answer.json).toMatchObject({ error: "upload_quota_exceeded" });
	});

	it("answer the quota's code where an initiate is over both", async () => {
		const { domain, api_key } = await service.engine.domains.create({
			slug: "both",
			limits: { daily_upload_bytes: 30, storage_bytes_limit: 40 },
		});
		const headers = bearer(api_key);
		const post = (path: string, json: object): Sent => ({ method: "POST", path, headers, json });
		const video = (file_size: number): Sent => post("/v1/videos", { content_type: "video/mp4", file_size });
		const outro = (file_size: number): Sent =>
			post("/v1/outros", { slug: "tail", content_type: "video/mp4", file_size });
		const keyed = (key: string): Sent => ({ ...video(20), headers: { ...headers, "idempotency-key": key } });
		expect((await service.send(keyed("first"))).status).toBe(201);
		await statuses(199, () => ({ path: "/v1/domain", headers }));
		for (const request of [
			video(10),
			outro(10),
			post("/v1/videos", {}),
			{ ...video(11), body: "{", json: undefined },
			{ path: "/v1/domain", headers },
			// It has what it asks for: no quota refuses it, and it is to come again.
			keyed("first"),
		])
			expectLimited(await service.send(request as Sent), 60);
		const tomorrow = "2026-02-01T00:00:00.000Z";
		for (const request of [video(11), outro(30), keyed("second")]) {
			expect(await service.send(request)).toMatchObject({
				status: 429,
				json: { error: "upload_quota_exceeded", retryAfter: tomorrow },
				headers: { "retry-after": expect.any(String) },
			});
		}
		const never = await service.send(video(31));
		expect([never.status, never.json]).toEqual([429, { error: "upload_quota_exceeded", message: expect.any(String) }]);
		await service.engine.admin.updateDomain(domain.id, { limits: { daily_upload_bytes: 1000 } });
		await service.clock.advance(1001);
		expect((await service.send(video(21))).json).toMatchObject({ error: "storage_quota_exceeded" });
		expectLimited(await service.send(video(20)), 58.999);
	});
});

describe("other planes", () => {
	it("take 200 chunks of one video in a minute, and any number of other requests", async () => {
		const { auth } = await service.tenant();
		const one = tusFor(service.url, await initiate(service, auth));
		const other = tusFor(service.url, await initiate(service, auth));
		expect([(await one.create()).status, (await other.create()).status]).toEqual([201, 201]);
		const misplaced = {
			method: "PATCH",
			path: one.path,
			headers: { ...one.headers, "content-type": "application/offset+octet-stream", "upload-offset": "5" },
		};
		expect(await statuses(199, () => misplaced)).toEqual(Array(199).fill(409));
		expect((await one.patch(0, "01234")).status).toBe(204);
		const limited = await one.patch(5, "56789");
		expectLimited(limited, 60);
		expect(limited.headers["access-control-expose-headers"]).toContain("Retry-After");
		expectLimited(
			await one.send({
				...misplaced,
				method: "POST",
				headers: { ...misplaced.headers, "x-http-method-override": "PATCH" },
			}),
			60,
		);
		expect((await one.head()).headers["upload-offset"]).toBe("5");
		expect((await other.patch(0, "0123456789")).status).toBe(204);
		await service.clock.advance(60_000);
		expect((await one.patch(5, "56789")).status).toBe(204);
	});

	it("issue 10 service tokens to an address in 10 minutes, and exempt the workers' routes", async () => {
		const { secret } = await service.engine.accounts.ensure({ name: "worker" });
		const issue = (address: string, json: unknown = { name: "worker", secret }) => ({
			method: "POST",
			path: "/internal/v1/token",
			headers: from(address),
			json,
		});
		const wrong = { name: "worker", secret: "wrong" };
		expect(await statuses(9, () => issue("198.51.100.1", wrong))).toEqual(Array(9).fill(401));
		await service.clock.advance(300_000);
		const { json } = await service.send(issue("198.51.100.1"));
		expectLimited(await service.send(issue("198.51.100.1")), 300);
		expectLimited(await service.send(issue("198.51.100.1", "nonsense")), 300);
		expect((await service.send(issue("198.51.100.2"))).status).toBe(200);
		const auth = bearer((json as { token: string }).token);
		const claim = {
			method: "POST",
			path: "/internal/v1/jobs/claim",
			headers: { ...auth, ...from("198.51.100.1") },
			json: { worker: "w", wait_seconds: 0 },
		};
		expect(await statuses(250, () => claim)).toEqual(Array(250).fill(204));
		await service.clock.advance(300_000);
		expect(await statuses(10, () => issue("198.51.100.1"))).toEqual([...Array(9).fill(200), 429]);
	});

	it("issue them by the account in the networks of workers, whatever others there ask for", async () => {
		const served = createServer(
			createNodeListener(service.engine, { ...service.options, workerNetworks: ["198.51.100.0/24"] }),
		);
		const url = await listen(served);
		try {
			const { secret } = await service.engine.accounts.ensure({ name: "one" });
			const other = await service.engine.accounts.create({ name: "two" });
			const issue = (address: string, json: unknown) => ({
				method: "POST",
				path: "/internal/v1/token",
				headers: from(address),
				json,
			});
			const one = { name: "one", secret };
			const { limit } = rateLimits.workerToken;
			expect(await statuses(100, (index) => issue(`198.51.100.${index}`, one), url)).toEqual(Array(100).fill(200));
			for (let taken = 100; taken < limit; taken++) await service.engine.rateLimits.take("workerToken", "one");
			expectLimited(await send(url, issue("198.51.100.77", one)), 600);
			expect(await statuses(10, () => issue("198.51.100.1", { name: "two", secret: other.secret }), url)).toEqual(
				Array(10).fill(200),
			);
			expect((await send(url, issue("198.51.100.1", "nonsense"))).status).toBe(400);
			expect(await statuses(11, () => issue("203.0.113.1", one), url)).toEqual([...Array(10).fill(200), 429]);
		} finally {
			served.closeAllConnections();
			served.close();
		}
	});

	it("let a worker with a valid token renew it, whatever others at its address did", async () => {
		const { secret } = await service.engine.accounts.ensure({ name: "worker" });
		const auth = await service.serviceAuth();
		const { service_account, secret: other } = await service.engine.accounts.create({ name: "gone" });
		const revoked = bearer((await service.engine.accounts.issueToken({ name: "gone", secret: other })).token);
		await service.engine.accounts.revoke(service_account.id);
		const issue = (headers: Record<string, string>, json = { name: "worker", secret }) => ({
			method: "POST",
			path: "/internal/v1/token",
			headers,
			json,
		});
		expect(await statuses(11, () => issue({}, { name: "worker", secret: "guess" }))).toEqual([
			...Array(10).fill(401),
			429,
		]);
		const again = await service.engine.accounts.ensure({ name: "worker" });
		const renewal = issue(auth, { name: "worker", secret: again.secret });
		// The address has used up its requests: a token that is still in the first half of its life is no renewal.
		expectLimited(await service.send(renewal), 600);
		await service.clock.advance(1_800_000);
		await service.engine.accounts.create({ name: "another" });
		expect(await statuses(11, () => issue({}, { name: "worker", secret: "guess" }))).toEqual([
			...Array(10).fill(401),
			429,
		]);
		expectLimited(await service.send(issue(auth, { name: "another", secret: "guess" })), 600);
		expect(await statuses(12, () => renewal)).toEqual(Array(12).fill(200));
		for (const headers of [{}, revoked, bearer("x"), (await service.tenant()).auth])
			expectLimited(await service.send({ ...renewal, headers }), 600);
		await service.clock.advance(599_000);
		expect((await service.send(renewal)).status).toBe(200);
		await service.clock.advance(1_800_000 - 599_000);
		expect(await statuses(11, () => renewal)).toEqual([...Array(10).fill(200), 429]);
	});

	it("deliver 2000 requests to an address in a minute, independently of the API", async () => {
		const get = (address: string, method = "GET"): Sent => ({
			method,
			path: "/videos/7f2c8a54-2d0f-4c43-9a1e-3f0f6f4f9a10/og.jpg",
			headers: from(address),
		});
		const some = await statuses(2000, (index) => get("198.51.100.1", index % 2 ? "HEAD" : "GET"));
		expect(some).toEqual(Array(2000).fill(401));
		const limited = await service.send(get("198.51.100.1"));
		expectLimited(limited, 60);
		expect([limited.headers["access-control-allow-origin"], limited.headers["cache-control"]]).toEqual([
			"*",
			"no-store",
		]);
		expect((await service.send(get("198.51.100.1", "OPTIONS"))).status).toBe(204);
		expect((await service.send(get("198.51.100.2"))).status).toBe(401);
		expect((await service.send({ path: "/v1/domain", headers: from("198.51.100.1") })).status).toBe(401);
		await service.clock.advance(60_000);
		expect((await service.send(get("198.51.100.1"))).status).toBe(401);
	});

	it("mint 3 sandbox sessions for an address in any 24 hours", async () => {
		await service.engine.domains.ensure({ slug: "sandbox", limits: domainLimitDefaults });
		const mint = (address: string) =>
			service.send({ method: "POST", path: "/v1/sandbox/session", headers: from(address) });
		const hour = 3_600_000;
		expect((await mint("198.51.100.1")).status).toBe(200);
		await service.clock.advance(20 * hour);
		expect([(await mint("198.51.100.1")).status, (await mint("198.51.100.1")).status]).toEqual([200, 200]);
		expectLimited(await mint("198.51.100.1"), 4 * 3600);
		expect((await mint("198.51.100.2")).status).toBe(200);
		await service.clock.advance(4 * hour);
		expect((await mint("198.51.100.1")).status).toBe(200);
		expectLimited(await mint("198.51.100.1"), 20 * 3600);
	});
});

describe("an address", () => {
	it("can't be feigned by X-Forwarded-For of a peer that isn't a trusted proxy", async () => {
		const direct = createServer(createNodeListener(service.engine, { ...service.options, trustedProxies: [] }));
		const url = await listen(direct);
		try {
			expect(
				await statuses(200, (index) => ({ path: "/v1/domain", headers: from(`198.51.100.${index}`) }), url),
			).toEqual(Array(200).fill(401));
			expectLimited(await send(url, { path: "/v1/domain", headers: from("203.0.113.77") }), 60);
		} finally {
			direct.closeAllConnections();
			direct.close();
		}
	});

	it("is what the caller of a Fetch handler says", async () => {
		const handle = createHandler(service.engine, { ...service.options, trustedProxies: [] });
		const ask = async (peerAddress?: string) =>
			(await handle(new Request("https://video.example/v1/domain"), { peerAddress })).status;
		for (let time = 0; time < 200; time++) expect(await ask("198.51.100.1")).toBe(401);
		expect([await ask("198.51.100.1"), await ask("198.51.100.2"), await ask()]).toEqual([429, 401, 401]);
	});
});

describe("several servers", () => {
	it("over one database share a key's limit", async () => {
		const { database, clock } = service;
		const engine = createEngine({
			...service.engineOptions,
			rateLimiter: createPostgresRateLimiter({ database, clock }),
		});
		const second = createServer(createNodeListener(engine, service.options));
		const url = await listen(second);
		try {
			const { auth } = await service.tenant();
			const get = { path: "/v1/domain", headers: auth };
			const both = await Promise.all([statuses(150, () => get), statuses(150, () => get, url)]);
			const allowed = both.flat().filter((status) => status === 200).length;
			expect(allowed).toBeLessThanOrEqual(200);
			expect(allowed).toBeGreaterThan(180);
			expectLimited(await service.send(get), 60);
			expectLimited(await send(url, get), 60);
			await clock.advance(60_000);
			expect([(await service.send(get)).status, (await send(url, get)).status]).toEqual([200, 200]);
		} finally {
			second.closeAllConnections();
			second.close();
		}
	});
});

describe("a lost store", () => {
	const told = () =>
		service.logger.entries
			.filter(({ message }) => message.startsWith("the rate limits' store"))
			.map(({ level, message }) => [level, message]);
	const rename = (name: string, to: string) =>
		service.database.query({ text: `alter table reelmill.${name} rename to ${to}`, values: [] });

	it("refuses sandbox sessions and their minting, lets everything else pass, and is told of once", async () => {
		await service.engine.domains.ensure({ slug: "sandbox", limits: domainLimitDefaults });
		const { api_key } = await service.engine.sandbox.createSession();
		const { auth } = await service.tenant();
		const mint = { method: "POST", path: "/v1/sandbox/session" };
		const video = { path: "/videos/7f2c8a54-2d0f-4c43-9a1e-3f0f6f4f9a10/og.jpg" };
		await rename("rate_limits", "rate_limits_away");
		for (let time = 0; time < 3; time++) {
			expectLimited(await service.send(mint), 5);
			expectLimited(await service.send({ path: "/v1/limits", headers: bearer(api_key) }), 5);
			expect((await service.send({ path: "/v1/domain", headers: auth })).status).toBe(200);
			expect((await service.send({ path: "/v1/domain" })).status).toBe(401);
			expect((await service.send(video)).status).toBe(401);
			await service.clock.advance(5000);
		}
		const lost = [
			"error",
			"the rate limits' store is lost: sandbox sessions are refused, other requests pass uncounted",
		];
		expect(told()).toEqual([lost]);

		await rename("rate_limits_away", "rate_limits");
		expect((await service.send(mint)).status).toBe(200);
		expect((await service.send({ path: "/v1/limits", headers: bearer(api_key) })).status).toBe(200);
		await service.clock.advance(10_000);
		await statuses(5, () => ({ path: "/v1/domain", headers: auth }));
		expect(told()).toEqual([lost, ["info", "the rate limits' store is back: requests are counted again"]]);
	});
});

describe("the sweeper", () => {
	it("forgets keys whose windows ended, and no others", async () => {
		const kept = () =>
			service.database.query({ text: "select key from reelmill.rate_limits order by key", values: [] });
		await service.send({ path: "/v1/domain", headers: from("198.51.100.1") });
		await service.clock.advance(30_000);
		await service.send({ path: "/v1/domain", headers: from("198.51.100.2") });
		await service.clock.advance(30_000);
		await service.engine.sweep();
		expect(await kept()).toEqual([{ key: "api:198.51.100.2" }]);
	});
});
