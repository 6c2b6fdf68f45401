import { ConnectionError, isReelmillError, ReelmillError, secondsUntilRetry } from "@reelmill/client";
import { answerCall } from "./answer-call.ts";
import type { Person, UploadRoutesOptions } from "./options.ts";
import { readCall } from "./read-call.ts";
import { assertSameSite, corsHeaders } from "./same-site.ts";

/**
 * Answers one request of a page. `source` is the same request as the framework knows it.
 * @throws what `authorize`, `describe` and `mayPlay` throw, and an Error when the service refuses the back end's own
 * key: the framework answers and logs these as its own failures. Of ReelmillErrors and ConnectionErrors the page is
 * told.
 */
export async function answerPage<Source, Who extends Person>(
	request: Request,
	source: Source,
	{ authorize, ...options }: UploadRoutesOptions<Source, Who>,
): Promise<Response> {
	const { allowedOrigins = [], onRefused } = options;
	const headers = { "cache-control": "no-store", ...corsHeaders(request, allowedOrigins) };
	if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: "POST", ...headers } });
	try {
		if (request.method !== "POST")
			throw new ReelmillError("bad_request", { status: 405, message: "Only POST is answered here." });
		assertSameSite(request, allowedOrigins);
		const person = await authorize(source);
		if (!person) throw new ReelmillError("unauthorized", { message: "Sign in first." });
		const call = await readCall(request);
		const answer = await answerCall(call, person, options);
		return Response.json(answer, { status: call.action === "video" ? 200 : 201, headers });
	} catch (error) {
		if (!isReelmillError(error) && !(error instanceof ConnectionError)) throw error;
		onRefused?.(error);
		return refusal(error, headers);
	}
}

/** Tells the page of an error as the service would: with its code, its fields and the time to wait. */
function refusal(error: ReelmillError | ConnectionError, headers: Record<string, string>): Response {
	if (error instanceof ConnectionError)
		return Response.json(
			{ error: "internal_error", message: "The video service can't be reached at the moment." },
			{ status: 503, headers },
		);
	const { code, rawCode = code, message, extras, status, requestId } = error;
	const seconds = secondsUntilRetry(undefined, (extras as { retryAfter?: unknown }).retryAfter);
	return Response.json(
		{ ...extras, error: rawCode, message },
		{
			status,
			headers: {
				...headers,
				...(status === 405 ? { allow: "POST" } : {}),
				...(seconds === undefined ? {} : { "retry-after": String(Math.ceil(seconds)) }),
				...(requestId === undefined ? {} : { "x-request-id": requestId }),
			},
		},
	);
}
