import type { Socket } from "node:net";
import type { Usage, UsageDays, Video, VideoReport } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, openService, type Service } from "../support/open-service.ts";
import { answerOf, open } from "../support/send.ts";
import { metadata, offsetType, type Tus, tusFor } from "../support/tus.ts";

const size = 64 * 1024 * 1024;
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const mp4 = Buffer.concat([Buffer.from("000001b3", "hex"), Buffer.from("ftypisom")]);

let service: Service;
let auth: Record<string, string>;
beforeAll(async () => {
	service = await openService();
	({ auth } = await service.tenant());
});
afterAll(() => service.close());

const start = async (bytes = size): Promise<Tus> =>
	tusFor(service.url, await initiate(service, auth, { file_size: bytes }));
const create = (tus: Tus, bytes = size) => tus.create({ headers: { "upload-length": String(bytes) } });
const refused = {
	status: 400,
	json: { error: "invalid_content_type", message: expect.stringContaining("The file is a picture") },
};

/** Sends a file of zeros behind its first bytes in one request. Returns the answer, and how many bytes left. */
async function sendWhole(tus: Tus, begin: Uint8Array, options: { method: string; path: string; headers: object }) {
	const headers = { ...tus.headers, ...offsetType, "content-length": String(size), ...options.headers };
	const request = open(service.url, { method: options.method, path: options.path, headers });
	let socket: Socket | undefined;
	request.on("socket", (opened) => {
		socket = opened;
	});
	const answer = answerOf(request);
	let isAnswered = false;
	const ended = answer.finally(() => {
		isAnswered = true;
	});
	request.write(begin);
	const piece = Buffer.alloc(256 * 1024);
	for (let sent = begin.length; sent < size && !isAnswered; sent += piece.length) {
		const isFull = !request.write(piece.subarray(0, Math.min(piece.length, size - sent)));
		if (isFull) await Promise.race([new Promise((resolve) => request.once("drain", resolve)), ended]);
	}
	const found = await ended;
	request.destroy();
	return { ...found, sent: socket?.bytesWritten ?? 0 };
}

describe("an upload of what is no video", () => {
	it("is refused by the first bytes of its one request, before the rest is sent", async () => {
		const tus = await start();
		await create(tus);
		const answer = await sendWhole(tus, png, { method: "PATCH", path: tus.path, headers: { "upload-offset": "0" } });
		expect(answer).toMatchObject({ ...refused, headers: { connection: "close" } });
		expect(answer.sent).toBeLessThan(size / 4);
		expect(await tus.head()).toMatchObject({
			status: 409,
			headers: { "upload-complete": "?0", "upload-end": "refused" },
		});
	});

	it("is refused by the chunk that comes with its creation", async () => {
		const tus = await start();
		const headers = { "upload-length": String(size), "upload-metadata": metadata(tus.id) };
		const answer = await sendWhole(tus, png, { method: "POST", path: "/uploads", headers });
		expect(answer).toMatchObject(refused);
		expect(answer.sent).toBeLessThan(size / 4);
	});

	it("is refused in the first chunk, and its video fails: nothing is kept or reserved, and the tenant is told", async () => {
		const { auth } = await service.tenant({ webhook_url: "https://hooks.example/", webhook_secret: "whsec_x" });
		const get = async <T>(path: string) => (await service.send({ path, headers: auth })).json as T;
		const tus = tusFor(service.url, await initiate(service, auth, { file_size: 1024, uploader_ref: "u" }));
		await create(tus, 1024);
		const body = (begin: Buffer) => Buffer.concat([begin, Buffer.alloc(600)]).toString("latin1");
		const patch = (begin: Buffer) =>
			tus.send({
				method: "PATCH",
				headers: { ...offsetType, "upload-offset": "0" },
				body: Buffer.from(body(begin), "latin1"),
			});
		expect(await patch(png)).toMatchObject(refused);
		expect(await patch(mp4)).toMatchObject({
			status: 409,
			json: { error: "upload_not_pending", upload_complete: false, upload_end: "refused" },
		});
		expect(await get<Video>(`/v1/videos/${tus.id}`)).toMatchObject({
			state: "failed",
			failure_reason: "invalid_media",
		});
		expect(await get<VideoReport>(`/v1/videos/${tus.id}/report`)).toMatchObject({
			report: { failure: expect.stringContaining("The file is a picture") },
		});
		expect((await get<Usage>("/v1/usage")).remaining.upload_bytes).toBe(10 * 1024 ** 3);
		expect((await get<UsageDays>("/v1/usage/days")).data[0]).toMatchObject({ uploads: 0, failures: 1 });
		expect(await get("/v1/webhook-deliveries")).toMatchObject({ data: [{ type: "video.failed", video_id: tus.id }] });
		expect(await service.engineOptions.uploads.size(tus.id)).toBeNull();
		await initiate(service, auth, { uploader_ref: "u" });
		expect((await service.send({ method: "DELETE", path: `/v1/videos/${tus.id}`, headers: auth })).status).toBe(204);
	});

	it("is judged by 512 bytes, however they are cut: the beginning of a video may look like something else", async () => {
		const tus = await start(1024);
		await create(tus, 1024);
		const headers = { ...tus.headers, ...offsetType, "upload-offset": "0", "content-length": "1024" };
		const request = open(service.url, { method: "PATCH", path: tus.path, headers });
		const answer = answerOf(request);
		request.write(mp4.subarray(0, 4));
		await new Promise((resolve) => setImmediate(resolve));
		request.end(Buffer.concat([mp4.subarray(4), Buffer.alloc(1024 - mp4.length)]));
		expect(await answer).toMatchObject({ status: 204, headers: { "upload-offset": "1024" } });
	});

	it("passes if its first request ends before it can be judged, and is judged if that is all of it", async () => {
		const long = await start(1024);
		await create(long, 1024);
		expect(
			await long.send({ method: "PATCH", headers: { ...offsetType, "upload-offset": "0" }, body: png }),
		).toMatchObject({ status: 204, headers: { "upload-offset": String(png.length) } });
		const whole = await start(png.length);
		await create(whole, png.length);
		expect(
			await whole.send({ method: "PATCH", headers: { ...offsetType, "upload-offset": "0" }, body: png }),
		).toMatchObject(refused);
	});
});
