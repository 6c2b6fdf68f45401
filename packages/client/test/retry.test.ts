import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, secondsUntilRetry } from "../src/index.ts";
import { type Answer, scriptedServer } from "./support/scripted-server.ts";

const retry = { limit: 2, backoffSeconds: 0.01 };
const create = { body: { content_type: "video/mp4", file_size: 1 } };
const ok: Answer = { status: 200, body: { id: "x" } };
const error = (code: string, status: number, more: object = {}, headers: Record<string, string> = {}): Answer => ({
	status,
	headers,
	body: { error: code, ...more },
});

async function attempts(name: "createVideo" | "getDomain" | "createPlaybackKey", ...answers: Answer[]) {
	await using server = await scriptedServer(...answers);
	const started = performance.now();
	const client = createClient({ baseUrl: server.baseUrl, retry });
	const call = () => {
		if (name === "createVideo") return client.call(name, create);
		return name === "getDomain" ? client.call(name, {}) : client.call(name, { body: { viewer_ref: "v" } });
	};
	const outcome = await call().then(
		() => "ok",
		(thrown: { code?: string; reason?: string }) => thrown.code ?? thrown.reason,
	);
	return {
		outcome,
		tries: server.seen.length,
		seconds: (performance.now() - started) / 1000,
		bodies: new Set(server.seen.map(({ body }) => body)).size,
		keys: new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size,
	};
}

describe("retrying", () => {
	it("repeats calls that were refused for now, POST too, with the same body", async () => {
		expect(
			await attempts("getDomain", error("storage_unavailable", 503), error("internal_error", 500), ok),
		).toMatchObject({ outcome: "ok", tries: 3 });
		expect(await attempts("createVideo", error("storage_unavailable", 503), ok)).toMatchObject({
			outcome: "ok",
			tries: 2,
			bodies: 1,
		});
	});

	it("ends at the limit with the last error", async () => {
		expect(await attempts("getDomain", error("storage_unavailable", 503))).toMatchObject({
			outcome: "storage_unavailable",
			tries: 3,
		});
	});

	it("waits as long as Retry-After says", async () => {
		const result = await attempts("createVideo", error("rate_limited", 429, {}, { "retry-after": "1" }), ok);
		expect(result).toMatchObject({ outcome: "ok", tries: 2 });
		expect(result.seconds).toBeGreaterThanOrEqual(0.99);
	});

	it("waits until the body's retryAfter where the header can't be read", async () => {
		const result = await attempts(
			"createVideo",
			error("rate_limited", 429, { retryAfter: new Date(Date.now() + 600).toISOString() }),
			ok,
		);
		expect(result).toMatchObject({ outcome: "ok", tries: 2 });
		expect(result.seconds).toBeGreaterThanOrEqual(0.4);
	});

	it("does not wait longer than the caller allows", async () => {
		expect(await attempts("createVideo", error("rate_limited", 429, {}, { "retry-after": "3600" }), ok)).toMatchObject({
			outcome: "rate_limited",
			tries: 1,
		});
	});

	it("never repeats a quota code, nor any other that the catalogue does not call retryable", async () => {
		const soon = { retryAfter: new Date().toISOString() };
		for (const [code, status] of [
			["upload_quota_exceeded", 429],
			["storage_quota_exceeded", 429],
			["too_many_incomplete_uploads", 429],
			["unauthorized", 401],
			["validation_error", 400],
		] as const) {
			expect(await attempts("createVideo", error(code, status, soon, { "retry-after": "0" }), ok)).toMatchObject({
				outcome: code,
				tries: 1,
			});
			expect(await attempts("createVideo", error(code, status), ok)).toMatchObject({ outcome: code, tries: 1 });
		}
	});

	it("does not repeat what a proxy refused for good", async () => {
		expect(await attempts("getDomain", { status: 413, body: "<html>" }, ok)).toMatchObject({
			outcome: "internal_error",
			tries: 1,
		});
		expect(await attempts("getDomain", { status: 502, body: "<html>" }, ok)).toMatchObject({ outcome: "ok", tries: 2 });
	});

	it("repeats a GET after a broken connection", async () => {
		expect(await attempts("getDomain", "reset", "reset", ok)).toMatchObject({ outcome: "ok", tries: 3 });
		expect(await attempts("getDomain", "reset")).toMatchObject({ outcome: "unreachable", tries: 3 });
	});

	it("repeats a GET whose answer broke off", async () => {
		const broken = () => new ReadableStream({ pull: (stream) => stream.error(new TypeError("terminated")) });
		const answers = [new Response(broken()), Response.json({ id: "x" })];
		const fetch = async () => answers.shift() as Response;
		const client = createClient({ baseUrl: "http://service", fetch, retry });
		expect(await client.call("getDomain", {})).toEqual({ id: "x" });
	});

	const unknownEffects: Answer[] = ["reset", error("internal_error", 500), { status: 502, body: "<html>" }];

	it("never repeats a POST whose effect is unknown", async () => {
		for (const answer of unknownEffects)
			expect(await attempts("createPlaybackKey", answer, ok)).toMatchObject({
				outcome: answer === "reset" ? "unreachable" : "internal_error",
				tries: 1,
			});
	});

	it("repeats a creation whatever became of it, under the same key", async () => {
		for (const answer of unknownEffects)
			expect(await attempts("createVideo", answer, answer, ok)).toMatchObject({
				outcome: "ok",
				tries: 3,
				bodies: 1,
				keys: 1,
			});
	});

	it("repeats nothing for a code that it doesn't know, but where its status says that the server is in trouble", async () => {
		expect(await attempts("getDomain", error("teapot", 418), ok)).toMatchObject({ tries: 1 });
		expect(await attempts("getDomain", error("on_holiday", 503), ok)).toMatchObject({ outcome: "ok", tries: 2 });
	});
});

