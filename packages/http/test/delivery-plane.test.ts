import { createServer } from "node:http";
import { createEngine, type Engine } from "@reelmill/engine";
import { playlistOf } from "@reelmill/engine/testing";
import { createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finished } from "./support/finished.ts";
import { claimed, completion, listen, once, openService, type Service } from "./support/open-service.ts";
import { type Answer, bearer, open as openRequest, type Sent, send } from "./support/send.ts";

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

const large = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
const files = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"media/h264_720.mp4": large,
	"og.jpg": Buffer.from("jpg"),
	"web.mp4": Buffer.from("0123456789"),
};

/** A video that plays, its files stored as a worker stores them. */
async function available({
	visibility = "private",
	config,
}: {
	visibility?: "private" | "public";
	config?: object;
} = {}) {
	const { auth } = await service.tenant(config);
	const job = await claimed(service, auth, { visibility });
	const entries = async function* () {
		for (const [path, bytes] of Object.entries(files)) yield { path, bytes: once(bytes) };
	};
	await service.engine.jobs.replaceOutputs(job.id, job.lock, entries());
	await service.engine.jobs.complete(job.id, completion(job.lock, Object.keys(files)));
	const minted = await service.send({
		method: "POST",
		path: "/v1/playback-keys",
		headers: auth,
		json: { viewer_ref: "v" },
	});
	return { id: job.id, auth, key: bearer((minted.json as { playback_key: string }).playback_key) };
}
const get = (id: string, file = "web.mp4", headers: Record<string, string> = {}, rest: Partial<Sent> = {}) =>
	service.send({ path: `/videos/${id}/${file}`, headers, ...rest });
function expectError(answer: Answer, status: number, error: string) {
	expect({ status: answer.status, json: answer.json }).toEqual({
		status,
		json: { error, message: expect.any(String) },
	});
	expect(answer.headers).toMatchObject({
		"cache-control": "no-store",
		"content-length": String(answer.bytes.length),
		"x-content-type-options": "nosniff",
	});
	expect(answer.headers).not.toHaveProperty("etag");
}

