import { api, commonErrors, type Operation } from "@reelmill/contracts";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pathOf, served } from "../support/contract.ts";
import { adminKey, openService, type Service } from "../support/open-service.ts";
import { bearer, type Sent } from "../support/send.ts";

let service: Service;
let lookUps: number;
beforeEach(async () => {
	lookUps = 0;
	service = await openService({ trustedProxies: ["127.0.0.0/8"] }, ({ database, clock }) => ({
		rateLimiter: createPostgresRateLimiter({ database, clock }),
		database: {
			query: (statement) => {
				if (/domain_keys|service_accounts/.test(statement.text)) lookUps++;
				return database.query(statement);
			},
			migrate: (migrations) => database.migrate(migrations),
		},
	}));
});
afterEach(() => service.close());

const stranger = { "x-forwarded-for": "198.51.100.1" };
const unknown = "00000000-0000-4000-8000-000000000000";
/** Another key in every guess. */
const guess = (index: number): Record<string, string> => bearer(`ek_${String(index).padStart(43, "0")}`);
const isGuarded = ({ plane, auth }: Operation): boolean =>
	["admin", "internal", "console"].includes(plane) && auth !== "none";
const guarded = served.filter(isGuarded);
const requestTo = (index: number): Sent => {
	const operation = guarded[index % guarded.length] as Operation;
	return { method: operation.method, path: pathOf(operation, () => unknown) };
};

/** Sends a guess to each guarded operation in turn, all at once, and counts the answers by their status. */
async function guessAll(times: number): Promise<Record<number, number>> {
	const sent = Array.from({ length: times }, (_, index) =>
		service.send({ ...requestTo(index), headers: { ...guess(index), ...stranger } }),
	);
	const counts: Record<number, number> = {};
	for (const { status } of await Promise.all(sent)) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

describe("guesses at the credentials of operators and workers", () => {
	it("are refused from the thirty-first in a minute on, over all those planes, without a look-up", async () => {
		expect(guarded.length).toBeGreaterThan(20);
		expect(await guessAll(300)).toEqual({ 401: 30, 429: 270 });
		expect(lookUps).toBe(30);
		const refused = await service.send({ ...requestTo(0), headers: stranger });
		expect([refused.status, refused.json]).toEqual([
			429,
			{
				error: "rate_limited",
				message: expect.any(String),
				retryAfter: new Date(service.clock.now() + 60_000).toISOString(),
			},
		]);
		expect(refused.headers["retry-after"]).toBe("60");
		expect((await service.send({ ...requestTo(0), headers: guess(0) })).status).toBe(401);
		await service.clock.advance(60_000);
		expect(await guessAll(31)).toEqual({ 401: 30, 429: 1 });
	});

	it("count a genuine credential of another plane, and a request without any", async () => {
		const { auth } = await service.tenant();
		const statusOf = async (path: string, headers: Record<string, string>) =>
			(await service.send({ path, headers: { ...stranger, ...headers } })).status;
		for (let time = 0; time < 10; time++) {
			expect(await statusOf("/admin/v1/domains", auth)).toBe(404);
			expect(await statusOf(`/internal/v1/jobs/${unknown}/source`, auth)).toBe(403);
			expect(await statusOf("/admin/v1/stats", {})).toBe(401);
		}
		for (const headers of [auth, {}]) expect(await statusOf("/admin/v1/domains", headers)).toBe(429);
		expect(await statusOf("/v1/domain", auth)).toBe(200);
		expect(await statusOf("/v1/domain", {})).toBe(401);
	});

	it("hold up neither the operator nor a worker at the same address", async () => {
		const worker = await service.serviceAuth();
		const statusOf = async (sent: Sent) =>
			(await service.send({ ...sent, headers: { ...stranger, ...sent.headers } })).status;
		await guessAll(40);
		expect(await statusOf({ path: "/admin/v1/domains", headers: bearer(adminKey) })).toBe(200);
		const claim: Sent = {
			method: "POST",
			path: "/internal/v1/jobs/claim",
			headers: worker,
			json: { worker: "w", wait_seconds: 0 },
		};
		for (let time = 0; time < 40; time++) expect(await statusOf(claim)).toBe(204);
		expect(await statusOf({ path: `/internal/v1/jobs/${unknown}/source`, headers: worker })).toBe(404);
		await service.clock.advance(3_600_000);
		await guessAll(40);
		const before = lookUps;
		for (let time = 0; time < 40; time++) expect(await statusOf(claim), "a token that has ended is told so").toBe(401);
		expect(lookUps).toBe(before);
	});
});

describe("the rule", () => {
	it("follows from the plane, so that it holds for operations that are yet to be served", () => {
		const all = Object.values(api) as Operation[];
		expect(all.filter(isGuarded).map(({ plane }) => plane)).toContain("console");
		for (const operation of all.filter(isGuarded))
			expect(commonErrors(operation), operation.path).toContain("rate_limited");
	});
});