describe("aborting", () => {
	it("ends a call that waits for its answer, with the signal's reason", async () => {
		await using server = await scriptedServer("hang");
		const controller = new AbortController();
		const call = createClient({ baseUrl: server.baseUrl }).call("getDomain", {}, { signal: controller.signal });
		const reason = new Error("the user left");
		await Promise.all([expect(call).rejects.toBe(reason), server.next().then(() => controller.abort(reason))]);
		expect(server.seen).toHaveLength(1);
	});

	it("ends a call that waits for its retry", async () => {
		await using server = await scriptedServer(error("rate_limited", 429, {}, { "retry-after": "50" }));
		const controller = new AbortController();
		const answered: typeof fetch = async (...request) => {
			const response = await fetch(...request);
			setTimeout(() => controller.abort(), 100);
			return response;
		};
		const call = createClient({ baseUrl: server.baseUrl, fetch: answered }).call(
			"getDomain",
			{},
			{ signal: controller.signal },
		);
		await expect(call).rejects.toMatchObject({ name: "AbortError" });
		expect(server.seen).toHaveLength(1);
	});

	it("ends a wait with the signal's reason, whatever that is", async () => {
		await using server = await scriptedServer(error("rate_limited", 429, {}, { "retry-after": "50" }));
		const left = new AbortController();
		const call = createClient({ baseUrl: server.baseUrl }).call("getDomain", {}, { signal: left.signal });
		await server.next();
		setTimeout(() => left.abort("the user left"), 100);
		await expect(call).rejects.toBe("the user left");
	});

	it("sends nothing when it was aborted before", async () => {
		await using server = await scriptedServer(ok);
		await expect(
			createClient({ baseUrl: server.baseUrl }).call("getDomain", {}, { signal: AbortSignal.abort() }),
		).rejects.toMatchObject({
			name: "AbortError",
		});
		expect(server.seen).toHaveLength(0);
	});
});

describe("a page that is offline", () => {
	afterEach(() => vi.unstubAllGlobals());

	it("waits with a retry until it is online, also after a timeout", async () => {
		await using server = await scriptedServer("hang", ok);
		const page = new EventTarget();
		const browser = { onLine: false };
		vi.stubGlobal("navigator", browser);
		vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
		let tries = 0;
		const counted: typeof fetch = (...request) => {
			tries++;
			return fetch(...request);
		};
		const patient = { limit: 1, backoffSeconds: 0.01 };
		const client = createClient({ baseUrl: server.baseUrl, fetch: counted, retry: patient, timeoutSeconds: 0.2 });
		const call = client.call("getDomain", {});
		await new Promise((resolve) => setTimeout(resolve, 600));
		expect(tries).toBe(1);
		browser.onLine = true;
		page.dispatchEvent(new Event("online"));
		expect(await call).toEqual({ id: "x" });
		expect(tries).toBe(2);
	});
});

describe("the wait that an answer asks for", () => {
	const now = () => Date.parse("2026-11-01T00:00:00.000Z");

	it("is read from seconds, dates and retryAfter, the header first, and is never negative", () => {
		expect(secondsUntilRetry("7", "2026-11-01T01:00:00.000Z", now)).toBe(7);
		expect(secondsUntilRetry("Sun, 01 Nov 2026 00:00:30 GMT", undefined, now)).toBe(30);
		expect(secondsUntilRetry(null, "2026-11-01T00:00:01.500Z", now)).toBe(1.5);
		expect(secondsUntilRetry("soon", "2026-11-01T00:00:02.000Z", now)).toBe(2);
		expect(secondsUntilRetry(null, "2026-10-31T00:00:00.000Z", now)).toBe(0);
		expect(secondsUntilRetry(null, undefined, now)).toBeUndefined();
	});
});
