import { context, trace } from "@opentelemetry/api";
import { createTracer } from "./create-tracer.ts";
import { createSampler, type SamplerName } from "./sampler.ts";
import { type Logger, tracedLogger } from "./traced-logger.ts";
import type { Tracer } from "./tracer.ts";

/** What is traced, how much of it, and who is told of trouble. */
export type TracingOptions = {
	/** `service.name`, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES names the service. */
	readonly serviceName: string;
	readonly serviceVersion?: string;
	/** Where spans go (default: what OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_EXPORTER_OTLP_ENDPOINT says). */
	readonly url?: string;
	/** Which traces are recorded (default: `parentbased_always_on`). */
	readonly sampler?: SamplerName;
	/** The share of traces for a sampler by ratio, from 0 to 1 (default: 1). */
	readonly ratio?: number;
	/** Is told when spans can't be sent, and when they can again (default: nobody is). */
	readonly logger?: Logger;
};

/** Tracing that was started. */
export type RunningTracing = {
	/** The tracer for engine and worker. */
	readonly tracer: Tracer;
	/** The given logger, with `trace_id` and `span_id` in what it logs inside of a span, as by `tracedLogger`. */
	readonly logger: Logger;
	/** Sends what was recorded, for at most three seconds, and ends the tracing. */
	stop(): Promise<void>;
};

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
/** A collector that doesn't answer must not hold up the end of a program for longer. */
const flushMilliseconds = 3000;

/**
 * Starts OpenTelemetry's SDK for this process, which sends spans as OTLP over HTTP, in JSON. The libraries are loaded
 * now, and not when this package is. The exporter itself takes its headers, certificates and timeouts from the
 * environment, by OpenTelemetry's names.
 *
 * @throws {RangeError} when `ratio` is not from 0 to 1.
 * @example
 * ```ts
 * import { startTracing } from "@reelmill/opentelemetry";
 *
 * const { tracer, stop } = await startTracing({ serviceName: "news", url: "http://127.0.0.1:4318/v1/traces" });
 * const traceparent = tracer.span("think", {}, (span) => span.traceparent);
 * console.log(traceparent.length); // => 55
 * await stop();
 * ```
 */
export async function startTracing(options: TracingOptions): Promise<RunningTracing> {
	const [{ AsyncLocalStorageContextManager }, exporters, resources, sdk, { tellingTrouble }] = await Promise.all([
		import("@opentelemetry/context-async-hooks"),
		import("@opentelemetry/exporter-trace-otlp-http"),
		import("@opentelemetry/resources"),
		import("@opentelemetry/sdk-trace"),
		import("./telling-trouble.ts"),
	]);
	const { serviceName, serviceVersion, url, sampler = "parentbased_always_on", ratio = 1, logger = silent } = options;
	const named = resources.resourceFromAttributes({
		"service.name": serviceName,
		...(serviceVersion !== undefined && { "service.version": serviceVersion }),
	});
	const detectors = [
		resources.serviceInstanceIdDetector,
		resources.resourceAttributesEnvDetector,
		resources.serviceNameEnvDetector,
	];
	const exporter = new exporters.OTLPTraceExporter(url === undefined ? {} : { url });
	const provider = new sdk.TracerProvider({
		resource: named.merge(resources.detectResources({ detectors })),
		sampler: createSampler(sdk, sampler, ratio),
		spanProcessors: [new sdk.BatchSpanProcessor({ exporter: tellingTrouble(exporter, logger), maxQueueSize: 8192 })],
	});
	context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
	trace.setGlobalTracerProvider(provider);
	const tracer = createTracer(serviceVersion === undefined ? {} : { version: serviceVersion });
	return {
		tracer,
		logger: tracedLogger(logger, tracer),
		async stop() {
			let timer: NodeJS.Timeout | undefined;
			const late = new Promise<void>((resolve) => {
				timer = setTimeout(resolve, flushMilliseconds);
			});
			await Promise.race([provider.shutdown().catch(() => {}), late]);
			clearTimeout(timer);
			trace.disable();
			context.disable();
		},
	};
}
