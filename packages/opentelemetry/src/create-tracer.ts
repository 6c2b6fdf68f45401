import {
	type Context,
	context,
	type Span as RecordedSpan,
	ROOT_CONTEXT,
	type SpanContext,
	SpanKind,
	SpanStatusCode,
	trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import type { Span, Tracer } from "./tracer.ts";

/** How the tracer names itself to what records its spans. */
export type TracerOptions = {
	/** The instrumentation's name (default: `reelmill`). */
	readonly name?: string;
	readonly version?: string;
};

const kinds = {
	internal: SpanKind.INTERNAL,
	server: SpanKind.SERVER,
	client: SpanKind.CLIENT,
	consumer: SpanKind.CONSUMER,
};

/**
 * Creates a tracer over OpenTelemetry's API, for a program that has started an SDK of its own: its spans go where the
 * SDK sends them. Without an SDK they go nowhere. `startTracing` starts one.
 *
 * @example
 * ```ts
 * import { createTracer } from "@reelmill/opentelemetry";
 *
 * const tracer = createTracer();
 * const answer = await tracer.span("think", {}, async () => 42);
 * console.log(answer, tracer.isRecording()); // => 42 false
 * ```
 */
export function createTracer({ name = "reelmill", version }: TracerOptions = {}): Tracer {
	const tracer = trace.getTracer(name, version);
	return {
		span(title, { kind = "internal", parent, link, attributes = {} }, work) {
			const around = parent === undefined ? context.active() : contextOf(parent);
			const other = link === undefined ? null : parseTraceParent(link);
			const links = other === null ? [] : [{ context: other }];
			const started = tracer.startSpan(title, { kind: kinds[kind], attributes, links }, around);
			const inside = trace.setSpan(around, started);
			try {
				const result = context.with(inside, work, undefined, spanOf(started, inside));
				if (!(result instanceof Promise)) started.end();
				else
					result.then(
						() => started.end(),
						(error: unknown) => endFailed(started, error),
					);
				return result;
			} catch (error) {
				endFailed(started, error);
				throw error;
			}
		},
		isRecording: () => trace.getActiveSpan()?.isRecording() ?? false,
		current() {
			const around = trace.getActiveSpan()?.spanContext();
			return around !== undefined && trace.isSpanContextValid(around) ? traceparentOf(around) : null;
		},
	};
}

function contextOf(traceparent: string | null): Context {
	const parent = traceparent === null ? null : parseTraceParent(traceparent);
	return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
	`00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

const spanOf = (span: RecordedSpan, inside: Context): Span => ({
	traceparent: traceparentOf(span.spanContext()),
	rename: (name) => void span.updateName(name),
	set: (attributes) => void span.setAttributes(attributes),
	fail: (type) => fail(span, type),
	within: (work) => context.with(inside, work),
});

function fail(span: RecordedSpan, type: string): void {
	span.setStatus({ code: SpanStatusCode.ERROR });
	span.setAttribute("error.type", type);
}

function endFailed(span: RecordedSpan, error: unknown): void {
	fail(span, typeOf(error));
	span.end();
}

/** An error's message may hold what a tenant wrote, so it is not recorded. */
function typeOf(error: unknown): string {
	if (!(error instanceof Error)) return "unknown";
	const { code } = error as { readonly code?: unknown };
	return typeof code === "string" && /^\w+$/.test(code) ? code : error.name;
}
