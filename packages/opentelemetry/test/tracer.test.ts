import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
	createTracer,
	type RunningTracing,
	startTracing,
	type TracingOptions,
	tracedLogger,
} from "@reelmill/opentelemetry";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startCollector } from "./support/collector.ts";

let collector: Awaited<ReturnType<typeof startCollector>>;
let running: RunningTracing | undefined;
beforeEach(async () => {
	collector = await startCollector();
});
afterEach(async () => {
	await running?.stop();
	await collector.close();
});

const start = async (options: Partial<TracingOptions> = {}) => {
	running = await startTracing({ serviceName: "test", url: `${collector.address}/v1/traces`, ...options });
	return running;
};
/** Ends the tracing, and returns what was sent by then, by name. */
const sent = async () => {
	await running?.stop();
	running = undefined;
	return Object.fromEntries(collector.spans.map((span) => [span.name, span]));
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a tracer", () => {
	it("makes a span the parent of those that its work begins, over all that it awaits", async () => {
		const { tracer } = await start();
		await Promise.all(
			["a", "b"].map((name) =>
				tracer.span(name, {}, async () => {
					await turn();
					await tracer.span(`${name} in ${name}`, { kind: "client" }, turn);
				}),
			),
		);
		const spans = await sent();
		for (const name of ["a", "b"]) {
			expect(spans[`${name} in ${name}`]).toMatchObject({
				traceId: spans[name]?.traceId,
				parentSpanId: spans[name]?.spanId,
				kind: "client",
			});
		}
		expect(spans.a?.traceId).not.toBe(spans.b?.traceId);
	});

	it("continues the trace of a traceparent, and begins one for null and for a text that is none", async () => {
		const { tracer } = await start();
		const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
		const traceparent = `00-${traceId}-${spanId}-01`;
		tracer.span("around", {}, () => {
			tracer.span("continued", { parent: traceparent }, () => {});
			tracer.span("begun", { parent: null, link: traceparent }, () => {});
			tracer.span("garbage", { parent: "00-x'; drop table-00-1", link: "garbage" }, () => {});
		});
		const spans = await sent();
		expect(spans.continued).toMatchObject({ traceId, parentSpanId: spanId });
		expect(spans.begun?.links).toMatchObject([{ traceId, spanId }]);
		for (const name of ["begun", "garbage"]) {
			expect([spans.around?.traceId, traceId]).not.toContain(spans[name]?.traceId);
			expect(spans[name]?.parentSpanId ?? "").toBe("");
		}
		expect(spans.garbage?.links ?? []).toEqual([]);
	});

	it("marks a span whose work fails by the error's code or class, and never by its message", async () => {
		const { tracer } = await start();
		const failing = (name: string, error: unknown) =>
			expect(tracer.span(name, {}, () => Promise.reject(error))).rejects.toBe(error);
		await failing("code", Object.assign(new Error("text of a tenant"), { code: "video_not_found" }));
		await failing("class", new RangeError("text of a tenant"));
		await failing("text as code", Object.assign(new Error("x"), { code: "text of a tenant" }));
		await failing("no error", "text of a tenant");
		expect(() =>
			tracer.span("at once", {}, () => {
				throw new TypeError("text of a tenant");
			}),
		).toThrow(TypeError);
		const spans = await sent();
		const types = Object.entries(spans).map(([name, { status, attributes }]) => [
			name,
			status?.code,
			attributes["error.type"],
		]);
		expect(types).toEqual([
			["code", 2, "video_not_found"],
			["class", 2, "RangeError"],
			["text as code", 2, "Error"],
			["no error", 2, "unknown"],
			["at once", 2, "TypeError"],
		]);
		expect(collector.text()).not.toContain("text of a tenant");
	});

	it("tells of a recorded span that has not ended, and names it for others", async () => {
		const { tracer } = await start();
		expect([tracer.isRecording(), tracer.current()]).toEqual([false, null]);
		let later: Promise<boolean[]> | undefined;
		tracer.span("over soon", {}, ({ traceparent }) => {
			expect([tracer.isRecording(), tracer.current()]).toEqual([true, traceparent]);
			later = turn().then(() => [tracer.isRecording(), tracer.current() === traceparent]);
		});
		expect(await later).toEqual([false, true]);
	});

	it("hands on that a trace is not recorded", async () => {
		const { tracer } = await start({ sampler: "parentbased_traceidratio", ratio: 0 });
		const traceparent = tracer.span("not recorded", {}, (span) => {
			expect(tracer.isRecording()).toBe(false);
			return span.traceparent;
		});
		expect(traceparent).toMatch(/-00$/);
		tracer.span("continued elsewhere", { parent: traceparent }, () => {});
		tracer.span("asked for", { parent: traceparent.replace(/00$/, "01") }, () => {});
		expect(Object.keys(await sent())).toEqual(["asked for"]);
	});

	it.each([
		["always_off", []],
		["parentbased_always_off", ["child of recorded"]],
		["parentbased_always_on", ["begun", "child of recorded"]],
		["always_on", ["begun", "child of recorded", "child of unrecorded"]],
		["traceidratio", ["begun", "child of recorded", "child of unrecorded"]],
	] as const)("records by the sampler %s", async (sampler, recorded) => {
		const { tracer } = await start({ sampler });
		const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
		tracer.span("begun", { parent: null }, () => {});
		tracer.span("child of recorded", { parent: `00-${trace}-00f067aa0ba902b7-01` }, () => {});
		tracer.span("child of unrecorded", { parent: `00-${trace}-00f067aa0ba902b7-00` }, () => {});
		expect(Object.keys(await sent())).toEqual(recorded);
	});

	it("does its work without an SDK, and records nothing", () => {
		const tracer = createTracer();
		expect(tracer.span("nothing", {}, () => tracer.current())).toBeNull();
	});
});

