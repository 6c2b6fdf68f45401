import { runInNewContext } from "node:vm";
import { signWebhook } from "@reelmill/webhooks";
import { Headers as NodeFetchHeaders } from "node-fetch";
import { Headers as UndiciHeaders } from "undici";
import { describe, expect, it } from "vitest";
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "../src/index.ts";
import { readyVideo } from "./support/video.ts";

const secret = "whsec_5f1c0c9e2b7d4a8896e3d1f0a7b2c4e6";
const event: WebhookEvent = {
	id: "7b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
	type: "video.ready",
	created_at: "2026-11-01T00:00:00.000Z",
	domain_id: "9b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
	data: { video: readyVideo({ external_ref: "Grüße 🎬" }) },
};
const payload = JSON.stringify(event);
const header = await signWebhook({ payload, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) });

describe("verifying a webhook", () => {
	it("gives the typed event from any form of headers and body", async () => {
		const bytes = new TextEncoder().encode(payload);
		for (const headers of [
			new Headers({ "Service-Signature": header }),
			new UndiciHeaders({ "Service-Signature": header }),
			new NodeFetchHeaders({ "Service-Signature": header }),
			// As jsdom's, in the realm of a test.
			runInNewContext("new (class Headers { get(name) { return name === 'service-signature' ? value : null; } })()", {
				value: header,
			}) as Headers,
			new Map([["service-signature", header]]),
			{ "service-signature": header },
			{ "Service-Signature": [header] },
		]) {
			const ofAnotherRealm: Uint8Array<ArrayBuffer> = runInNewContext("Uint8Array.from(bytes)", { bytes: [...bytes] });
			for (const body of [payload, bytes, bytes.buffer, Buffer.from(payload), ofAnotherRealm, ofAnotherRealm.buffer]) {
				const verified = await verifyWebhook({ payload: body, headers, secret });
				expect(verified).toEqual(event);
				expect(verified.type === "video.ready" && verified.data.video.state).toBe("available");
			}
		}
	});

	it("says that the headers are a promise, as those of Next.js are", async () => {
		const headers = Promise.resolve(new Headers({ "Service-Signature": header })) as never;
		await expect(verifyWebhook({ payload, headers, secret })).rejects.toMatchObject({
			reason: "missing_header",
			message: expect.stringContaining("await"),
		});
	});

	it("refuses what was not signed with the secret", async () => {
		const refused = verifyWebhook({ payload: `${payload} `, headers: { "service-signature": header }, secret });
		await expect(refused).rejects.toBeInstanceOf(WebhookVerificationError);
		for (const headers of [{}, undefined as never])
			await expect(verifyWebhook({ payload, headers, secret })).rejects.toMatchObject({ reason: "missing_header" });
		await expect(
			verifyWebhook({ payload: event as never, headers: { "service-signature": header }, secret }),
		).rejects.toMatchObject({
			reason: "parsed_payload",
		});
	});
});
