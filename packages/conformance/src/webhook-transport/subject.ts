import type { WebhookTransport } from "@reelmill/engine/ports";

/** Two transports: one as it is by default, one whose operator allowed 127.0.0.0/8 and ::1. */
export type WebhookTransportSubject = {
	readonly guarded: WebhookTransport;
	readonly allowing: WebhookTransport;
	/** The longest that `allowing` takes over an attempt: set it short, so that the cases of slow receivers are quick. */
	readonly timeoutMilliseconds: number;
};
