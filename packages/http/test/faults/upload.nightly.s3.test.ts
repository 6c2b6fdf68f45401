import { createHash, randomBytes } from "node:crypto";
import type { Fault, RequestMatch } from "@reelmill/fault-proxy";
import { startTestGateway, type TestGateway } from "@reelmill/storage-s3/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
	beginUpload,
	eventually,
	type FaultyService,
	finishUpload,
	openFaultyService,
} from "../support/open-faulty-service.ts";
import { initiate } from "../support/open-service.ts";

const file = randomBytes(17_000_000);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const unavailable = { error: "storage_unavailable", message: expect.any(String) };
const part = (number: number): RequestMatch => ({ method: "PUT", query: { partNumber: String(number) } });

let gateway: TestGateway;
let faulty: FaultyService;
beforeAll(async () => {
	gateway = await startTestGateway();
	faulty = await openFaultyService(gateway.server);
});
afterAll(async () => {
	await faulty?.close();
	await gateway.close();
});
afterEach(() => faulty.proxy.clear());

/** The video has moved on once, and what a worker would fetch is the file. */
async function expectReceived(id: string): Promise<void> {
	const { state, failure_reason } = await faulty.video(id);
	expect({ state, failure_reason }).toEqual({ state: "queued", failure_reason: null });
	const source = await faulty.service.engine.jobs.source(id);
	const answer = await fetch(source.elsewhere?.url ?? "");
	expect(sha256(await answer.bytes())).toBe(sha256(file));
	expect((await faulty.service.send({ method: "DELETE", path: `/v1/videos/${id}`, headers: faulty.auth })).status).toBe(
		204,
	);
}

describe("an upload through the whole service", () => {
	test.each<[string, RequestMatch, Fault]>([
		["a part is refused", part(2), { kind: "refuse", status: 500 }],
		["a part's connection breaks within it", part(2), { kind: "cut", direction: "request", afterBytes: 1_000_000 }],
		["the completion's answer is lost", { method: "POST", query: { uploadId: true } }, { kind: "lose-answer" }],
	])("goes through in one PATCH when once %s", async (_, when, fault) => {
		const upload = await beginUpload(faulty, faulty.auth, file);
		const rule = faulty.proxy.use({ when, times: 1, fault });
		expect((await upload.patch(0)).status).toBe(204);
		expect(rule.hits).toBe(1);
		await expectReceived(upload.id);
	});

	test("is told storage_unavailable while its bucket fails, sees why on the profile, and goes on afterwards", async () => {
		const upload = await beginUpload(faulty, faulty.auth, file);
		faulty.proxy.use({ when: { method: "PUT" }, fault: { kind: "refuse", status: 403 } });
		const answer = await upload.patch(0);
		expect([answer.status, answer.json]).toEqual([503, unavailable]);
		expect((await faulty.storage()).last_error).toContain("isn't allowed");
		faulty.proxy.clear();
		expect(await finishUpload(upload, file.length)).toEqual([]);
		await expectReceived(upload.id);
		await eventually(faulty.storage, ({ last_error }) => last_error === null);
	});

	test("outlives the gateway's death in the middle, and other tenants' uploads don't notice it", async () => {
		const upload = await beginUpload(faulty, faulty.auth, file);
		const held = faulty.proxy.use({
			when: part(2),
			fault: { kind: "hold", direction: "request", afterBytes: 1_000_000 },
		});
		const patching = upload.patch(0);
		await held.hit();
		await gateway.kill();
		held.release();
		const answer = await patching;
		expect([answer.status, answer.json]).toEqual([503, unavailable]);
		expect(await eventually(faulty.storage, ({ last_error }) => last_error !== null)).toMatchObject({
			backend: "s3_tenant",
		});
		await expect(initiate(faulty.service, faulty.auth)).rejects.toThrow("503");

		const local = await beginUpload(faulty, faulty.localAuth, file);
		expect((await local.patch(0)).status).toBe(204);

		await gateway.restart();
		await finishUpload(upload, file.length);
		await expectReceived(upload.id);
		await eventually(faulty.storage, ({ last_error }) => last_error === null);
		await initiate(faulty.service, faulty.auth);
	});

	test("is whole when the server never heard that its completion was done, and the client asks again", async () => {
		const upload = await beginUpload(faulty, faulty.auth, file);
		const completed = faulty.proxy.use({
			when: { method: "POST", query: { uploadId: true } },
			fault: { kind: "lose-answer" },
		});
		const patching = upload.patch(0);
		await completed.hit();
		faulty.proxy.use({ fault: { kind: "cut", direction: "request", afterBytes: 0 } });
		expect((await patching).status).toBe(503);
		expect((await faulty.video(upload.id)).state).toBe("pending_upload");
		faulty.proxy.clear();
		await eventually(
			upload.head,
			({ status, headers }) => status === 409 || Number(headers["upload-offset"]) === file.length,
		);
		await expectReceived(upload.id);
	});
});
