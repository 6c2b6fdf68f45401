import type { Video, VideoCounts, WebhookDelivery } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, openService, type Service } from "../support/open-service.ts";

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

type Auth = Record<string, string>;
type Page<T> = { data: T[]; next_cursor: string | null };
async function get<T>(path: string, auth: Auth): Promise<Page<T>> {
	const answer = await service.send({ path, headers: auth });
	if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
	return answer.json as Page<T>;
}
async function refused(
	path: string,
	auth: Auth,
	status: number,
	error: string,
	message?: RegExp,
	method = "GET",
): Promise<void> {
	const answer = await service.send({ method, path, headers: auth });
	const expected = { error, message: message ? expect.stringMatching(message) : expect.any(String) };
	expect({ path, status: answer.status, json: answer.json }).toEqual({ path, status, json: expected });
}
const listening = { webhook_url: "https://tenant.example/hook", webhook_secret: "whsec_test_secret" };
async function cancelled(auth: Auth): Promise<Video> {
	const { video } = await initiate(service, auth);
	return (await service.send({ method: "POST", path: `/v1/videos/${video.id}/cancel`, headers: auth })).json as Video;
}

describe("GET /v1/videos", () => {
	it("pages through the domain's videos, newest first, 20 by default", async () => {
		const { auth } = await service.tenant();
		const made: Video[] = [];
		for (let index = 0; index < 21; index++) {
			await service.clock.advance(1);
			made.unshift((await initiate(service, auth)).video);
		}
		const first = await get<Video>("/v1/videos", auth);
		expect(first).toEqual({ data: made.slice(0, 20), next_cursor: expect.stringMatching(/^[\w-]{1,512}$/) });
		expect(await get<Video>(`/v1/videos?cursor=${first.next_cursor}`, auth)).toEqual({
			data: made.slice(20),
			next_cursor: null,
		});
		expect(await get<Video>("/v1/videos?limit=100", auth)).toEqual({ data: made, next_cursor: null });
		expect((await get<Video>("/v1/videos?limit=1", auth)).data).toEqual(made.slice(0, 1));
		expect(await get<Video>("/v1/videos?state=failed", auth)).toEqual({ data: [], next_cursor: null });
		expect((await get<Video>("/v1/videos?state=pending_upload&limit=2", auth)).data).toEqual(made.slice(0, 2));
	});

	it("refuses limits, states, cursors and keys that the contract doesn't know", async () => {
		const { auth } = await service.tenant();
		for (const limit of ["0", "101", "-1", "1.5", "x", ""])
			await refused(`/v1/videos?limit=${limit}`, auth, 400, "validation_error", /limit/);
		await refused("/v1/videos?state=gone", auth, 400, "validation_error", /state/);
		await refused("/v1/videos?status=failed", auth, 400, "validation_error", /status: unknown key/);
		await refused("/v1/videos?cursor=", auth, 400, "validation_error", /cursor/);
		await refused(`/v1/videos?cursor=${"x".repeat(513)}`, auth, 400, "validation_error", /cursor/);
		await refused(`/v1/videos?cursor=${"x".repeat(512)}`, auth, 400, "invalid_cursor");
		await refused("/v1/videos?cursor=%F0%9F%8E%AC", auth, 400, "invalid_cursor");
		await refused("/v1/videos?limit=0", {}, 401, "unauthorized");
	});

	it("filters by references as they were given, whatever they hold", async () => {
		const { auth } = await service.tenant();
		const refs = ["<script>alert(1)</script>", "a b&c=d/ü%", "🎬", "x".repeat(255)];
		for (const ref of refs) await initiate(service, auth, { external_ref: ref, uploader_ref: ref });
		for (const ref of refs) {
			for (const filter of ["external_ref", "uploader_ref"]) {
				const { data } = await get<Video>(`/v1/videos?${filter}=${encodeURIComponent(ref)}`, auth);
				expect(data.map(({ external_ref }) => external_ref)).toEqual([ref]);
			}
		}
		for (const ref of ["", "x".repeat(256)])
			await refused(`/v1/videos?external_ref=${ref}`, auth, 400, "validation_error", /external_ref/);
	});

	it("counts videos beside the path of a video", async () => {
		const { auth } = await service.tenant();
		await initiate(service, auth);
		const counts = (await service.send({ path: "/v1/videos/counts", headers: auth })).json as VideoCounts;
		expect(counts.data[0]).toEqual({ state: "pending_upload", count: 1, more: false });
		await refused("/v1/videos/count", auth, 400, "invalid_video_id");
		await refused("/v1/usage/days?from=2026-02-30", auth, 400, "validation_error", /from/);
		await refused("/v1/usage/days?from=2026-02-02&to=2026-02-01", auth, 400, "validation_error", /from/);
	});

	it("refuses a cursor of another tenant, filter or list", async () => {
		const { auth } = await service.tenant(listening);
		const other = await service.tenant();
		for (let index = 0; index < 2; index++) await cancelled(auth);
		const { next_cursor: cursor } = await get<Video>("/v1/videos?limit=1", auth);
		const { next_cursor: filtered } = await get<Video>("/v1/videos?limit=1&state=cancelled", auth);
		const { next_cursor: deliveries } = await get<WebhookDelivery>("/v1/webhook-deliveries?limit=1", auth);
		await refused(`/v1/videos?cursor=${cursor}`, other.auth, 400, "invalid_cursor");
		await refused(`/v1/videos?state=cancelled&cursor=${cursor}`, auth, 400, "invalid_cursor");
		await refused(`/v1/videos?cursor=${filtered}`, auth, 400, "invalid_cursor");
		await refused(`/v1/videos?cursor=${deliveries}`, auth, 400, "invalid_cursor");
		await refused(`/v1/webhook-deliveries?cursor=${cursor}`, auth, 400, "invalid_cursor");
		expect((await get<Video>(`/v1/videos?cursor=${cursor}`, auth)).data).toHaveLength(1);
	});
});

