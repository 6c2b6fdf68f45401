import { startTracing } from "@reelmill/opentelemetry";

const { tracer, logger, stop } = await startTracing({
	serviceName: "video",
	url: "http://127.0.0.1:4318/v1/traces",
	sampler: "parentbased_traceidratio",
	ratio: 0.1,
	logger: console,
});

// createEngine({ tracer, logger, ... }) and createWorker({ tracer, logger, ... }) take both.
const traceparent = tracer.span("example", {}, ({ traceparent }) => traceparent);
if (!/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/.test(traceparent)) throw new Error("no trace context");
logger.info({ traceparent }, "traced, or left out by the sampler");

// Sends what is left, for at most three seconds.
await stop();
