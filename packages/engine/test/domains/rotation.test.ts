import { createEngine } from "@reelmill/engine";
import { verifySignature } from "@reelmill/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

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
		expect(rotated).toEqual({
			api_key: expect.stringMatching(/^ek_/),
			previous_key_expires_at: new Date(opened.clock.now() + hour).toISOString(),
		});
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
		const keys = await Promise.allSettled(
			rotated.map(({ api_key }) => opened.engine.keys.authenticate(`Bearer ${api_key}`)),
		);
		expect(keys.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
	});
});

describe("a key in its grace", () => {
	const idOf = async (key: string) => (await opened.engine.keys.authenticate(`Bearer ${key}`)).keyId;

	it("may not rotate the key or the webhook secret; the key after it may", async () => {
		const { domain, apiKey } = await opened.tenant();
		const { domains } = opened.engine;
		const old = { byKey: await idOf(apiKey) };
		const next = { byKey: await idOf((await domains.rotateKey(domain.id, old)).api_key) };
		await expect(domains.rotateKey(domain.id, old)).rejects.toMatchObject({ code: "forbidden" });
		await expect(domains.rotateWebhookSecret(domain.id, old)).rejects.toMatchObject({ code: "forbidden" });
		expect((await domains.get(domain.id)).webhook_secret_set).toBe(false);
		await domains.rotateWebhookSecret(domain.id, next);
		await domains.rotateKey(domain.id, next);
		await expect(domains.rotateKey(domain.id, old)).rejects.toMatchObject({ code: "unauthorized" });
	});

	it("ends at once where the grace is 0, on other servers within two seconds", async () => {
		const { domain, apiKey } = await opened.tenant();
		const other = createEngine(opened.options);
		await other.keys.authenticate(`Bearer ${apiKey}`);
		const before = await opened.engine.domains.rotateKey(domain.id, { graceSeconds: 3600 });
		const rotated = await opened.engine.domains.rotateKey(domain.id, {
			byKey: await idOf(before.api_key),
			graceSeconds: 0,
		});
		expect(rotated.previous_key_expires_at).toBe(new Date(opened.clock.now()).toISOString());
		for (const key of [apiKey, before.api_key]) await expect(idOf(key)).rejects.toMatchObject({ code: "unauthorized" });
		await opened.clock.advance(2001);
		await expect(other.keys.authenticate(`Bearer ${apiKey}`)).rejects.toMatchObject({ code: "unauthorized" });
		await other.keys.authenticate(`Bearer ${rotated.api_key}`);
	});

	it("lasts as long as the rotation says, and otherwise as long as the operator's setting", async () => {
		const { domain } = await opened.tenant();
		const { rotateKey } = createEngine({ ...opened.options, windows: { rotationGrace: 60 } }).domains;
		for (const [graceSeconds, seconds] of [
			[undefined, 60],
			[3600, 3600],
			[1, 1],
		] as const) {
			const { previous_key_expires_at } = await rotateKey(domain.id, { graceSeconds });
			expect(Date.parse(previous_key_expires_at)).toBe(opened.clock.now() + seconds * 1000);
		}
	});

	it("does not lock its owner out where a thief rotates with the same key at the same moment", async () => {
		for (const graceSeconds of [0, 3600]) {
			const { domain, apiKey } = await opened.tenant();
			const byKey = await idOf(apiKey);
			const engines = [opened.engine, createEngine(opened.options)] as const;
			const done = await Promise.allSettled(
				Array.from({ length: 8 }, (_, index) =>
					engines[index % 2]?.domains.rotateKey(domain.id, { byKey, graceSeconds }),
				),
			);
			const won = done.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : []));
			const lost = done.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
			expect([won.length, new Set(lost)]).toEqual([1, new Set([graceSeconds === 0 ? "unauthorized" : "forbidden"])]);
			await idOf(won[0]?.api_key ?? "");
		}
	});
});

describe("rotating the webhook secret", () => {
	it("signs with both for an hour, the new one first, and then with the new one alone", async () => {
		const { domain, principal } = await opened.tenant();
		const { domains, videos } = opened.engine;
		expect(await domains.rotateWebhookSecret(domain.id)).toMatchObject({ previous_secret_expires_at: null });
		await domains.updateConfig(domain.id, { webhook_url: "https://tenant.example/hook", webhook_secret: "whsec_old" });
		const { webhook_secret, previous_secret_expires_at } = await domains.rotateWebhookSecret(domain.id);
		expect([webhook_secret, previous_secret_expires_at]).toEqual([
			expect.stringMatching(/^whsec_/),
			new Date(opened.clock.now() + hour).toISOString(),
		]);
		const send = async () => {
			const { video } = await videos.create(principal, clip);
			await videos.cancel(principal, video.id);
			await opened.engine.sweep();
			const request = opened.receiver.requests.at(-1);
			return {
				payload: request?.body ?? "",
				header: request?.headers["service-signature"] ?? "",
				now: opened.clock.now,
			};
		};
		const during = await send();
		expect(during.header.match(/v1=/g)).toHaveLength(2);
		for (const secret of [webhook_secret, "whsec_old"]) await verifySignature({ ...during, secret });
		const newest = { ...during, header: during.header.split(",").slice(0, 2).join(",") };
		await verifySignature({ ...newest, secret: webhook_secret });
		await opened.clock.advance(hour);
		const after = await send();
		await verifySignature({ ...after, secret: webhook_secret });
		await expect(verifySignature({ ...after, secret: "whsec_old" })).rejects.toMatchObject({
			reason: "signature_mismatch",
		});
	});
});
