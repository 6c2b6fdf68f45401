import type { Operation } from "@reelmill/contracts";
import type { Engine, Span, SpanOptions } from "@reelmill/engine";
import type { Exchange } from "../node/exchange.ts";
import { routeOf } from "./route.ts";

/** Answers a request. Returns undefined, in place of a promise, if the whole answer was handed over at once. */
type Answer = () => Promise<void> | undefined;
/** Answers a request inside of a span that ends with the answer. */
export type TraceRequest = (exchange: Exchange, answer: Answer) => Promise<void> | undefined;

/** What asks all the time, and says nothing of any video. */
const untraced = new Set(["/internal/v1/jobs/claim", "/v1/health"]);
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Creates the function that makes requests spans, or one that does nothing if the engine is not traced. A request of an
 * upload belongs to the trace of its video, and a worker's request to the one that it names. Every other request begins
 * a trace, linked with the one that its client names: strangers choose neither our traces nor what we record.
 */
export function createTraceRequest({ tracer, uploads }: Pick<Engine, "tracer" | "uploads">): TraceRequest {
	if (tracer === undefined) return (_exchange, answer) => answer();
	return async (exchange, answer) => {
		const { request, path } = exchange;
		if (untraced.has(path)) return answer();
		const method = methods.has(request.method ?? "") ? (request.method as string) : "_OTHER";
		const route = routeOf(path);
		const attributes = { "http.request.method": method, ...(route !== null && { "http.route": route }) };
		const options = { kind: "server", attributes, ...(await contextOf(exchange, uploads)) } as const;
		return tracer.span(route === null ? method : `${method} ${route}`, options, (span) =>
			untilClosed(exchange, span, answer),
		);
	};
}

async function contextOf(
	exchange: Exchange,
	uploads: Engine["uploads"],
): Promise<Pick<SpanOptions, "parent" | "link">> {
	const { request, path, authorization } = exchange;
	const sent = request.headers.traceparent?.toString();
	if (path.startsWith("/internal/v1/")) return { parent: sent ?? null };
	const isUpload = path === "/uploads" || path.startsWith("/uploads/");
	if (!isUpload) return { parent: null, link: sent };
	// A token that is refused here is refused again, and answered, by the plane.
	const { trace = null } = await uploads.authenticate(authorization).catch(() => ({ trace: null }));
	return { parent: trace, link: sent };
}

async function untilClosed(exchange: Exchange, span: Span, answer: Answer): Promise<void> {
	const { response } = exchange;
	exchange.span = span;
	const closed = new Promise<void>((resolve) => {
		if (response.closed) resolve();
		else response.once("close", resolve);
	});
	await answer();
	await closed;
	const { statusCode: status } = response;
	span.set({ "http.response.status_code": status });
	if (status >= 500) span.fail(String(status));
	else if (!response.writableFinished) span.fail("client_left");
}

/** Does work in the request's span, for callers that Node calls outside of it. */
export const inSpan = ({ span }: Exchange, work: () => void): void => (span === undefined ? work() : span.within(work));

/** Names a request's span by the operation that it is for. */
export function nameByRoute({ span }: Exchange, { method, path }: Pick<Operation, "method" | "path">): void {
	if (span === undefined) return;
	span.rename(`${method} ${path}`);
	span.set({ "http.route": path });
}
