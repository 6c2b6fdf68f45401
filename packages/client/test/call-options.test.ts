import { describe, expect, it, vi } from "vitest";
import { createClient, type ReceivedResponse, type SentRequest } from "../src/index.ts";
import { type Answer, scriptedServer } from "./support/scripted-server.ts";

const away: Answer = { status: 503, headers: { "x-request-id": "r-1" }, body: { error: "storage_unavailable" } };
const ok: Answer = { status: 200, headers: { "x-request-id": "r-2" }, body: { id: "x" } };
const retry = { limit: 2, backoffSeconds: 0.01 };

describe("one call", () => {
	it("may have other retries than its client", async () => {
		await using server = await scriptedServer(away);
		const client = createClient({ baseUrl: server.baseUrl, retry });
		for (const [options, tries] of [
			[{ retries: 0 }, 1],
			[{ retries: 4 }, 5],
			[{}, 3],
		] as const) {
			server.seen.length = 0;
			await expect(client.call("getDomain", {}, options)).rejects.toMatchObject({ code: "storage_unavailable" });
			expect(server.seen).toHaveLength(tries);
		}
	});

	it("may have another time than its client, for each of its attempts", async () => {
		await using server = await scriptedServer("hang");
		// Counted here: an attempt may be over before its request has arrived.
		let tries = 0;
		const counted: typeof fetch = (...request) => {
			tries++;
			return fetch(...request);
		};
		const client = createClient({ baseUrl: server.baseUrl, fetch: counted, retry, timeoutSeconds: 3600 });
		await expect(client.call("getDomain", {}, { timeoutSeconds: 0.05 })).rejects.toMatchObject({
			name: "ConnectionError",
			reason: "timeout",
		});
		expect(tries).toBe(3);
		tries = 0;
		const options = { timeoutSeconds: 0.05, retries: 0 };
		await expect(client.call("getDomain", {}, options)).rejects.toMatchObject({ reason: "timeout" });
		expect(tries).toBe(1);
	});

	it.each([
		["answers never", () => new Promise<Response>(() => {})],
		["ends its answer never", async () => new Response(new ReadableStream())],
	])("ends in time and by its signal with a fetch that ignores the signal and %s", async (_, fetch) => {
		const client = createClient({ baseUrl: "http://service", fetch, retry: { limit: 0 } });
		await expect(client.call("getDomain", {}, { timeoutSeconds: 0.05 })).rejects.toMatchObject({ reason: "timeout" });
		const left = new AbortController();
		const call = client.call("getDomain", {}, { signal: left.signal });
		left.abort(new Error("the page is left"));
		await expect(call).rejects.toThrow("the page is left");
	});

	it("waits as long as it is told, also for longer than a timer can", async () => {
		await using server = await scriptedServer(ok);
		const client = createClient({ baseUrl: server.baseUrl });
		expect(await client.call("getDomain", {}, { timeoutSeconds: 1e9 })).toEqual({ id: "x" });
		expect(await client.call("getDomain", {}, { timeoutSeconds: Number.POSITIVE_INFINITY })).toEqual({ id: "x" });
	});

	it("has no key, but the creation of a video or an outro", async () => {
		await using server = await scriptedServer(ok);
		const client = createClient({ baseUrl: server.baseUrl });
		const clip = { content_type: "video/mp4", file_size: 1 };
		await client.call("createVideo", { body: clip });
		await client.call("createOutro", { body: { ...clip, slug: "tail" } });
		await client.call("createVideo", { body: clip }, { idempotencyKey: "order-1" });
		await client.call("createPlaybackKey", { body: { viewer_ref: "v" } }, { idempotencyKey: "order-2" });
		await client.call("getDomain", {});
		const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
		expect(keys).toEqual([
			expect.stringMatching(/^[0-9a-f]{32}$/),
			expect.stringMatching(/^[0-9a-f]{32}$/),
			"order-1",
			undefined,
			undefined,
		]);
		expect(keys[0]).not.toBe(keys[1]);
	});
});

describe("onRequest and onResponse", () => {
	it("are told a time that no change of the clock moves: a call never reads the clock", async () => {
		using clock = vi.spyOn(Date, "now").mockImplementation(() => {
			throw new Error("Next.js refuses to prerender what reads the clock.");
		});
		const client = createClient({
			baseUrl: "https://video.example.com",
			fetch: async () => Response.json({ id: "x" }),
		});
		const seconds: number[] = [];
		await client.call("getDomain", {}, { onResponse: (response) => seconds.push(response.seconds) });
		expect(clock).not.toHaveBeenCalled();
		expect(seconds[0]).toBeGreaterThanOrEqual(0);
	});

	it("see each attempt and each answer of the client's calls and of one call's", async () => {
		await using server = await scriptedServer("reset", away, ok);
		const seen: string[] = [];
		const note =
			(whose: string) =>
			(one: SentRequest | ReceivedResponse): void => {
				const answer = "status" in one ? ` ${one.status} ${one.requestId} ${one.headers.get("content-type")}` : "";
				seen.push(`${whose} ${one.operation} ${one.method} ${new URL(one.url).pathname} ${one.attempt}${answer}`);
			};
		const client = createClient({
			baseUrl: server.baseUrl,
			retry,
			onRequest: note("client"),
			onResponse: (response) => {
				expect(response.seconds).toBeGreaterThanOrEqual(0);
				note("client")(response);
			},
		});
		await client.call("getDomain", {}, { onRequest: note("call") });
		expect(seen).toEqual([
			"client getDomain GET /v1/domain 1",
			"call getDomain GET /v1/domain 1",
			"client getDomain GET /v1/domain 2",
			"call getDomain GET /v1/domain 2",
			"client getDomain GET /v1/domain 2 503 r-1 application/json",
			"client getDomain GET /v1/domain 3",
			"call getDomain GET /v1/domain 3",
			"client getDomain GET /v1/domain 3 200 r-2 application/json",
		]);
	});

	it("may set headers, and are waited for", async () => {
		await using server = await scriptedServer(away, ok);
		const client = createClient({
			baseUrl: server.baseUrl,
			credential: "ek_one",
			retry,
			onRequest: async ({ headers, attempt }) => {
				await Promise.resolve();
				expect(headers.has("traceparent")).toBe(false);
				headers.set("traceparent", `00-${attempt}`);
			},
		});
		await client.call("getDomain", {});
		expect(server.seen.map(({ headers }) => [headers["traceparent"], headers.authorization])).toEqual([
			["00-1", "Bearer ek_one"],
			["00-2", "Bearer ek_one"],
		]);
	});

	it("end the call with the error that they throw, and nothing is retried", async () => {
		await using server = await scriptedServer(ok);
		const client = createClient({ baseUrl: server.baseUrl, retry });
		const refuse = () => {
			throw new TypeError("not today");
		};
		await expect(client.call("getDomain", {}, { onRequest: refuse })).rejects.toThrow("not today");
		expect(server.seen).toHaveLength(0);
		await expect(client.call("getDomain", {}, { onResponse: refuse })).rejects.toThrow("not today");
		expect(server.seen).toHaveLength(1);
	});
});
