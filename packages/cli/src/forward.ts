import { signWebhook } from "@reelmill/node";
import type { HeardEvent } from "./heard-events.ts";

/** What came of sending one event to the local address. */
export type Forwarded = {
	delivery_id: string;
	type: string;
	video_id: string;
	forwarded: boolean;
	status: number | null;
	error: string | null;
};

/** Milliseconds. An address that does not answer in this time is reported and not tried again. */
const answerMilliseconds = 10_000;

export type ForwardOptions = {
	url: string;
	/** Signs in the place of the service; undefined keeps the service's signatures. */
	secret: string | undefined;
	signal: AbortSignal;
};

/**
 * Sends an event once, with the bytes and the headers that the service gave. Rejects only with the signal's reason: an
 * address that does not answer is told in the result.
 */
export async function forward(event: HeardEvent, { url, secret, signal }: ForwardOptions): Promise<Forwarded> {
	const { id, type, video_id, body } = event;
	const headers = new Headers(event.headers.map(({ name, value }): [string, string] => [name, value]));
	if (secret !== undefined) {
		const timestamp = Math.floor(Date.now() / 1000);
		headers.set("service-signature", await signWebhook({ payload: body, secrets: [secret], timestamp }));
	}
	const told = { delivery_id: id, type, video_id };
	try {
		const response = await fetch(url, {
			method: "POST",
			redirect: "manual",
			body,
			headers,
			signal: AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)]),
		});
		await response.body?.cancel();
		return { ...told, forwarded: true, status: response.status, error: null };
	} catch (error) {
		signal.throwIfAborted();
		const { cause, message } = error as Error & { cause?: { code?: string } };
		return { ...told, forwarded: false, status: null, error: cause?.code ?? message };
	}
}

/** Formats a result for people. */
export const forwardedText = ({ type, video_id, status, error }: Forwarded): string =>
	`${type.padEnd(15)}  ${video_id}  answered ${status ?? `not at all: ${error}`}`;
