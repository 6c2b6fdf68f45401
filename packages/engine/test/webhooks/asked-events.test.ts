import { randomUUID } from "node:crypto";
import { type VideoPart, WebhookEvent } from "@reelmill/contracts";
import { systemRandom } from "@reelmill/engine";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createVideoStore, type VideoStore } from "../../src/videos/store.ts";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
let store: VideoStore;
/** The headers of the endpoint's answers. */
let answered: (readonly [string, string])[];
let status: number;
beforeAll(async () => {
	opened = await openEngine();
	const { database, clock, logger } = opened;
	store = createVideoStore(
		{ database, clock, logger, random: systemRandom },
		{ fileUrl: (_, path) => path, webhookAttempts: 6, keepFailedSeconds: 0 },
	);
});
beforeEach(() => {
	answered = [];
	status = 200;
	opened.receiver.requests.length = 0;
	opened.receiver.answer = ({ onAnswer }) => {
		onAnswer?.({ headers: answered, body: new Uint8Array(), isTruncated: false });
		return { status, error: status === 200 ? null : `status_${status}` };
	};
});
afterAll(() => opened.close());

type Tenant = Awaited<ReturnType<typeof tenant>>;
const webhook = (webhook_url: string) => ({ webhook_url, webhook_secret: "whsec_of-the-domain" });
async function tenant() {
	const made = await opened.tenant();
	await opened.engine.domains.updateConfig(made.domain.id, webhook("https://tenant.example/hook"));
	return { ...made, video: (await opened.engine.videos.create(made.principal, clip)).video.id };
}
/** Sends a test event, so that the endpoint answers. */
async function answers({ principal }: Tenant, ...headers: (readonly [string, string])[]): Promise<void> {
	answered = headers;
	await opened.engine.webhooks.sendTest(principal);
	await opened.engine.sweep();
}
/** Changes parts of the video, and returns the updates that were sent. */
async function updatesSent({ video }: Tenant, ...updates: VideoPart[]): Promise<WebhookEvent[]> {
	opened.receiver.requests.length = 0;
	await store.change(video, () => ({ updates }));
	await opened.engine.sweep();
	return opened.receiver.requests.map(({ body }) => WebhookEvent.parse(JSON.parse(Buffer.from(body).toString())));
}
const asks = ["Service-Events", "video.updated"] as const;

describe("updates", () => {
	it("are sent to an endpoint that asks for them, with the video as it is and what was changed", async () => {
		const made = await tenant();
		expect(await updatesSent(made, "captions")).toEqual([]);
		await answers(made, asks);
		answered = [asks];
		const [event, ...more] = await updatesSent(made, "captions", "poster");
		expect(more).toEqual([]);
		expect(event).toMatchObject({ type: "video.updated", data: { changed: ["captions", "poster"] } });
		expect(event?.data.video).toEqual(await opened.engine.videos.get(made.principal, made.video));
		const { data } = await opened.engine.webhooks.listDeliveries(made.principal, { limit: 10, type: "video.updated" });
		expect(data).toMatchObject([{ id: event?.id, status: "delivered", video_id: made.video }]);
		expect(await updatesSent(await tenant(), "captions")).toEqual([]);
	});

	it("are asked for by a name in any case and a place in a list; no other type, and no refusal, asks", async () => {
		const made = await tenant();
		await answers(made, ["service-events", "video.updates, video.ready"], ["x-service-events", "video.updated"]);
		expect(await updatesSent(made, "poster")).toEqual([]);
		status = 500;
		await answers(made, asks);
		status = 200;
		expect(await updatesSent(made, "poster")).toEqual([]);
		await answers(made, ["SERVICE-EVENTS", "video.ready , video.updated"]);
		expect(await updatesSent(made, "poster")).toHaveLength(1);
	});

	it("end with an answer of 2xx that asks no more, and not with a refusal", async () => {
		const made = await tenant();
		await answers(made, asks);
		status = 500;
		await answers(made);
		expect(await updatesSent(made, "chapters")).toHaveLength(1);
		status = 200;
		await answers(made);
		expect(await updatesSent(made, "chapters")).toEqual([]);
	});

	it("are not sent to a new URL until it asks itself", async () => {
		const made = await tenant();
		await answers(made, asks);
		answered = [asks];
		await opened.engine.domains.updateConfig(made.domain.id, webhook("https://tenant.example/other"));
		expect(await updatesSent(made, "metadata")).toEqual([]);
		await answers(made, asks);
		expect(await updatesSent(made, "metadata")).toHaveLength(1);
	});

	it("are heard by every listener, with or without a webhook that asks", async () => {
		const made = await tenant();
		const listener = randomUUID();
		const hear = () => opened.engine.webhooks.listen(made.principal, listener, { received: [], ends: false });
		await hear();
		expect(await updatesSent(made, "metadata")).toEqual([]);
		expect((await hear()).data).toMatchObject([{ type: "video.updated", video_id: made.video }]);
	});
});
