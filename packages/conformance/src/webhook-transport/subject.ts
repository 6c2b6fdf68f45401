import type { WebhookTransport } from "@reelmill/engine/ports";

/** Two transports: one with its defaults, and one whose operator allowed 127.0.0.0/8 and ::1. */
export type WebhookTransportSubject = {
	readonly guarded: WebhookTransport;
	readonly allowing: WebhookTransport;
	/** The longest that `allowing` takes for an attempt. Set it short, so that the cases of slow receivers are quick. */
	readonly timeoutMilliseconds: number;
};
