import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { signWebhook, verifySignature } from "../src/index.ts";

/** Stripe's webhooks have the same form of header, and its library is independent of ours. */
const stripe = new Stripe("sk_test_unused");
const payload = JSON.stringify({
	object: "event",
	id: "7b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
	type: "video.ready",
	note: "Grüße 🎬",
});
const [current, previous] = [
	"whsec_5f1c0c9e2b7d4a8896e3d1f0a7b2c4e6",
	"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
] as const;
const timestamp = Math.floor(Date.now() / 1000);

describe("against the independent verifier of the package stripe", () => {
	it("signs what stripe accepts, under either secret of a rotation", async () => {
		const header = await signWebhook({ payload, secrets: [current, previous], timestamp });
		for (const secret of [current, previous]) {
			expect(stripe.webhooks.constructEvent(payload, header, secret)).toMatchObject({ type: "video.ready" });
			expect(stripe.webhooks.constructEvent(Buffer.from(payload), header, secret)).toMatchObject({
				type: "video.ready",
			});
		}
	});

	it("signs what stripe refuses once the body changed", async () => {
		const header = await signWebhook({ payload, secrets: [current], timestamp });
		expect(() => stripe.webhooks.constructEvent(`${payload} `, header, current)).toThrow(/signature/i);
	});

	it("accepts what stripe signs", async () => {
		const header = stripe.webhooks.generateTestHeaderString({ payload, secret: current, timestamp });
		await expect(verifySignature({ payload, header, secret: current })).resolves.toBeUndefined();
		await expect(verifySignature({ payload, header, secret: previous })).rejects.toMatchObject({
			reason: "signature_mismatch",
		});
	});
});