describe("the webhook delivery log", () => {
	it("lists deliveries newest first, by status and in pages", async () => {
		const { auth } = await service.tenant(listening);
		const videos: Video[] = [];
		for (let index = 0; index < 3; index++) {
			await service.clock.advance(1);
			videos.unshift(await cancelled(auth));
		}
		const idsOf = ({ data }: Page<WebhookDelivery>): string[] => data.map(({ video_id }) => video_id);
		const whole = await get<WebhookDelivery>("/v1/webhook-deliveries", auth);
		expect(idsOf(whole)).toEqual(videos.map(({ id }) => id));
		expect(whole.data[0]).toEqual({
			id: expect.any(String),
			type: "video.cancelled",
			video_id: videos[0]?.id,
			status: "pending",
			url: "https://tenant.example/hook",
			attempts: [],
			attempt_count: 0,
			next_attempt_at: new Date(service.clock.now()).toISOString(),
			created_at: new Date(service.clock.now()).toISOString(),
			delivered_at: null,
		});
		const first = await get<WebhookDelivery>("/v1/webhook-deliveries?limit=2", auth);
		expect(
			(await get<WebhookDelivery>(`/v1/webhook-deliveries?limit=2&cursor=${first.next_cursor}`, auth)).data,
		).toEqual(whole.data.slice(2));
		expect(await get<WebhookDelivery>("/v1/webhook-deliveries?status=delivered", auth)).toEqual({
			data: [],
			next_cursor: null,
		});
		await service.engine.sweep();
		expect(idsOf(await get<WebhookDelivery>("/v1/webhook-deliveries?status=delivered", auth))).toEqual(idsOf(whole));
		expect(await get<WebhookDelivery>("/v1/webhook-deliveries", (await service.tenant()).auth)).toEqual({
			data: [],
			next_cursor: null,
		});
	});

	it("refuses what the contract doesn't know, and calls an overlong cursor invalid", async () => {
		const { auth } = await service.tenant();
		for (const limit of ["0", "101", "x"])
			await refused(`/v1/webhook-deliveries?limit=${limit}`, auth, 400, "validation_error", /limit/);
		await refused("/v1/webhook-deliveries?status=sent", auth, 400, "validation_error", /status/);
		await refused("/v1/webhook-deliveries?state=failed", auth, 400, "validation_error", /state: unknown key/);
		await refused("/v1/webhook-deliveries?cursor=", auth, 400, "validation_error", /cursor/);
		for (const length of [1, 512, 513, 8000])
			await refused(`/v1/webhook-deliveries?cursor=${"x".repeat(length)}`, auth, 400, "invalid_cursor");
		await refused("/v1/webhook-deliveries", {}, 401, "unauthorized");
	});

	it("replays a delivery, and knows none of another tenant", async () => {
		const { auth } = await service.tenant(listening);
		const video = await cancelled(auth);
		await service.engine.sweep();
		const [delivered] = (await get<WebhookDelivery>("/v1/webhook-deliveries", auth)).data;
		expect(delivered).toMatchObject({ video_id: video.id, status: "delivered", attempt_count: 1 });
		const path = `/v1/webhook-deliveries/${delivered?.id}/replay`;
		const answer = await service.send({ method: "POST", path, headers: auth });
		expect([answer.status, answer.json]).toEqual([
			200,
			{ ...delivered, status: "pending", next_attempt_at: new Date(service.clock.now()).toISOString() },
		]);
		await service.engine.sweep();
		expect((await get<WebhookDelivery>("/v1/webhook-deliveries", auth)).data).toMatchObject([
			{ id: delivered?.id, status: "delivered", attempt_count: 2 },
		]);

		const stranger = await service.tenant();
		await refused(path, stranger.auth, 404, "delivery_not_found", undefined, "POST");
		for (const id of ["00000000-0000-4000-8000-000000000000", "nonsense", "%00"]) {
			await refused(`/v1/webhook-deliveries/${id}/replay`, auth, 404, "delivery_not_found", undefined, "POST");
		}
		await refused(path, {}, 401, "unauthorized", undefined, "POST");
	});
});
