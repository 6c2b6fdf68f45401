import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";
import { openServer } from "./support/open-server.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

it("two servers over one database share a key's limit, and believe their trusted proxies alone", async () => {
	const { url: database, close } = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(close);
	const directory = await mkdtemp(join(tmpdir(), "reelmill-limits-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const start = async (settings: Record<string, string> = {}) => {
		const server = await openServer(directory, database, settings);
		cleanUp.push(server.stop);
		return server;
	};
	const trusting = await start({ TRUSTED_PROXIES: "127.0.0.0/8, ::1" });
	const servers = [trusting, await start()];
	const ask = (index: number, headers: Record<string, string>) =>
		fetch(`${servers[index % 2]?.url}/v1/domain`, { headers });

	const answers: Response[] = [];
	for (let index = 0; index < 240; index++) answers.push(await ask(index, trusting.auth));
	const allowed = answers.filter(({ status }) => status === 200).length;
	expect(allowed).toBeLessThanOrEqual(200);
	expect(allowed).toBeGreaterThanOrEqual(190);
	const refused = answers.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(240 - allowed);
	for (const answer of refused) {
		const seconds = Number(answer.headers.get("retry-after"));
		expect(seconds).toBeGreaterThan(0);
		expect(seconds).toBeLessThanOrEqual(60);
	}

	const strangers = async (server: number) => {
		const statuses: number[] = [];
		for (let index = 0; index < 201; index++)
			statuses.push((await ask(server, { "x-forwarded-for": `198.51.100.${index}` })).status);
		return statuses;
	};
	expect((await strangers(1)).at(-1)).toBe(429);
	expect(new Set(await strangers(0))).toEqual(new Set([401]));
});
