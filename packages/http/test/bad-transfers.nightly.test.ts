import { readdir } from "node:fs/promises";
import { api, type CreatedVideo } from "@reelmill/contracts";
import { playlistOf } from "@reelmill/engine/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Written } from "./support/bad-requests.ts";
import { deliveryRequests, tusRequests, type Uploading, workerRequests } from "./support/bad-transfers.ts";
import { type Named, nameOf, operationAt, served } from "./support/contract.ts";
import { playbackAuth, unlimited } from "./support/credentials.ts";
import { deliveredFiles, finished } from "./support/finished.ts";
import { claimed, initiate, openService, type Service } from "./support/open-service.ts";
import type { Answer } from "./support/send.ts";
import { createTry, type Try, tryEach, tryMany } from "./support/try-bad-input.ts";
import { zipOf } from "./support/zip.ts";

type Headers = Record<string, string>;
let service: Service;
let auth: Headers;
beforeAll(async () => {
	service = await openService({}, () => ({ rateLimiter: unlimited }));
});
beforeEach(async () => {
	({ auth } = await service.tenant());
});
afterAll(() => service.close());

/** What answers under a plane's prefix where no operation is: the plane's own refusals, for credentials come first. */
const nothingAt = (plane: "createUpload" | "getWebMp4" | "getJobSource"): Named => ({
	...api[plane],
	name: plane,
	success: { status: 302, says: "Elsewhere." },
	alternatives: [],
	errors: ["not_found"],
});
const pathname = ({ path }: Written): string => path.split("?")[0] ?? "";

describe("whatever is sent to the upload plane", () => {
	it("gets an answer that the contract lists, and leaves the upload as it was if it is refused", async () => {
		let created: CreatedVideo | undefined;
		let attempt: Try;
		let offset = 0;
		/** Bytes kept; before its creation an upload has none, as right after it. */
		const offsetNow = async ({ video, upload }: CreatedVideo): Promise<number> => {
			const principal = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
			return service.engine.uploads.status(principal, video.id).then(
				(status) => status.offset,
				() => 0,
			);
		};
		const isPending = async ({ video }: CreatedVideo) =>
			((await service.send({ path: `/v1/videos/${video.id}`, headers: auth })).json as { state: string }).state ===
			"pending_upload";
		const foreign = (await initiate(service, auth)).video.id;
		const operationOf = ({ method, path, headers }: Written): Named | undefined => {
			const meant = method === "POST" ? (headers["x-http-method-override"]?.toUpperCase() ?? method) : method;
			return (
				operationAt(served, meant, pathname({ path } as Written).replace(/^\/uploads\/$/, "/uploads")) ??
				nothingAt("createUpload")
			);
		};
		const seen = new Set<string>();
		const check = async (_: Written, answer: Answer) => {
			seen.add(nameOf(answer));
			if (answer.status >= 400) expect(await offsetNow(created as CreatedVideo)).toBe(offset);
		};
		await tryMany(tusRequests, 400, async (make: (upload: Uploading) => Written) => {
			if (created === undefined || !(await isPending(created))) {
				created = await initiate(service, auth);
				attempt = await createTry(service, operationOf, check);
			}
			offset = await offsetNow(created);
			await tryEach([make({ id: created.video.id, token: created.upload.token, foreign })], attempt);
		});
		expect([...seen]).toEqual(
			expect.arrayContaining([
				"201",
				"204",
				"200",
				"400 missing_video_id",
				"400 size_mismatch",
				"409 bad_request",
				"412 bad_request",
				"415 bad_request",
			]),
		);
	});
});

describe("whatever is sent to the delivery plane", () => {
	it("gets an answer that the contract lists, with the bytes that it says", async () => {
		const ids = [
			await finished(service, auth),
			await finished(service, auth, "public"),
			(await initiate(service, auth)).video.id,
		];
		const { authorization = "" } = await playbackAuth(service, auth);
		const operationOf = ({ method }: Written): Named | undefined =>
			method === "GET" || method === "HEAD" ? { ...api.getWebMp4, name: "getWebMp4" } : nothingAt("getWebMp4");
		const seen = new Set<string>();
		const check = (request: Written, answer: Answer) => {
			seen.add(nameOf(answer));
			expectFile(request, answer);
		};
		await tryMany(deliveryRequests(ids, authorization), 400, await createTry(service, operationOf, check));
		expect([...seen]).toEqual(
			expect.arrayContaining([
				"200",
				"206",
				"304",
				"416 bad_request",
				"400 invalid_path",
				"401 playback_key_required",
				"404 not_found",
			]),
		);
	});
});

/** Fails unless an answer with a file, or a range of one, has exactly those bytes. */
function expectFile(request: Written, { status, headers, text }: Answer): void {
	if (request.method === "HEAD" || ![200, 206, 304, 416].includes(status)) return;
	const file = deliveredFiles[decodeURIComponent(pathname(request).split("/").slice(3).join("/"))] ?? "";
	const [, start = "0", end = String(file.length - 1), size] =
		/^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
	if (status === 200) expect(text).toBe(file);
	if (status === 206)
		expect({ text, size }).toEqual({ text: file.slice(Number(start), Number(end) + 1), size: String(file.length) });
	if (status === 304) expect(text).toBe("");
	if (status === 416) expect(size).toBe(String(file.length));
}

describe("whatever is sent to the workers' binary routes", () => {
	it("gets an answer that the contract lists, and leaves no file behind", async () => {
		const [job, other] = [await claimed(service, auth), await claimed(service, auth)];
		const ids = [
			job.id,
			job.id,
			job.id,
			job.id,
			other.id,
			(await initiate(service, auth)).video.id,
			await finished(service, auth),
		];
		const { authorization = "" } = await service.serviceAuth();
		const archive = await zipOf({ "hls/master.m3u8": playlistOf(1), "web.mp4": "0123456789", "og.jpg": "jpg" });
		const requests = workerRequests({ ids, locks: [job.lock, job.lock, job.lock, other.lock] }, authorization, archive);
		const operationOf = (request: Written): Named | undefined => operationAt(served, request.method, pathname(request));
		const seen = new Set<string>();
		const check = (_: Written, answer: Answer) => void seen.add(nameOf(answer));
		await tryMany(requests, 300, await createTry(service, operationOf, check));
		expect([...seen]).toEqual(
			expect.arrayContaining([
				"204",
				"200",
				"206",
				"416 bad_request",
				"415 bad_request",
				"400 invalid_zip_entry",
				"403 not_lock_holder",
			]),
		);
		expect(await readdir(service.spoolDirectory)).toEqual([]);
	});
});

it("never is a failure of ours", () => {
	expect(service.logger.entries.filter(({ level }) => level === "error")).toEqual([]);
});
