export { createTracer, type TracerOptions } from "./create-tracer.ts";
export { type RunningTracing, startTracing, type TracingOptions } from "./start-tracing.ts";
export { type Logger, tracedLogger } from "./traced-logger.ts";
export type { Span, SpanAttributes, SpanKind, SpanOptions, Tracer } from "./tracer.ts";
