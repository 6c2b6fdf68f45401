import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createTestReelmill, signedRequest, type TestReelmill, webhookEvent } from "@reelmill/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApplication } from "../src/application.ts";

let test: TestReelmill;
let server: ReturnType<Awaited<ReturnType<typeof createApplication>>["listen"]>;
let address: string;
beforeAll(async () => {
	test = await createTestReelmill();
	const application = await createApplication({ reelmill: test.reelmill, webhookSecret: test.webhookSecret });
	server = application.listen(0, "127.0.0.1");
	await once(server, "listening");
	address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	await test.reelmill.domain.updateConfig({ webhook_url: `${address}/webhooks` });
});
afterAll(async () => {
	server.close();
	await test.close();
});

const post = (path: string, body: object, cookie = "") =>
	fetch(`${address}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", cookie },
		body: JSON.stringify(body),
	});
const signIn = async (name: string) =>
	(await post("/sign-in", { name })).headers.get("set-cookie")?.split(";")[0] ?? "";
const lessons = async (cookie: string) => (await fetch(`${address}/lessons`, { headers: { cookie } })).json();
const asked = { action: "upload", content_type: "video/mp4", file_size: 1000 };

it("publishes a lesson when its video is ready, and lets others watch it from then on", async () => {
	const [ada, bob] = [await signIn("ada"), await signIn("bob")];
	const { video } = await (await post("/video", { ...asked, about: "Loops" }, ada)).json();
	const key = { action: "playback_key", video_id: video.id };
	expect(await lessons(bob)).toEqual([]);
	expect((await post("/video", key, bob)).status).toBe(403);
	await test.finish(video.id);
	expect(await lessons(bob)).toEqual([{ videoId: video.id, title: "Loops", by: "ada" }]);
	expect((await post("/video", key, bob)).status).toBe(201);
});

it("publishes nothing that failed", async () => {
	const ada = await signIn("ada");
	const before = await lessons(ada);
	const { video } = await (await post("/video", { ...asked, about: "Broken" }, ada)).json();
	expect((await test.fail(video.id)).failure_reason).toBe("invalid_media");
	expect(await lessons(ada)).toEqual(before);
});

it("gives nothing to who isn't signed in, and no upload without a title", async () => {
	expect((await post("/video", { ...asked, about: "Loops" })).status).toBe(401);
	expect((await fetch(`${address}/lessons`)).status).toBe(401);
	expect((await post("/video", asked, await signIn("ada"))).status).toBe(403);
	expect((await post("/sign-in", {})).status).toBe(400);
});

it("refuses events that the service didn't sign", async () => {
	const forged = await signedRequest(`${address}/webhooks`, webhookEvent("video.ready"), "whsec_of_somebody_else");
	expect((await fetch(forged)).status).toBe(400);
	const genuine = await signedRequest(`${address}/webhooks`, webhookEvent("video.expired"), test.webhookSecret);
	expect((await fetch(genuine)).status).toBe(204);
});
