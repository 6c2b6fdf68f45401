import { createEngine } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedEngine, openEngine } from "./support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const local = { backend: "local" } as const;

describe("the storage profile", () => {
	it("is the local disk, before and after it is chosen", async () => {
		const { storage } = opened.engine;
		expect(await storage.get()).toMatchObject({ backend: "local", version: 1, endpoint: null, access_key_id_last4: null });
		expect(await storage.put(local)).toEqual(await storage.get());
		expect(await storage.delete()).toEqual(await storage.get());
		expect(await storage.locations()).toEqual({ data: [] });
	});

	it("is verified by a round trip that leaves nothing", async () => {
		expect(await opened.engine.storage.verify(local)).toEqual({ verified_at: new Date(opened.clock.now()).toISOString(), steps: ["write", "read", "delete"] });
		for await (const { key } of opened.outputs.list("probe/")) throw new Error(`${key} is left`);
	});

	it("that this server doesn't know, or that mixes backends, is refused with the field named", async () => {
		for (const profile of [
			{ backend: "s3_platform" as const, location_id: "eu" },
			{ backend: "s3_tenant" as const, bucket: "b" },
		]) {
			await expect(opened.engine.storage.put(profile)).rejects.toMatchObject({ code: "validation_error", message: expect.stringMatching(/^backend:/) });
		}
		await expect(opened.engine.storage.verify({ ...local, bucket: "b" })).rejects.toMatchObject({
			code: "validation_error",
			message: expect.stringMatching(/^bucket:/),
		});
	});

	it("names the step that fails, and saves nothing", async () => {
		const refuse = async () => Promise.reject(new Error("the disk is full"));
		const engine = createEngine({ ...opened.options, outputs: { ...opened.outputs, put: refuse } });
		await expect(engine.storage.put(local)).rejects.toMatchObject({ code: "storage_verification_failed", extras: { step: "write" } });
	});
});
