import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
	await opened.engine.start();
});
afterEach(() => opened.close());

const hour = 3_600_000;
/** What a refusal says of the moment of a retry; null where it says nothing. */
async function refusal(attempt: Promise<unknown>): Promise<[code: string, retryAfter: string | null]> {
	const error = await attempt.then(
		() => expect.fail("it was not refused"),
		(reason: { code: string; extras: { retryAfter?: string } }) => reason,
	);
	expect(Object.keys(error.extras)).toEqual("retryAfter" in error.extras ? ["retryAfter"] : []);
	return [error.code, error.extras.retryAfter ?? null];
}
async function session() {
	const { api_key } = await opened.engine.sandbox.createSession();
	return opened.engine.keys.authenticate(`Bearer ${api_key}`);
}
const midnight = "2026-02-01T00:00:00.000Z";

describe("retryAfter", () => {
	it("is left out for a file larger than the domain's whole daily quota, and is midnight for one that fits into it", async () => {
		const { principal } = await opened.tenant("t", { daily_upload_bytes: 15 });
		const create = (file_size: number) => opened.engine.videos.create(principal, { ...clip, file_size });
		expect(await refusal(create(16))).toEqual(["upload_quota_exceeded", null]);
		await create(10);
		expect(await refusal(create(15))).toEqual(["upload_quota_exceeded", midnight]);
		expect(await refusal(create(16))).toEqual(["upload_quota_exceeded", null]);
		await opened.clock.advance(Date.parse(midnight) - opened.clock.now());
		await create(15);
	});

	it("is left out for a file larger than the installation's, whichever of the two quotas refuses it, and for outros too", async () => {
		const engine = createEngine({ ...opened.options, dailyUploadBytes: 20 });
		const { principal } = await opened.tenant("t", { daily_upload_bytes: 40 });
		expect(await refusal(engine.videos.create(principal, { ...clip, file_size: 21 }))).toEqual([
			"upload_quota_exceeded",
			null,
		]);
		expect(await refusal(engine.outros.create(principal, { ...clip, slug: "s", file_size: 21 }))).toEqual([
			"upload_quota_exceeded",
			null,
		]);
		await engine.videos.create(principal, clip);
		expect(await refusal(engine.videos.create(principal, { ...clip, file_size: 20 }))).toEqual([
			"upload_quota_exceeded",
			midnight,
		]);
		const other = await opened.tenant("u", { daily_upload_bytes: 10 });
		await opened.engine.videos.create(other.principal, clip);
		expect(await refusal(engine.videos.create(other.principal, { ...clip, file_size: 21 }))).toEqual([
			"upload_quota_exceeded",
			null,
		]);
	});

	it("is left out for the sandbox's cap of videos", async () => {
		const principal = await session();
		for (let index = 0; index < 5; index++) await opened.engine.videos.create(principal, clip);
		expect(await refusal(opened.engine.videos.create(principal, clip))).toEqual(["upload_quota_exceeded", null]);
	});

	it("is left out where the sandbox session is over by then", async () => {
		const set = (bytes: number) =>
			opened.database.query({
				text: "update reelmill.domains set daily_upload_bytes = $1 where slug = 'sandbox'",
				values: [bytes],
			});
		await set(15);
		const early = await session();
		await opened.clock.advance(13 * hour);
		const late = await session();
		await opened.engine.videos.create(early, clip);
		expect(await refusal(opened.engine.videos.create(late, clip))).toEqual([
			"upload_quota_exceeded",
			"2026-02-02T00:00:00.000Z",
		]);
		expect(await refusal(opened.engine.videos.create(early, clip))).toEqual(["upload_quota_exceeded", null]);
	});

	it("counts in whatever else time alone undoes: the throttle beyond midnight, the hourly limit beyond the throttle", async () => {
		const { principal, domain } = await opened.tenant("t", { daily_upload_bytes: 35 });
		await opened.engine.domains.updateConfig(domain.id, { max_concurrent_pending_per_uploader: 10 });
		const create = (file_size = 10) =>
			opened.engine.videos.create(principal, { ...clip, file_size, uploader_ref: "u" });
		for (let index = 0; index < 3; index++) await create();
		await opened.clock.advance(hour);
		await opened.engine.sweep();
		const throttled = new Date(opened.clock.now() + 24 * hour).toISOString();
		expect(await refusal(create())).toEqual(["too_many_incomplete_uploads", throttled]);
		await opened.engine.videos.create(principal, { ...clip, file_size: 30 });
		expect(await refusal(create())).toEqual(["upload_quota_exceeded", throttled]);
		await opened.clock.advance(Date.parse(throttled) - opened.clock.now() - 1);
		expect(await refusal(create())).toEqual(["too_many_incomplete_uploads", throttled]);
		await opened.clock.advance(1);
		await create();
	});

	it("is the hourly limit's where that ends after midnight", async () => {
		const { principal, domain } = await opened.tenant("t", { daily_upload_bytes: 55 });
		await opened.engine.domains.updateConfig(domain.id, { max_concurrent_pending_per_uploader: 10 });
		await opened.clock.advance(11.5 * hour);
		const first = opened.clock.now();
		const create = () => opened.engine.videos.create(principal, { ...clip, uploader_ref: "u" });
		for (let index = 0; index < 5; index++) await create();
		expect(await refusal(create())).toEqual(["upload_quota_exceeded", new Date(first + hour).toISOString()]);
		await opened.clock.advance(hour);
		await create();
	});
});