describe("startTracing", () => {
	it("refuses a ratio that is none", async () => {
		await expect(startTracing({ serviceName: "test", sampler: "traceidratio", ratio: 2 })).rejects.toThrow(RangeError);
	});

	it("ends although the collector never answers", async () => {
		const silent = createServer().listen(0, "127.0.0.1");
		await new Promise((resolve) => silent.once("listening", resolve));
		const { tracer, stop } = await start({
			url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1/traces`,
		});
		tracer.span("lost", {}, () => {});
		await stop();
		running = undefined;
		silent.closeAllConnections();
		await new Promise((resolve) => silent.close(resolve));
		expect(tracer.span("after the end", {}, () => tracer.current())).toBeNull();
	});

	it("tells once that spans can't be sent", async () => {
		const told: object[] = [];
		const keep = (fields: object) => void told.push(fields);
		const logger = { debug: keep, info: keep, warn: keep, error: keep };
		const { tracer } = await start({ url: `${collector.address}/elsewhere`, logger });
		// More than one batch.
		for (let count = 0; count < 1500; count++) tracer.span("lost", {}, () => {});
		await sent();
		expect(told).toEqual([{ cause: expect.any(String) }]);
	});
});

it("adds the span around it to what is logged", async () => {
	const { tracer } = await start();
	const lines: object[] = [];
	const keep = (level: string) => (fields: object, message: string) => void lines.push({ level, ...fields, message });
	const logger = tracedLogger(
		{ debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") },
		tracer,
	);
	logger.warn({ a: 1 }, "outside");
	const [, trace_id, span_id] = tracer.span("around", {}, ({ traceparent }) => {
		for (const level of ["debug", "info", "warn", "error"] as const) logger[level]({ a: 1 }, "inside");
		return traceparent.split("-");
	});
	expect(lines).toEqual([
		{ level: "warn", a: 1, message: "outside" },
		...["debug", "info", "warn", "error"].map((level) => ({ level, a: 1, trace_id, span_id, message: "inside" })),
	]);
});
