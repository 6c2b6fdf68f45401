import type { VideoUpdatedEvent } from "@reelmill/contracts";
import { askedEventsHeader, type ReceivedEvent } from "@reelmill/contracts/events";
import { WebhookVerificationError } from "@reelmill/webhooks";
import { verifyWebhook, type WebhookHeaders } from "../verify-webhook.ts";
import type { WebhookSecret } from "../webhook-verification.ts";

/** The secret, and what is done with an event. */
export type WebhookHandlerOptions = {
	/**
	 * The domain's `whsec_` secret, or a function that returns it and is called for every request. If it is missing, each
	 * request is an error that says so.
	 */
	secret: WebhookSecret;
	/**
	 * Called with each verified event. The request is answered with 204 when it returns. An error that it throws goes to
	 * the framework, whose 5xx makes Reelmill send the event again later. The same event may arrive twice: deduplicate on
	 * its `id`. Ignore types that you don't know: see `ReceivedEvent`.
	 */
	onEvent: (event: ReceivedEvent) => unknown;
	/**
	 * Called in the place of `onEvent` with each `video.updated`: something of a video was changed after its upload. With
	 * it, each answer of 204 asks the service for these events, which it does not send otherwise (default: none).
	 */
	onVideoUpdated?: (event: VideoUpdatedEvent) => unknown;
	/** Called with the error of each request that is answered with 400, for a log. */
	onRefused?: (error: WebhookVerificationError) => void;
	/** Returns the Unix time in milliseconds (default: `Date.now`). */
	now?: () => number;
};

/** The answer to the sender. */
export type WebhookAnswer = { headers: Readonly<Record<string, string>> } & (
	| { status: 204; text: "" }
	| { status: 400 | 413; text: string }
);

/** Larger bodies are answered with 413 and not looked at. An event has some kilobytes. */
const largestBody = 1024 * 1024;

/**
 * Verifies a request and passes its event on.
 * @throws what `onEvent` throws
 * @throws {WebhookVerificationError} when the receiver is set up wrongly (`missing_secret`, `parsed_payload`)
 */
export async function receiveWebhook(
	body: WebhookBody,
	headers: WebhookHeaders,
	options: WebhookHandlerOptions,
): Promise<WebhookAnswer> {
	const { secret, onEvent, onVideoUpdated, onRefused, now } = options;
	const payload = isStream(body) ? await readBody(body) : body;
	if (payload === undefined || payload.length > largestBody)
		return refusal(413, `The body is larger than ${largestBody} bytes.`);
	let event: ReceivedEvent;
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
		return refusal(400, `${error.reason}: ${error.message}`);
	}
	if (onVideoUpdated !== undefined && event.type === "video.updated") await onVideoUpdated(event);
	else await onEvent(event);
	return {
		status: 204,
		text: "",
		headers: onVideoUpdated === undefined ? {} : { [askedEventsHeader]: "video.updated" },
	};
}

const refusal = (status: 400 | 413, text: string): WebhookAnswer => ({
	status,
	text,
	headers: { "content-type": "text/plain; charset=utf-8" },
});

/** A body that was read, or a stream of its bytes. */
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
	const bytes = new Uint8Array(size);
	let end = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, end);
		end += chunk.byteLength;
	}
	return bytes;
}

/** Makes a Fetch response of an answer. */
export const fetchResponse = ({ status, text, headers }: WebhookAnswer): Response =>
	new Response(text === "" ? null : text, { status, headers });
