import { signWebhook } from "@reelmill/webhooks";
import { describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import {
	ConnectionError,
	createReelmill,
	createReelmillAdmin,
	type Reelmill,
	type ReelmillOptions,
	type ReelmillWithSecret,
} from "../src/index.ts";
import { readyVideo, videoId } from "./support/video.ts";

const secret = "whsec_5f1c0c9e2b7d4a8896e3d1f0a7b2c4e6";
const empty = { status: 200, body: { data: [], next_cursor: null } };

describe("the options of a call", () => {
	it("reach the calls of every resource, those that have options of their own too", async () => {
		await using server = await scriptedServer({ status: 503, body: { error: "storage_unavailable" } });
		const retry = { backoffSeconds: 0.01 };
		const reelmill = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_key", retry });
		const admin = createReelmillAdmin({ baseUrl: server.baseUrl, adminKey: "key", retry });
		const clip = { content_type: "video/mp4", file_size: 1, uploader_ref: "u" };
		const call = { retries: 1 };
		const calls: [name: string, () => Promise<unknown>][] = [
			["videos.get", () => reelmill.videos.get(videoId, call)],
			["videos.list", () => reelmill.videos.list({ ...call, pageSize: 1 }).next()],
			["videos.page", () => reelmill.videos.page({ ...call, limit: 1 })],
			["videos.create", () => reelmill.videos.create(clip, call)],
			["videos.initiateOrResume", () => reelmill.videos.initiateOrResume(clip, call)],
			["webhookDeliveries.list", () => reelmill.webhookDeliveries.list(call).next()],
			["webhookDeliveries.replayFailed", () => reelmill.webhookDeliveries.replayFailed({ ...call, since: new Date() })],
			["audit.list", () => reelmill.audit.list(call).next()],
			["usage.days", () => reelmill.usage.days({ ...call, from: "2026-01-01" })],
			["domain.rotateKey", () => reelmill.domain.rotateKey({ ...call, graceSeconds: 0 })],
			["domains.list", () => admin.domains.list(call).next()],
			["domains.rotateKey", () => admin.domains.rotateKey("id", call)],
		];
		for (const [name, run] of calls) {
			server.seen.length = 0;
			await expect(run(), name).rejects.toMatchObject({ code: "storage_unavailable" });
			expect(server.seen, name).toHaveLength(2);
		}
	});

	it("let the whole SDK be seen by onRequest and onResponse", async () => {
		await using server = await scriptedServer(empty);
		const seen: unknown[] = [];
		const reelmill = createReelmill({
			baseUrl: server.baseUrl,
			apiKey: "ek_key",
			onRequest: ({ operation, attempt }) => seen.push([operation, attempt]),
			onResponse: ({ operation, status }) => seen.push([operation, status]),
		});
		await reelmill.videos.list().next();
		expect(seen).toEqual([
			["listVideos", 1],
			["listVideos", 200],
		]);
	});
});

describe("webhooks.verify", () => {
	const event = {
		id: "7b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
		type: "video.ready",
		created_at: "2026-11-01T00:00:00.000Z",
		domain_id: "9b0e1c1e-6f0a-4c55-9d8e-2f8f3f1f6a10",
		data: { video: readyVideo() },
	};
	const payload = JSON.stringify(event);
	const signed = async () => ({
		payload,
		headers: {
			"service-signature": await signWebhook({ payload, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) }),
		},
	});
	const baseUrl = "https://video.example.com";

	it("verifies with the SDK's secret, or with one that is asked for anew each time", async () => {
		expect(await createReelmill({ baseUrl, webhookSecret: secret }).webhooks.verify(await signed())).toEqual(event);
		let asked = 0;
		const reelmill = createReelmill({ baseUrl, webhookSecret: async () => `${secret}${asked++ === 0 ? "" : "0"}` });
		expect(await reelmill.webhooks.verify(await signed())).toEqual(event);
		await expect(reelmill.webhooks.verify(await signed())).rejects.toMatchObject({ reason: "signature_mismatch" });
		expect(await reelmill.webhooks.verify({ ...(await signed()), secret })).toEqual(event);
	});

	it("does not compile without any secret, and says missing_secret for a setting that is empty", async () => {
		const reelmill: Reelmill = createReelmill({ baseUrl });
		expect(await reelmill.webhooks.verify({ ...(await signed()), secret })).toEqual(event);
		// @ts-expect-error neither the SDK nor the call has a secret
		await expect(reelmill.webhooks.verify(await signed())).rejects.toMatchObject({ reason: "missing_secret" });
		const unset: ReelmillWithSecret = createReelmill({ baseUrl, webhookSecret: process.env["NOT_SET"] });
		await expect(unset.webhooks.verify(await signed())).rejects.toMatchObject({
			reason: "missing_secret",
			message: expect.stringContaining("REELMILL_WEBHOOK_SECRET"),
		});
	});
});

describe("the settings of an SDK", () => {
	it("may be missing until the first call, which names them", async () => {
		const [baseUrl, unset] = ["http://127.0.0.1:9", process.env["NOT_SET"]];
		const reelmill = (options: ReelmillOptions) => createReelmill({ ...options, retry: { limit: 0 } });
		const nothing = reelmill({ baseUrl: unset, apiKey: unset });
		await expect(nothing.videos.get(videoId)).rejects.toThrow(/^baseUrl is missing/);
		await expect(nothing.videos.wait(videoId)).rejects.toThrow(/^baseUrl is missing/);
		await expect(nothing.videos.list().next()).rejects.toThrow(/^baseUrl is missing/);
		for (const apiKey of [unset, "", () => unset])
			await expect(reelmill({ baseUrl, apiKey }).videos.get(videoId)).rejects.toThrow(
				/^apiKey is missing: .*REELMILL_API_KEY/,
			);
		await expect(reelmill({ baseUrl }).sandbox.createSession()).rejects.toBeInstanceOf(ConnectionError);
		await expect(createReelmillAdmin({ baseUrl: unset, adminKey: unset }).stats.get()).rejects.toThrow(/^baseUrl/);
		await expect(createReelmillAdmin({ baseUrl, adminKey: unset }).stats.get()).rejects.toThrow(
			/^adminKey is missing: .*REELMILL_ADMIN_KEY/,
		);
	});
});
