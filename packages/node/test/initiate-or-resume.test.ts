import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../http/test/support/open-service.ts";
import { createReelmill, type HeldTicket, isReelmillError, type Reelmill, type TicketStore } from "../src/index.ts";

let service: Service;
let apiKey = "";
beforeAll(async () => {
	service = await openService();
	apiKey = (await service.tenant()).apiKey;
});
afterAll(() => service.close());

const sdk = (tickets?: TicketStore): Reelmill =>
	createReelmill({ baseUrl: service.url, apiKey, ...(tickets ? { tickets } : {}) });
const clip = (uploader_ref: string, more: object = {}) => ({
	content_type: "video/mp4",
	file_size: 10,
	uploader_ref,
	external_ref: "lesson",
	...more,
});
const stateOf = async (id: string) => (await sdk().videos.get(id)).state;

describe("initiating or resuming", () => {
	it("gives the earlier ticket again while its upload waits for bytes", async () => {
		const { videos } = sdk();
		const first = await videos.initiateOrResume(clip("resumes"));
		const second = await videos.initiateOrResume(clip("resumes", { visibility: undefined }));
		expect([first.resumed, second.resumed]).toEqual([false, true]);
		expect(second.upload).toEqual(first.upload);
		expect(second.video).toMatchObject({ id: first.video.id, state: "pending_upload" });
	});

	it("resumes in another process over a shared store, also one that keeps JSON", async () => {
		const kept = new Map<string, string>();
		const tickets: TicketStore = {
			get: async (key) => (kept.has(key) ? (JSON.parse(kept.get(key) ?? "") as HeldTicket) : undefined),
			set: async (key, ticket) => kept.set(key, JSON.stringify(ticket)),
			delete: async (key) => kept.delete(key),
		};
		const first = await sdk(tickets).videos.initiateOrResume(clip("shares"));
		expect(await sdk(tickets).videos.initiateOrResume(clip("shares"))).toMatchObject({
			resumed: true,
			upload: first.upload,
		});
	});

	it("cancels the pending upload and begins anew where it is told to and no ticket is held for the same input", async () => {
		const lost = await sdk().videos.initiateOrResume(clip("loses"));
		const { videos } = sdk();
		const anew = await videos.initiateOrResume(clip("loses"), { onExisting: "cancel" });
		expect(anew.resumed).toBe(false);
		expect(await stateOf(lost.video.id)).toBe("cancelled");
		const other = await videos.initiateOrResume(clip("loses", { file_size: 11 }), { onExisting: "cancel" });
		expect(other).toMatchObject({ resumed: false, video: { file_size: 11 } });
		expect(await stateOf(anew.video.id)).toBe("cancelled");
	});

	it("cancels nothing that it isn't told to: it fails with the existing video's id", async () => {
		const lost = await sdk().videos.initiateOrResume(clip("fails"));
		for (const options of [undefined, {}, { onExisting: "fail" }] as const) {
			const error = await sdk()
				.videos.initiateOrResume(clip("fails"), options)
				.catch((thrown: unknown) => thrown);
			expect(isReelmillError(error, "concurrent_upload_exists") && error.extras.existing_video_id).toBe(lost.video.id);
			expect(await stateOf(lost.video.id)).toBe("pending_upload");
		}
	});

	it("gives one ticket to many calls at once", async () => {
		const { videos } = sdk();
		const answers = await Promise.all(Array.from({ length: 8 }, () => videos.initiateOrResume(clip("hurries"))));
		expect(new Set(answers.map(({ upload }) => upload.token)).size).toBe(1);
		expect(answers.filter(({ resumed }) => resumed)).toHaveLength(7);
	});

	it("begins anew after an upload that ended, and forgets its ticket", async () => {
		const tickets = new Map<string, HeldTicket>();
		const { videos } = sdk(tickets);
		const first = await videos.initiateOrResume(clip("ends"));
		await videos.cancel(first.video.id);
		const second = await videos.initiateOrResume(clip("ends"));
		expect(second.resumed).toBe(false);
		expect([...tickets.values()].map(({ video }) => video.id)).toEqual([second.video.id]);
	});

	it("leaves uploads without an uploader alone", async () => {
		const { videos } = sdk();
		const input = { content_type: "video/mp4", file_size: 10, external_ref: "lesson" };
		const answers = [await videos.initiateOrResume(input), await videos.initiateOrResume(input)];
		expect(answers.map(({ resumed }) => resumed)).toEqual([false, false]);
		expect(await Promise.all(answers.map(({ video }) => stateOf(video.id)))).toEqual([
			"pending_upload",
			"pending_upload",
		]);
	});
});
