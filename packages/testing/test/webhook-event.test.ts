import { DeliveryType, WebhookEvent } from "@reelmill/contracts";
import { verifyWebhook } from "@reelmill/node";
import { signedRequest, webhookEvent } from "@reelmill/testing";
import { describe, expect, it } from "vitest";

const url = "https://app.example.com/webhooks";
const secret = "whsec_5f1c0c9e";
const verified = async (request: Request, by = secret) =>
	verifyWebhook({ payload: await request.text(), headers: request.headers, secret: by });

describe("webhookEvent", () => {
	it.each(DeliveryType.options)("makes a %s as the contract describes it", (type) => {
		const event = webhookEvent(type);
		expect(WebhookEvent.parse(event)).toEqual(event);
		expect(event.type).toBe(type);
	});

	it("makes a video in the state that belongs to the type", () => {
		expect(DeliveryType.options.map((type) => webhookEvent(type).data.video.state)).toEqual([
			"available",
			"failed",
			"expired",
			"cancelled",
			"available",
			"pending_upload",
		]);
		expect(webhookEvent("video.ready").data.video.outputs?.hls_url).toMatch(/^https:/);
		expect(webhookEvent("video.failed").data.video.failure_reason).toBe("invalid_media");
	});

	it("has ids of its own in each call, and URLs that follow the video's", () => {
		expect(webhookEvent("video.ready").id).not.toBe(webhookEvent("video.ready").id);
		const id = "0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d";
		const { video } = webhookEvent("video.ready", { data: { video: { id } } }).data;
		expect([video.id, video.outputs?.mp4_url]).toEqual([id, `https://video.example.com/videos/${id}/web.mp4`]);
	});

	it("merges objects, and replaces arrays and null", () => {
		const { data, domain_id } = webhookEvent("video.ready", {
			domain_id: "1b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d",
			data: { video: { external_ref: "lesson-1", width: null, outputs: { hls_url: null, renditions: [] } } },
		});
		expect(domain_id).toBe("1b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d");
		expect(data.video).toMatchObject({
			state: "available",
			external_ref: "lesson-1",
			width: null,
			height: 720,
			outputs: { hls_url: null, renditions: [] },
		});
		expect(data.video.outputs?.mp4_url).toMatch(/web\.mp4$/);
	});
});

describe("signedRequest", () => {
	it("makes the request of a delivery, which a verifier trusts", async () => {
		const event = webhookEvent("video.ready");
		const request = await signedRequest(url, event, secret);
		expect([request.method, request.url, request.headers.get("service-delivery-id")]).toEqual(["POST", url, event.id]);
		expect(await verified(request)).toEqual(event);
	});

	it("is refused by another secret, and after 300 s", async () => {
		const event = webhookEvent("video.failed");
		await expect(verified(await signedRequest(url, event, secret), "whsec_other")).rejects.toMatchObject({
			reason: "signature_mismatch",
		});
		const old = await signedRequest(url, event, secret, { signedAt: Date.now() - 301_000 });
		await expect(verified(old)).rejects.toMatchObject({ reason: "timestamp_out_of_tolerance" });
	});

	it("signs a body that is given as it is", async () => {
		const request = await signedRequest(url, { id: "1" }, secret, { body: "no JSON" });
		await expect(verified(request)).rejects.toThrow(SyntaxError);
	});
});
