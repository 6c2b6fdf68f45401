import { type RunningTracing, startTracing } from "@reelmill/opentelemetry";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startCollector } from "../../../opentelemetry/test/support/collector.ts";
import { openService, type Service } from "../support/open-service.ts";
import { tusFor } from "../support/tus.ts";

let collector: Awaited<ReturnType<typeof startCollector>>;
let tracing: RunningTracing;
let service: Service;
let isClosed: boolean;
beforeEach(async () => {
	isClosed = false;
	collector = await startCollector();
	tracing = await startTracing({ serviceName: "test", url: `${collector.address}/v1/traces` });
	service = await openService({}, () => ({ tracer: tracing.tracer }));
});
afterEach(async () => {
	await close();
	await collector.close();
});

async function close(): Promise<void> {
	if (isClosed) return;
	isClosed = true;
	await service.close();
	await tracing.stop();
}

const strangers = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };
const traceparent = `00-${strangers.trace}-${strangers.span}-01`;
const id = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Returns the spans of requests that were answered until now. */
const requests = async () => {
	// A span ends when its connection has taken the answer.
	await close();
	return collector.spans.filter(({ kind }) => kind === "server");
};

it.each([
	["an operation", "GET", `/v1/videos/${id}`, "GET /v1/videos/{id}", 401],
	["a file of a video", "GET", `/videos/${id}/hls/text-of-a-viewer.m3u8`, "GET /videos/{id}/{path}", 401],
	["an upload", "PATCH", `/uploads/${id}`, "PATCH /uploads/{id}", 401],
	["an unknown path", "GET", "/text-of-a-stranger?key=secret", "GET", 404],
	["an unknown method", "PURGE", "/text-of-a-stranger", "_OTHER", 404],
])("names the span of a request for %s by its route", async (_what, method, path, name, status) => {
	expect((await service.send({ method, path })).status).toBe(status);
	const [span] = await requests();
	expect(span).toMatchObject({ name, attributes: { "http.response.status_code": status } });
	expect(collector.text()).not.toMatch(/text-of-a|secret/);
});

it("begins a trace for a stranger's request, and links it with the stranger's", async () => {
	await service.send({ path: "/v1/domain", headers: { traceparent } });
	const [span] = await requests();
	expect(span?.traceId).not.toBe(strangers.trace);
	expect(span?.links).toMatchObject([{ traceId: strangers.trace, spanId: strangers.span }]);
});

it("continues the trace that a worker names", async () => {
	await service.send({ method: "POST", path: `/internal/v1/jobs/${id}/heartbeat`, headers: { traceparent } });
	expect(await requests()).toMatchObject([{ traceId: strangers.trace, parentSpanId: strangers.span }]);
});

it("records no claims and no health checks, which come all the time, and no statement of theirs", async () => {
	const auth = await service.serviceAuth();
	const claim = { method: "POST", path: "/internal/v1/jobs/claim", json: { worker: "w" } };
	expect((await service.send({ ...claim, headers: { ...auth, traceparent } })).status).toBe(204);
	expect((await service.send({ path: "/v1/health" })).status).toBe(200);
	await requests();
	expect(collector.spans.filter(({ name }) => /claim|jobs|health/.test(name))).toEqual([]);
});

it("makes an upload a part of the trace that made its video, and of no other that a token names", async () => {
	const { auth } = await service.tenant();
	const json = { content_type: "video/mp4", file_size: 10, external_ref: "text-of-a-tenant" };
	const created = await service.send({ method: "POST", path: "/v1/videos", headers: auth, json });
	const tus = tusFor(service.url, created.json as Parameters<typeof tusFor>[1]);
	await tus.create();
	await tus.patch(0, "0123456789");
	await service.send({ method: "HEAD", path: tus.path, headers: { authorization: "Bearer forged", traceparent } });
	const spans = await requests();
	const initiate = spans.find(({ name }) => name === "POST /v1/videos");
	const uploads = spans.filter(({ name }) => name.includes("/uploads"));
	expect(uploads.map(({ name, traceId }) => [name, traceId === initiate?.traceId])).toEqual([
		["POST /uploads", true],
		["PATCH /uploads/{id}", true],
		["HEAD /uploads/{id}", false],
	]);
	expect(uploads[2]?.traceId).not.toBe(strangers.trace);
	expect(collector.text()).not.toContain("text-of-a-tenant");
});

it("records statements with their placeholders, and never with their values", async () => {
	const { auth } = await service.tenant();
	await service.send({ path: "/v1/videos?uploader_ref=text-of-a-tenant", headers: auth });
	await requests();
	const statements = collector.spans.filter(({ attributes }) => "db.query.text" in attributes);
	expect(statements.length).toBeGreaterThan(0);
	for (const { attributes, kind } of statements) {
		expect(kind).toBe("client");
		expect(attributes["db.query.text"]).toMatch(/\$1/);
		expect(attributes["db.query.summary"]).toMatch(/^[A-Z]+ reelmill\.\w+$/);
	}
	expect(collector.text()).not.toContain("text-of-a-tenant");
});
