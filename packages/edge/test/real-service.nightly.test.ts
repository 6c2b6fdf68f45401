import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryCache } from "@reelmill/edge";
import { createNodeEdge } from "@reelmill/edge/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliveredFiles, finished } from "../../http/test/support/finished.ts";
import { openService, type Service } from "../../http/test/support/open-service.ts";
import { bearer, send } from "../../http/test/support/send.ts";
import { comparable } from "./support/comparable.ts";

type Tenant = Awaited<ReturnType<Service["tenant"]>>;

describe.each(["ES256", "EdDSA", "HS256"] as const)("an edge before the service, with keys of %s,", (algorithm) => {
	const verifies = algorithm !== "HS256";
	let service: Service;
	let tenant: Tenant;
	let other: Tenant;
	let url: string;
	let poll: () => Promise<void>;
	let close: () => Promise<void>;
	const reached: string[] = [];

	beforeAll(async () => {
		service = await openService({ trustedProxies: ["127.0.0.1"] }, () => ({ playbackKeyAlgorithm: algorithm }));
		[tenant, other] = [await service.tenant(), await service.tenant()];
		const counting = createServer((request, response) => {
			if (request.url?.startsWith("/videos/")) reached.push(`${request.method} ${request.url}`);
			service.listener(request, response);
		});
		const front = await listening(counting);
		const monotonic = () => service.clock.now();
		const edge = createNodeEdge({
			service: front,
			domains: [tenant.domain.id],
			monotonic,
			now: monotonic,
			cache: createMemoryCache({ monotonic }),
		});
		const server = createServer(edge.listener);
		url = await listening(server);
		poll = edge.poll;
		close = async () => {
			edge.stop();
			for (const one of [server, counting]) {
				one.closeAllConnections();
				await new Promise((resolve) => one.close(resolve));
			}
			await service.close();
		};
		// The first minute of a feed is one of its own.
		await poll();
		await pass(70);
	});
	afterAll(() => close());

	async function pass(seconds: number): Promise<void> {
		for (let second = 0; second < seconds; second++) {
			await service.clock.advance(1000);
			if (seconds - second < 8) await poll();
		}
	}
	const api = (method: string, path: string, json?: unknown, { auth }: Tenant = tenant) =>
		service.send({ method, path, headers: auth, ...(json !== undefined && { json }) });
	async function mint(more: { viewer_ref?: string; video_ids?: string[]; ttl_seconds?: number } = {}, by = tenant) {
		const { json } = await api("POST", "/v1/playback-keys", { viewer_ref: "ann", ...more }, by);
		return (json as { playback_key: string }).playback_key;
	}
	type Asked = { key?: string; headers?: Record<string, string>; method?: string };
	const asking =
		(to: () => string) =>
		(id: string, { key, headers, method = "GET" }: Asked = {}, file = "web.mp4") =>
			send(to(), {
				method,
				path: `/videos/${id}/${file}`,
				headers: { ...(key !== undefined && bearer(key)), ...headers },
			});
	const ask = asking(() => url);
	const askService = asking(() => service.url);
	async function same(id: string, asked: Asked = {}, file = "web.mp4") {
		const answers = [await ask(id, asked, file), await askService(id, asked, file)] as const;
		expect(comparable(answers[0])).toEqual(comparable(answers[1]));
		return answers[0];
	}

	it("gives private files to viewers with good keys, out of its cache where it can verify them", async () => {
		const id = await finished(service, tenant.auth);
		for (const file of Object.keys(deliveredFiles))
			expect((await same(id, { key: await mint() }, file)).status).toBe(200);
		reached.length = 0;
		for (const file of Object.keys(deliveredFiles))
			expect((await ask(id, { key: await mint({ viewer_ref: "bob" }) }, file)).text).toBe(deliveredFiles[file]);
		expect(reached.length).toBe(verifies ? 0 : Object.keys(deliveredFiles).length);
		for (const asked of [
			{ method: "HEAD" },
			{ headers: { range: "bytes=2-4" } },
			{ headers: { range: "bytes=-3" } },
			{ headers: { range: "bytes=10-" } },
			{ headers: { "if-none-match": "*" } },
			{ headers: { "if-range": '"x"', range: "bytes=0-1" } },
			{ method: "OPTIONS" },
			{ method: "POST" },
		])
			await same(id, { key: await mint(), ...asked });
	});

	it("refuses all others as the service does", async () => {
		const [id, second] = [await finished(service, tenant.auth), await finished(service, tenant.auth)];
		const good = await mint();
		expect((await ask(id, { key: good })).status).toBe(200);
		const short = await mint({ ttl_seconds: 60 });
		expect((await ask(id, { key: short })).status).toBe(200);
		await pass(61);
		for (const key of [
			undefined,
			"garbage",
			short,
			`${good.slice(0, -2)}AA`,
			await mint({}, other),
			await mint({ video_ids: [second] }),
		])
			for (const video of [id, "00000000-0000-4000-8000-000000000000"])
				expect((await same(video, key === undefined ? {} : { key })).status).toBe(401);
		expect((await same(id, {}, "none.mp4")).status).toBe(401);
		expect((await same(id, { key: good }, "none.mp4")).status).toBe(404);
		expect((await same(id, { key: good }, "x/../web.mp4")).status).toBe(400);
	});

	it("stops a revoked viewer, and everybody after a revoke-all, within 5 s, and takes later keys", async () => {
		const id = await finished(service, tenant.auth);
		const [bad, good] = [await mint({ viewer_ref: "bad" }), await mint({ viewer_ref: "good" })];
		expect((await ask(id, { key: bad })).status).toBe(200);
		await api("POST", "/v1/playback-keys/revoke", { viewer_ref: "bad" });
		const later = await mint({ viewer_ref: "bad" });
		await pass(5);
		expect((await same(id, { key: bad })).status).toBe(401);
		reached.length = 0;
		expect((await ask(id, { key: good })).status).toBe(200);
		expect(reached.length).toBe(verifies ? 0 : 1);
		for (let round = 0; round < 2; round++) {
			reached.length = 0;
			expect((await ask(id, { key: later })).status).toBe(200);
		}
		await pass(4);
		await ask(id, { key: later });
		reached.length = 0;
		expect((await ask(id, { key: later })).status).toBe(200);
		expect(reached.length).toBe(verifies ? 0 : 1);
		await api("POST", "/v1/playback-keys/revoke-all");
		const last = await mint({ viewer_ref: "bad" });
		await pass(5);
		for (const key of [good, later]) expect((await same(id, { key })).status).toBe(401);
		expect((await ask(id, { key: last })).status).toBe(200);
	});

	it("forgets within 5 s what was deleted or made private, and gives out what was made public", async () => {
		const [deleted, closed] = [await finished(service, tenant.auth), await finished(service, tenant.auth, "public")];
		const key = await mint();
		for (let round = 0; round < 2; round++) {
			expect((await ask(deleted, { key })).status).toBe(200);
			expect((await ask(closed)).status).toBe(200);
		}
		expect((await api("DELETE", `/v1/videos/${deleted}`)).status).toBeLessThan(300);
		expect((await api("PATCH", `/v1/videos/${closed}/visibility`, { visibility: "private" })).status).toBe(200);
		await pass(5);
		expect((await same(deleted, { key })).status).toBe(401);
		expect((await same(closed)).status).toBe(401);
		expect((await same(closed, { key })).status).toBe(200);
		await api("PATCH", `/v1/videos/${closed}/visibility`, { visibility: "public" });
		await pass(5);
		expect((await same(closed)).status).toBe(200);
	});

	it("keeps no public video of a domain that it doesn't follow", async () => {
		const id = await finished(service, other.auth, "public");
		for (let round = 0; round < 2; round++) expect((await ask(id)).status).toBe(200);
		await api("PATCH", `/v1/videos/${id}/visibility`, { visibility: "private" }, other);
		await pass(3);
		expect((await same(id)).status).toBe(401);
	});
});

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