describe("a public video", () => {
	let id: string;
	beforeAll(async () => {
		({ id } = await available({ visibility: "public" }));
	});

	it.each([
		["hls/master.m3u8", "application/vnd.apple.mpegurl"],
		["media/h264_720.mp4", "video/mp4"],
		["og.jpg", "image/jpeg"],
		["web.mp4", "video/mp4"],
	] as const)("gives %s to anyone, to keep for a day", async (file, type) => {
		const answer = await get(id, `${file}?cache=buster`);
		expect(answer).toMatchObject({
			status: 200,
			headers: {
				"content-type": type,
				"content-length": String(files[file].length),
				"cache-control": "public, max-age=86400",
				"accept-ranges": "bytes",
				"reelmill-domain": expect.stringMatching(/^[\w-]{16}$/),
				"access-control-allow-origin": "*",
				"x-content-type-options": "nosniff",
				etag: expect.stringMatching(/^"[^"]+"$/),
			},
		});
		expect(answer.headers).not.toHaveProperty("vary");
		expect(answer.bytes.equals(files[file])).toBe(true);
	});

	it("answers HEAD with the headers of the whole", async () => {
		const [head, whole] = [await get(id, "web.mp4", { range: "bytes=0-1" }, { method: "HEAD" }), await get(id)];
		expect(head).toMatchObject({ status: 200, text: "" });
		for (const name of ["content-length", "content-type", "etag", "cache-control"])
			expect(head.headers[name]).toBe(whole.headers[name]);
	});

	it.each([
		["bytes=0-3", "0123", "bytes 0-3/10"],
		["bytes=8-", "89", "bytes 8-9/10"],
		["bytes=-2", "89", "bytes 8-9/10"],
		["bytes=5-500", "56789", "bytes 5-9/10"],
	])("answers %s with that part", async (range, text, contentRange) => {
		expect(await get(id, "web.mp4", { range })).toMatchObject({
			status: 206,
			text,
			headers: { "content-range": contentRange, "content-length": String(text.length), "content-type": "video/mp4" },
		});
	});

	it("gives the right bytes of a range that spans many reads", async () => {
		const answer = await get(id, "media/h264_720.mp4", { range: "bytes=65000-264999" });
		expect(answer.bytes.equals(large.subarray(65_000, 265_000))).toBe(true);
	});

	it("gives the whole for several ranges or a malformed one, and 416 for one outside", async () => {
		for (const range of ["bytes=0-1,3-4", "bytes=4-2", "lines=1-2"])
			expect(await get(id, "web.mp4", { range })).toMatchObject({ status: 200, text: "0123456789" });
		for (const range of ["bytes=10-", "bytes=-0"]) {
			const answer = await get(id, "web.mp4", { range });
			expectError(answer, 416, "bad_request");
			expect(answer.headers["content-range"]).toBe("bytes */10");
		}
	});

	it("answers 304 to the tag it gave out, and drops a range whose If-Range doesn't hold", async () => {
		const etag = (await get(id)).headers.etag ?? "";
		for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
			const answer = await get(id, "web.mp4", { "if-none-match": tag, range: "bytes=0-1" });
			expect(answer).toMatchObject({
				status: 304,
				text: "",
				headers: { etag, "cache-control": "public, max-age=86400", "access-control-allow-origin": "*" },
			});
		}
		expect((await get(id, "web.mp4", { "if-none-match": '"other"' })).status).toBe(200);
		expect((await get(id, "web.mp4", { "if-range": etag, range: "bytes=0-1" })).status).toBe(206);
		expect((await get(id, "web.mp4", { "if-range": '"other"', range: "bytes=0-1" })).status).toBe(200);
		expect((await get(id, "og.jpg")).headers.etag).not.toBe(etag);
	});

	it("gives changed files to keep for a minute, under new addresses, and all others for a day", async () => {
		const { id, auth } = await available({ visibility: "public" });
		const addresses: string[] = [];
		for (const title of ["Beginning", "The beginning"]) {
			const json = { chapters: [{ start_seconds: 0, title }] };
			const put = await service.send({ method: "PUT", path: `/v1/videos/${id}/chapters`, headers: auth, json });
			addresses.push((put.json as { url: string }).url);
			for (const file of ["chapters.vtt", "chapters.json"])
				expect((await get(id, file)).headers["cache-control"], file).toBe("public, max-age=60");
			expect((await get(id)).headers["cache-control"]).toBe("public, max-age=86400");
		}
		expect(addresses).toEqual([1, 2].map((edit) => `${service.url}/videos/${id}/chapters.vtt?v=${edit}`));
		expect((await get(id, "chapters.vtt?v=2")).text).toContain("The beginning");
		const { json } = await service.send({ path: `/v1/videos/${id}`, headers: auth });
		expect(json).toMatchObject({
			outputs: {
				chapters_url: addresses[1],
				mp4_url: `${service.url}/videos/${id}/web.mp4`,
			},
		});
	});

	it("lets nobody keep the old bytes under a new address where another server changed them", async () => {
		const { auth } = await service.tenant();
		const id = await finished(service, auth, "public");
		const behind = createEngine(service.engineOptions);
		const server = createServer(createNodeListener(behind, service.options));
		const url = await listen(server);
		const lasting = async (path: string) => {
			const answer = await send(url, { path: `/videos/${id}/${path}` });
			return [answer.text, answer.headers["cache-control"]];
		};
		expect(await lasting("chapters.vtt")).toEqual(["WEBVTT\n", "public, max-age=86400"]);
		const json = { chapters: [{ start_seconds: 0, title: "Beginning" }] };
		await service.send({ method: "PUT", path: `/v1/videos/${id}/chapters`, headers: auth, json });
		expect(await lasting("chapters.vtt?v=1")).toEqual(["WEBVTT\n", "public, no-cache"]);
		await service.clock.advance(2001);
		expect(await lasting("chapters.vtt?v=1")).toEqual([expect.stringContaining("Beginning"), "public, max-age=60"]);
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		await behind.stop();
	});

	it("has no other files, and no other methods", async () => {
		for (const file of ["transcript.vtt", "hls/none.m3u8", "frames/00001.jpg", "web.mp3"])
			expectError(await get(id, file), 404, "not_found");
		for (const method of ["POST", "PUT", "DELETE", "PATCH"])
			expectError(await get(id, "web.mp4", {}, { method }), 404, "not_found");
	});
});

describe("a private video", () => {
	it("asks for a key, and to be asked again each time", async () => {
		const { id, key } = await available();
		const refused = await get(id, "web.mp4", { origin: "https://a.example" });
		expectError(refused, 401, "playback_key_required");
		expect(refused.headers["access-control-allow-origin"]).toBe("*");
		const answer = await get(id, "web.mp4", key);
		expect(answer).toMatchObject({
			status: 200,
			text: "0123456789",
			headers: { "cache-control": "private, no-cache", vary: "Authorization, Origin" },
		});
		expect((await get(id, "web.mp4", { ...key, "if-none-match": answer.headers.etag ?? "" })).status).toBe(304);
		expectError(await get(id, "web.mp4", { "if-none-match": answer.headers.etag ?? "" }), 401, "playback_key_required");
	});

	it("can't be told from one that doesn't exist", async () => {
		const { id, auth } = await available({ config: { cors_origins: ["https://a.example"] } });
		const unknown = "00000000-0000-4000-8000-000000000000";
		for (const headers of [
			{},
			{ origin: "https://a.example" },
			{ origin: "https://b.example" },
			bearer("x"),
			auth,
		] as Record<string, string>[]) {
			const [real, none] = [await get(id, "web.mp4", headers), await get(unknown, "web.mp4", headers)];
			for (const { headers: sent } of [real, none]) {
				delete sent["x-request-id"];
				delete sent.date;
			}
			expect(real).toEqual(none);
			expectError(real, 401, "authorization" in headers ? "playback_key_invalid" : "playback_key_required");
		}
	});
});

