import assert from "node:assert/strict";
import { verifyWebhook } from "@reelmill/node";
import { createTestReelmill } from "@reelmill/testing";

const test = await createTestReelmill({ webhooks: receive }); // or the address of your server

const published: (string | null)[] = [];
async function receive(request: Request): Promise<Response> {
	const { headers } = request;
	const event = await verifyWebhook({ payload: await request.text(), headers, secret: test.webhookSecret });
	if (event.type === "video.ready") published.push(event.data.video.external_ref);
	return new Response();
}

const input = { content_type: "video/mp4", file_size: 1000, external_ref: "lesson-1" };
const { video } = await test.reelmill.videos.create(input);
await test.finish(video.id);
assert.deepEqual(published, ["lesson-1"]);

await test.close();
