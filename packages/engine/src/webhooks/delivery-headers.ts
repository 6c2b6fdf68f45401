import { signWebhook } from "@reelmill/webhooks";

export type Signed = {
	readonly id: string;
	readonly body: Uint8Array;
	/** One signature for each, in this order. */
	readonly secrets: readonly string[];
	/** Milliseconds: the moment of the signatures. */
	readonly now: number;
	readonly userAgent: string;
};

/** Returns the headers that an event is sent with. */
export const deliveryHeaders = async ({
	id,
	body,
	secrets,
	now,
	userAgent,
}: Signed): Promise<Record<string, string>> => ({
	"content-type": "application/json",
	"user-agent": userAgent,
	"service-delivery-id": id,
	"service-signature": await signWebhook({ payload: body, secrets, timestamp: Math.floor(now / 1000) }),
});
