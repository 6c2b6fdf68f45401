import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../http/test/support/open-service.ts";
import { ConnectionError, createReelmill } from "../src/index.ts";

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

const clip = { content_type: "video/mp4", file_size: 10 };

/**
 * The SDK of a new tenant, to which the first `times` answers to creations are lost: the server did what it was asked.
 */
async function losing(times: number, lose: (answer: Response) => Response | Promise<Response>) {
	const { apiKey } = await service.tenant();
	const keys: (string | null)[] = [];
	const reelmill = createReelmill({
		baseUrl: service.url,
		apiKey,
		retry: { backoffSeconds: 0.01 },
		fetch: async (input, init) => {
			const request = new Request(input, init);
			const answer = await fetch(request);
			if (request.method !== "POST") return answer;
			keys.push(request.headers.get("idempotency-key"));
			return keys.length <= times ? lose(answer) : answer;
		},
	});
	const ids = async () => (await Array.fromAsync(reelmill.videos.list())).map(({ id }) => id);
	return { reelmill, keys, ids };
}
const cut = () => Promise.reject(new TypeError("fetch failed"));

describe("creating a video", () => {
	it("is retried when its answer was lost, and creates one", async () => {
		const { reelmill, keys, ids } = await losing(2, cut);
		const { video, upload } = await reelmill.videos.create({ ...clip, uploader_ref: "u" });
		expect(upload.metadata.video_id).toBe(video.id);
		expect(await ids()).toEqual([video.id]);
		expect(keys).toHaveLength(3);
		expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[!-~]{16,255}$/)]));
	});

	it("is retried when a proxy answers in the place of the service", async () => {
		const { reelmill, ids } = await losing(1, () => new Response("<h1>Bad gateway</h1>", { status: 502 }));
		const { video } = await reelmill.videos.initiateOrResume({ ...clip, uploader_ref: "u" });
		expect(await ids()).toEqual([video.id]);
	});

	it("has a key of its own for each call, or the caller's for a call that is repeated after a crash", async () => {
		const { reelmill, keys, ids } = await losing(0, cut);
		await reelmill.videos.create(clip);
		await reelmill.videos.create(clip);
		expect(new Set(keys).size).toBe(2);
		const first = await reelmill.videos.create(clip, { idempotencyKey: "order-4711" });
		expect(await reelmill.videos.create(clip, { idempotencyKey: "order-4711" })).toEqual(first);
		expect(await ids()).toHaveLength(3);
		await expect(
			reelmill.videos.create({ ...clip, file_size: 11 }, { idempotencyKey: "order-4711" }),
		).rejects.toMatchObject({ code: "validation_error" });
	});

	it("is given up after as many retries as it may have, and can go on later under its key", async () => {
		const { reelmill, ids } = await losing(2, cut);
		const options = { idempotencyKey: "order-4712", retries: 0 };
		await expect(reelmill.videos.create(clip, options)).rejects.toBeInstanceOf(ConnectionError);
		await expect(reelmill.videos.create(clip, options)).rejects.toBeInstanceOf(ConnectionError);
		const { video } = await reelmill.videos.create(clip, options);
		expect(await ids()).toEqual([video.id]);
	});

	it("is safe for outros as well", async () => {
		const { reelmill, keys } = await losing(1, cut);
		const { outro } = await reelmill.outros.create({ ...clip, slug: "tail" });
		expect((await reelmill.outros.list()).map(({ id }) => id)).toEqual([outro.id]);
		expect(new Set(keys).size).toBe(1);
	});
});
