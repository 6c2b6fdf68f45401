import type { WebhookEvent } from "@reelmill/contracts";
import { WebhookVerificationError } from "@reelmill/webhooks";
import { verifyWebhook, type WebhookHeaders } from "../verify-webhook.ts";

export type WebhookHandlerOptions = {
	/** The domain's `whsec_` secret, or a function that gives it, asked for each request. */
	secret: string | (() => string | Promise<string>);
	/**
	 * Called with each event that is proved, and awaited: a 204 is answered when it comes back. What it throws goes to
	 * the framework, whose 5xx makes Reelmill send the event again later. The same event can come twice: deduplicate on
	 * its `id`. Leave types alone that you don't know.
	 */
	onEvent: (event: WebhookEvent) => unknown;
	/** Called with the reason of each request that was refused with a 400, for a log. */
	onRefused?: (error: WebhookVerificationError) => void;
	/** Unix time in milliseconds; `Date.now` unless told. */
	now?: () => number;
};

/** What the sender is answered. */
export type WebhookAnswer = { status: 204; text: "" } | { status: 400 | 413; text: string };

/** Bodies beyond this are refused with a 413 before anything else is done with them; an event is some kilobytes. */
const largestBody = 1024 * 1024;

/**
 * Proves one request and hands its event over.
 * @throws what `onEvent` throws, and the WebhookVerificationError for mistakes of the receiver (`missing_secret`,
 * `parsed_payload`): both are a 5xx
 */
export async function receiveWebhook(
	body: WebhookBody,
	headers: WebhookHeaders,
	options: WebhookHandlerOptions,
): Promise<WebhookAnswer> {
	const { secret, onEvent, onRefused, now } = options;
	const payload = isStream(body) ? await readBody(body) : body;
	if (payload === undefined || payload.length > largestBody)
		return { status: 413, text: `The body is larger than ${largestBody} bytes.` };
	let event: WebhookEvent;
	try {
		event = await verifyWebhook({
			payload,
			headers,
			secret: typeof secret === "function" ? await secret() : secret,
			...(now ? { now } : {}),
		});
	} catch (error) {
		if (
			!(error instanceof WebhookVerificationError) ||
			error.reason === "missing_secret" ||
			error.reason === "parsed_payload"
		)
			throw error;
		onRefused?.(error);
		return { status: 400, text: `${error.reason}: ${error.message}` };
	}
	await onEvent(event);
	return { status: 204, text: "" };
}

/** A body that was read already, or a stream of its bytes. */
export type WebhookBody = string | Uint8Array | AsyncIterable<Uint8Array>;

const isStream = (body: WebhookBody): body is AsyncIterable<Uint8Array> =>
	typeof body === "object" && Symbol.asyncIterator in body;

async function readBody(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of stream) {
		size += chunk.byteLength;
		if (size > largestBody) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** The answer as Fetch has it. */
export function fetchResponse({ status, text }: WebhookAnswer): Response {
	return text === ""
		? new Response(null, { status })
		: new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