describe("browsers on the delivery plane", () => {
	it("are let in from an origin however it is written, and from no other", async () => {
		const listed = ["https://A.example:443", "http://b.example:8080"];
		const { id } = await available({ visibility: "public", config: { cors_origins: listed } });
		const allowed = async (origin: string) =>
			(await get(id, "web.mp4", { origin })).headers["access-control-allow-origin"];
		for (const origin of ["https://a.example", "https://A.EXAMPLE", "https://a.example:443", "http://B.example:8080"])
			expect(await allowed(origin)).toBe(origin);
		for (const origin of [
			"http://a.example",
			"https://a.example:444",
			"http://b.example",
			"https://a.example.evil",
			"null",
		])
			expect(await allowed(origin)).toBeUndefined();
	});

	it("get a preflight answered without a look at the video", async () => {
		const answer = await get(
			"x",
			"y",
			{ origin: "https://a.example", "access-control-request-headers": "authorization, range" },
			{ method: "OPTIONS" },
		);
		expect(answer).toMatchObject({
			status: 204,
			headers: { "access-control-allow-origin": "*", "access-control-max-age": "7200" },
		});
		for (const name of ["Authorization", "Range"])
			expect(answer.headers["access-control-allow-headers"]).toContain(name);
	});

	it("may read it from the origins that the domain lists", async () => {
		const { id, key } = await available({ config: { cors_origins: ["https://a.example"] } });
		const allowed = await get(id, "web.mp4", { ...key, origin: "https://a.example" });
		expect(allowed.headers).toMatchObject({
			"access-control-allow-origin": "https://a.example",
			vary: "Authorization, Origin",
		});
		for (const name of ["Content-Range", "Content-Length", "ETag"])
			expect(allowed.headers["access-control-expose-headers"]).toContain(name);
		expect((await get(id, "web.mp4", { ...key, origin: "https://b.example" })).headers).not.toHaveProperty(
			"access-control-allow-origin",
		);
		const open = await available({ visibility: "public", config: { cors_origins: ["https://a.example"] } });
		expect((await get(open.id)).headers).toMatchObject({ vary: "Origin" });
	});
});

describe("the delivery plane", () => {
	it.each(["%2e%2e/%2e%2e/etc/passwd", "../../etc/passwd", "hls%2fmaster.m3u8", "..%5c..%5cx", "hls/", "%00"])(
		"refuses the path %s",
		async (file) => {
			const { id } = await available({ visibility: "public" });
			expectError(await get(id, file), 400, "invalid_path");
		},
	);

	it("refuses ids that are no UUIDv4, and no path at all", async () => {
		expectError(await get("x"), 400, "invalid_path");
		expectError(await service.send({ path: "/videos/" }), 400, "invalid_path");
		expectError(await service.send({ path: "/videos/2b6f0c7e-1111-4222-8333-444455556666" }), 400, "invalid_path");
	});

	it("hands over a file that is in memory before the listener returns", async () => {
		const { id, key: headers } = await available();
		const listener = createNodeListener(service.engine, service.options);
		const ended: boolean[] = [];
		const server = createServer((request, response) => {
			listener(request, response);
			ended.push(response.writableEnded);
		});
		const url = await listen(server);
		for (let time = 0; time < 3; time++)
			expect((await send(url, { path: `/videos/${id}/web.mp4`, headers })).status).toBe(200);
		expect(ended).toEqual([false, false, true]);
		server.close();
	});

	it("frees the file when the client goes away in the middle", async () => {
		const { id } = await available({ visibility: "public" });
		let freed = () => {};
		const isFreed = new Promise<void>((resolve) => {
			freed = resolve;
		});
		const { engine } = service;
		const endless = async function* () {
			try {
				while (true) yield large;
			} finally {
				freed();
			}
		};
		const open = async (file: Parameters<Engine["serving"]["open"]>[0]) => ({
			...(await engine.serving.open(file)),
			size: 2 ** 40,
			read: async () => endless(),
		});
		const server = createServer(createNodeListener({ ...engine, serving: { open, openNow: open } }, service.options));
		const request = openRequest(await listen(server), { method: "GET", path: `/videos/${id}/web.mp4`, headers: {} });
		request.end();
		const response = await new Promise<NodeJS.ReadableStream>((resolve) => request.on("response", resolve));
		await new Promise((resolve) => response.once("data", resolve));
		request.destroy();
		await isFreed;
		server.close();
		expect(service.logger.entries.filter(({ level }) => level === "error")).toEqual([]);
	});
});
