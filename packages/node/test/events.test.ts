import { signWebhook } from "@reelmill/webhooks";
import { expect, it } from "vitest";
import { isKnownEvent, type ReceivedEvent, type UnknownEvent, verifyWebhook, type WebhookEvent } from "../src/index.ts";
import { readyVideo, video } from "./support/video.ts";

const secret = "whsec_5f1c0c9e2b7d4a8896e3d1f0a7b2c4e6";
const envelope = {
	id: "7b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
	created_at: "2026-11-01T00:00:00.000Z",
	domain_id: "9b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
};
async function received(sent: object): Promise<ReceivedEvent> {
	const payload = JSON.stringify(sent);
	const header = await signWebhook({ payload, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) });
	return verifyWebhook({ payload, headers: { "service-signature": header }, secret });
}

/** It compiles only if each type narrows its video, and only if no known type is forgotten. */
function told(event: ReceivedEvent): string | null {
	switch (event.type) {
		case "video.ready":
			return event.data.video.outputs.hls_url;
		case "video.failed":
			return `${event.data.video.state satisfies "failed" | "timeout"}: ${event.data.video.failure_reason.toUpperCase()}`;
		case "video.expired":
			return event.data.video.state satisfies "expired";
		case "video.cancelled":
			return event.data.video.state satisfies "cancelled";
		case "video.updated":
			return event.data.changed.join();
		case "webhook.test":
			return event.data.video.id;
		default:
			event satisfies UnknownEvent;
			return `${event.type} ${JSON.stringify(event.data)}`;
	}
}

/** Of known events nothing is left after a case for each. */
function isEnd(event: WebhookEvent): boolean {
	switch (event.type) {
		case "video.ready":
		case "video.failed":
		case "video.expired":
		case "video.cancelled":
		case "video.updated":
			return true;
		case "webhook.test":
			return false;
		default:
			return event satisfies never;
	}
}

export function forgotten(event: ReceivedEvent): unknown {
	switch (event.type) {
		case "video.ready":
		case "video.expired":
		case "video.cancelled":
		case "video.updated":
		case "webhook.test":
			return undefined;
		default:
			// @ts-expect-error video.failed is left: what has no case is named when the program is compiled
			return event satisfies UnknownEvent;
	}
}

it("an event is told apart by its type", async () => {
	const failed = video({ state: "timeout", failure_reason: "queue_timeout" });
	expect(told(await received({ ...envelope, type: "video.ready", data: { video: readyVideo() } }))).toMatch(
		/hls\/master\.m3u8$/,
	);
	expect(told(await received({ ...envelope, type: "video.failed", data: { video: failed } }))).toBe(
		"timeout: QUEUE_TIMEOUT",
	);
	expect(
		told(await received({ ...envelope, type: "video.expired", data: { video: video({ state: "expired" }) } })),
	).toBe("expired");
	expect(
		told(
			await received({ ...envelope, type: "video.updated", data: { video: video(), changed: ["poster", "metadata"] } }),
		),
	).toBe("poster,metadata");
	const test = await received({ ...envelope, type: "webhook.test", data: { video: video() } });
	expect(isKnownEvent(test) && isEnd(test)).toBe(false);
});

it("an event of a later version's type passes as it was sent, and is known as such", async () => {
	const sent = { ...envelope, type: "playlist.made", data: { playlist: { id: 7 } } };
	const event = await received(sent);
	expect(event).toEqual(sent);
	expect(told(event)).toBe('playlist.made {"playlist":{"id":7}}');
	expect(isKnownEvent(event)).toBe(false);
	for (const type of ["toString", "constructor", "__proto__"])
		expect(isKnownEvent(await received({ ...sent, type }))).toBe(false);
});
