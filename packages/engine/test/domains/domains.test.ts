import { domainConfigDefaults } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

describe("a domain", () => {
	it("starts with the defaults of the specification", async () => {
		const { domain, api_key } = await opened.engine.domains.create({ slug: "first" });
		expect(domain).toEqual({
			id: expect.any(String),
			slug: "first",
			config: domainConfigDefaults,
			limits: {
				daily_upload_bytes: 10_737_418_240,
				storage_bytes_limit: 107_374_182_400,
				max_concurrent_processing: 4,
			},
			key_last4: api_key.slice(-4),
			webhook_secret_set: false,
			previous_webhook_secret_expires_at: null,
			created_at: new Date(opened.clock.now()).toISOString(),
		});
		expect(api_key).toMatch(/^ek_[0-9A-Za-z]{43}$/);
		await expect(opened.engine.domains.create({ slug: "first" })).rejects.toMatchObject({
			code: "slug_already_exists",
		});
		await expect(opened.engine.domains.create({ slug: "Not A Slug" })).rejects.toMatchObject({
			code: "validation_error",
		});
	});

	it("merges patches: arrays replace, outputs merge, null unsets, and the secret never comes back", async () => {
		const { domain } = await opened.tenant();
		const patch = (input: object) => opened.engine.domains.updateConfig(domain.id, input);
		await patch({
			renditions: ["av1_720"],
			outputs: { dash: true },
			webhook_url: "https://tenant.example",
			webhook_secret: "whsec_a",
		});
		const after = await patch({ outputs: { hls: false }, cors_origins: ["https://a.example"] });
		expect(after).toMatchObject({
			config: {
				renditions: ["av1_720"],
				outputs: { hls: false, dash: true, mp4_fallback: true, og_thumbnail: true },
				webhook_url: "https://tenant.example",
			},
			webhook_secret_set: true,
		});
		expect(JSON.stringify(after)).not.toContain("whsec_a");
		const [row] = await opened.database.query({
			text: "select * from reelmill.domains where id = $1",
			values: [domain.id],
		});
		expect(JSON.stringify(row)).not.toContain("whsec_a");
		expect(await patch({ webhook_url: null, webhook_secret: null })).toMatchObject({
			config: { webhook_url: null },
			webhook_secret_set: false,
			previous_webhook_secret_expires_at: null,
		});
	});

	it("refuses to switch the last output off, at once too, and an upload where none is on from before", async () => {
		const { domain, principal } = await opened.tenant();
		const patch = (outputs: object) => opened.engine.domains.updateConfig(domain.id, { outputs });
		const refused = { code: "validation_error", message: expect.stringMatching(/^outputs: /) };
		await expect(patch({ hls: false, mp4_fallback: false, og_thumbnail: false })).rejects.toMatchObject(refused);
		await patch({ mp4_fallback: false, og_thumbnail: false });
		await expect(patch({ hls: false, dash: false })).rejects.toMatchObject(refused);
		await patch({ dash: true });
		const outcomes = await Promise.allSettled([patch({ dash: false }), patch({ hls: false })]);
		expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);

		const off = { hls: false, dash: false, mp4_fallback: false, og_thumbnail: false };
		await opened.database.query({
			text: "update reelmill.domains set config = jsonb_build_object('outputs', $2::jsonb) where id = $1",
			values: [domain.id, off],
		});
		await expect(
			opened.engine.videos.create(principal, { content_type: "video/mp4", file_size: 10 }),
		).rejects.toMatchObject(refused);
		expect((await opened.engine.domains.updateConfig(domain.id, { transcript: true })).config.outputs).toEqual(off);
	});

	it("takes two patches at once, each whole", async () => {
		const { domain } = await opened.tenant();
		await Promise.all([
			opened.engine.domains.updateConfig(domain.id, { outputs: { dash: true } }),
			opened.engine.domains.updateConfig(domain.id, { outputs: { hls: false } }),
		]);
		expect((await opened.engine.domains.get(domain.id)).config.outputs).toMatchObject({ dash: true, hls: false });
	});

	it("refuses a webhook_url that may not be reached, naming the field", async () => {
		const { domain } = await opened.tenant();
		await expect(opened.engine.domains.updateConfig(domain.id, { webhook_url: "ftp://x" })).rejects.toMatchObject({
			code: "validation_error",
			message: expect.stringContaining("webhook_url"),
		});
	});

	it("knows its own keys and nothing else, and stores none of them", async () => {
		const { apiKey, principal } = await opened.tenant();
		expect(await opened.engine.keys.authenticate(`Bearer ${apiKey}`)).toEqual(principal);
		for (const wrong of [
			null,
			"",
			apiKey,
			"Bearer ",
			`Bearer ${apiKey}x`,
			`Bearer ek_${"0".repeat(43)}`,
			`Basic ${apiKey}`,
		]) {
			await expect(opened.engine.keys.authenticate(wrong)).rejects.toMatchObject({ code: "unauthorized" });
		}
		const rows = await opened.database.query({ text: "select * from reelmill.domain_keys", values: [] });
		expect(JSON.stringify(rows)).not.toContain(apiKey);
	});
});
