/** A test file of a tenant, in plain JavaScript, for every runner. It never closes what it opens. */
export const tenantTest = `import assert from "node:assert/strict";
import { createTestReelmill, signedRequest, webhookEvent } from "@reelmill/testing";

const { it, before = globalThis.beforeAll } = globalThis.it ? globalThis : await import("node:test");
const told = [];
let test;

before(async () => {
	test = await createTestReelmill({
		webhooks: async (request) => {
			told.push((await request.json()).type);
			return new Response();
		},
	});
});

it("tells the back end of a video", async () => {
	const { video } = await test.reelmill.videos.create({ content_type: "video/mp4", file_size: 1000 });
	assert.equal((await test.finish(video.id)).state, "available");
	assert.deepEqual(told, ["video.ready"]);
});

it("has the service's errors", async () => {
	const error = await test.reelmill.videos.get("00000000-0000-4000-8000-000000000001").catch((reason) => reason);
	assert.deepEqual([error.name, error.code, error.status], ["ReelmillError", "video_not_found", 404]);
	await assert.rejects(test.finish("none"), { name: "ReelmillError", code: "video_not_found" });
});

it("signs events", async () => {
	const request = await signedRequest("http://127.0.0.1/hooks", webhookEvent("video.ready"), "whsec_1");
	assert.match(request.headers.get("service-signature"), /^t=\\d+,v1=[0-9a-f]{64}$/);
});
`;
