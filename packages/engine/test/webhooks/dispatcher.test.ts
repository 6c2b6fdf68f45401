import { WebhookEvent } from "@reelmill/contracts";
import { verifySignature } from "@reelmill/webhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
beforeEach(() => {
	opened.receiver.requests.length = 0;
	opened.receiver.answer = () => ({ status: 200, error: null });
});
afterAll(() => opened.close());

const secret = "whsec_test_secret";
async function listening() {
	const tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example/hook",
		webhook_secret: secret,
	});
	return tenant;
}
const deliveries = (domainId: string) =>
	opened.database.query({
		text: "select type, status, attempt_count, attempts, next_attempt_at from reelmill.webhook_deliveries where domain_id = $1 order by created_at",
		values: [domainId],
	});

describe("webhooks", () => {
	it("tell video.ready with the video as the API shows it, signed over the exact bytes", async () => {
		const { principal, domain } = await listening();
		const { video } = await uploadVideo(opened, principal);
		await finishJob(opened, await opened.engine.jobs.claimById(opened.worker, video.id, { worker: "w" }));
		await opened.engine.sweep();
		const [request] = opened.receiver.requests;
		if (!request) throw new Error("nothing was sent");
		expect(request.url).toBe("https://tenant.example/hook");
		expect(request.headers).toMatchObject({
			"content-type": "application/json",
			"user-agent": "Reelmill-Webhooks/1.2.3",
		});
		await verifySignature({
			payload: request.body,
			header: request.headers["service-signature"] ?? "",
			secret,
			now: opened.clock.now,
		});
		const event = WebhookEvent.parse(JSON.parse(Buffer.from(request.body).toString()));
		expect(event).toMatchObject({
			id: request.headers["service-delivery-id"],
			type: "video.ready",
			domain_id: domain.id,
		});
		expect(event.data.video).toEqual(await opened.engine.videos.get(principal, video.id));
		expect(await deliveries(domain.id)).toMatchObject([
			{ type: "video.ready", status: "delivered", attempt_count: 1, next_attempt_at: null },
		]);
	});

	it("tell each end of a video once", async () => {
		const { principal, domain } = await listening();
		const cancelled = await opened.engine.videos.create(principal, clip);
		await opened.engine.videos.cancel(principal, cancelled.video.id);
		const deleted = await uploadVideo(opened, principal);
		await opened.engine.videos.delete(principal, deleted.video.id);
		const failed = await uploadVideo(opened, principal);
		const job = await opened.engine.jobs.claimById(opened.worker, failed.video.id, { worker: "w" });
		await opened.engine.jobs.fail(job.id, { lock: job.lock, reason: "no_video_stream", retryable: false });
		await opened.engine.videos.create(principal, clip);
		await opened.clock.advance(3_600_000);
		await opened.engine.sweep();
		const told = opened.receiver.requests.map(({ body }) =>
			WebhookEvent.parse(JSON.parse(Buffer.from(body).toString())),
		);
		expect(told.map(({ type }) => type).sort()).toEqual([
			"video.cancelled",
			"video.cancelled",
			"video.expired",
			"video.failed",
		]);
		expect(told.find(({ type }) => type === "video.failed")?.data.video).toMatchObject({
			state: "failed",
			failure_reason: "no_video_stream",
		});
		expect(await deliveries(domain.id)).toHaveLength(4);
	});

	it("are tried six times on the schedule, the same bytes under the same id, and then given up", async () => {
		const { principal, domain } = await listening();
		opened.receiver.answer = () => ({ status: 500, error: "status_500" });
		const { video } = await opened.engine.videos.create(principal, clip);
		await opened.engine.videos.cancel(principal, video.id);
		const waits = [0, 30, 300, 3600, 21_600, 86_400];
		for (const [index, wait] of waits.entries()) {
			await opened.clock.advance(wait * 1000 * 0.89);
			await opened.engine.sweep();
			expect(opened.receiver.requests).toHaveLength(index === 0 ? 1 : index);
			await opened.clock.advance(wait * 1000 * 0.22);
			await opened.engine.sweep();
			expect(opened.receiver.requests).toHaveLength(index + 1);
		}
		await opened.clock.advance(86_400_000);
		await opened.engine.sweep();
		const requests = opened.receiver.requests;
		expect(requests).toHaveLength(6);
		expect(new Set(requests.map(({ headers }) => headers["service-delivery-id"])).size).toBe(1);
		expect(new Set(requests.map(({ body }) => Buffer.from(body).toString())).size).toBe(1);
		expect(new Set(requests.map(({ headers }) => headers["service-signature"])).size).toBe(6);
		const [delivery] = await deliveries(domain.id);
		expect(delivery).toMatchObject({ status: "failed", attempt_count: 6, next_attempt_at: null });
		expect(delivery?.attempts).toHaveLength(6);
	});

	it("have lines in the log, which name the request that made their video", async () => {
		const { principal, domain } = await listening();
		let refused = 1;
		opened.receiver.answer = () =>
			refused-- > 0 ? { status: 500, error: "status_500" } : { status: 200, error: null };
		const told = async () => {
			const { video } = await opened.engine.videos.create(principal, clip, { requestId: "order-4711" });
			const before = opened.logger.entries.length;
			await opened.engine.videos.cancel(principal, video.id);
			for (const wait of [0, 40, 340, 4000, 24_000, 96_000]) {
				await opened.clock.advance(wait * 1000);
				await opened.engine.sweep();
			}
			const lines = opened.logger.entries.slice(before).filter(({ message }) => message.startsWith("a webhook"));
			const named = {
				request_id: "order-4711",
				deliveryId: expect.any(String),
				domainId: domain.id,
				videoId: video.id,
			};
			for (const { fields } of lines) expect(fields).toMatchObject(named);
			return lines.map(({ level, message, fields }) => [level, message, (fields as { attempt: number }).attempt]);
		};
		expect(await told()).toEqual([
			["info", "a webhook attempt failed", 1],
			["info", "a webhook was delivered", 2],
		]);
		refused = 6;
		expect(await told()).toEqual([
			...[1, 2, 3, 4, 5, 6].map((attempt) => ["info", "a webhook attempt failed", attempt]),
			["warn", "a webhook is a dead letter: its last attempt failed", 6],
		]);
	});

	it("are neither sent nor logged while only a URL or only a secret is set", async () => {
		for (const config of [{ webhook_url: "https://tenant.example/hook" }, { webhook_secret: secret }]) {
			const { principal, domain } = await opened.tenant();
			await opened.engine.domains.updateConfig(domain.id, config);
			const { video } = await opened.engine.videos.create(principal, clip);
			await opened.engine.videos.cancel(principal, video.id);
			await opened.engine.sweep();
			expect(await deliveries(domain.id)).toEqual([]);
		}
		expect(opened.receiver.requests).toEqual([]);
	});

	it("go out once when many servers look at once", async () => {
		const { principal } = await listening();
		for (let index = 0; index < 5; index++) {
			const { video } = await opened.engine.videos.create(principal, clip);
			await opened.engine.videos.cancel(principal, video.id);
		}
		await Promise.all(Array.from({ length: 8 }, () => opened.engine.sweep()));
		expect(opened.receiver.requests).toHaveLength(5);
	});
});
