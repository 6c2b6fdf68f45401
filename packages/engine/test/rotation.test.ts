import { verifySignature } from "@reelmill/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "./support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const hour = 3_600_000;

describe("rotating the API key", () => {
	it("keeps the one before for an hour, and ends it then", async () => {
		const { domain, apiKey } = await opened.tenant();
		const { domains, keys } = opened.engine;
		const rotated = await domains.rotateKey(domain.id);
		expect(rotated).toEqual({ api_key: expect.stringMatching(/^ek_/), previous_key_expires_at: new Date(opened.clock.now() + hour).toISOString() });
		expect((await domains.get(domain.id)).key_last4).toBe(rotated.api_key.slice(-4));
		await keys.authenticate(`Bearer ${rotated.api_key}`);
		await keys.authenticate(`Bearer ${apiKey}`);
		await opened.clock.advance(hour);
		await expect(keys.authenticate(`Bearer ${apiKey}`)).rejects.toMatchObject({ code: "unauthorized" });
		await keys.authenticate(`Bearer ${rotated.api_key}`);
	});

	it("twice within the hour ends the first one at once, within the two seconds of the cache", async () => {
		const { domain, apiKey } = await opened.tenant();
		const { domains, keys } = opened.engine;
		const second = await domains.rotateKey(domain.id);
		const third = await domains.rotateKey(domain.id);
		await opened.clock.advance(2001);
		await expect(keys.authenticate(`Bearer ${apiKey}`)).rejects.toMatchObject({ code: "unauthorized" });
		for (const key of [second, third]) await keys.authenticate(`Bearer ${key.api_key}`);
	});

	it("by many at once leaves one present key and one previous", async () => {
		const { domain } = await opened.tenant();
		const rotated = await Promise.all(Array.from({ length: 8 }, () => opened.engine.domains.rotateKey(domain.id)));
		const keys = await Promise.allSettled(rotated.map(({ api_key }) => opened.engine.keys.authenticate(`Bearer ${api_key}`)));
		expect(keys.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
	});
});

describe("rotating the webhook secret", () => {
	it("signs with both for an hour, the new one first, and then with the new one alone", async () => {
		const { domain, principal } = await opened.tenant();
		const { domains, videos } = opened.engine;
		expect(await domains.rotateWebhookSecret(domain.id)).toMatchObject({ previous_secret_expires_at: null });
		await domains.updateConfig(domain.id, { webhook_url: "https://tenant.example/hook", webhook_secret: "whsec_old" });
		const { webhook_secret, previous_secret_expires_at } = await domains.rotateWebhookSecret(domain.id);
		expect([webhook_secret, previous_secret_expires_at]).toEqual([expect.stringMatching(/^whsec_/), new Date(opened.clock.now() + hour).toISOString()]);
		const send = async () => {
			const { video } = await videos.create(principal, clip);
			await videos.cancel(principal, video.id);
			await opened.engine.sweep();
			const request = opened.receiver.requests.at(-1);
			return { payload: request?.body ?? "", header: request?.headers["service-signature"] ?? "", now: opened.clock.now };
		};
		const during = await send();
		expect(during.header.match(/v1=/g)).toHaveLength(2);
		for (const secret of [webhook_secret, "whsec_old"]) await verifySignature({ ...during, secret });
		const newest = { ...during, header: during.header.split(",").slice(0, 2).join(",") };
		await verifySignature({ ...newest, secret: webhook_secret });
		await opened.clock.advance(hour);
		const after = await send();
		await verifySignature({ ...after, secret: webhook_secret });
		await expect(verifySignature({ ...after, secret: "whsec_old" })).rejects.toMatchObject({ reason: "signature_mismatch" });
	});
});
