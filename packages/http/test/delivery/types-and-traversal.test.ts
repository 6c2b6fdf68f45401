import { readdir } from "node:fs/promises";
import { outputSumsFile } from "@reelmill/contracts";
import { contentTypeOf } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliveredFiles, finished } from "../support/finished.ts";
import { openService, type Service } from "../support/open-service.ts";

let service: Service;
let id: string;
beforeAll(async () => {
	service = await openService();
	id = await finished(service, (await service.tenant()).auth, "public");
});
afterAll(() => service.close());

const types: Readonly<Record<string, string>> = {
	"hls/master.m3u8": "application/vnd.apple.mpegurl",
	"hls/h264_720.m3u8": "application/vnd.apple.mpegurl",
	"dash/manifest.mpd": "application/dash+xml",
	"media/h264_720.mp4": "video/mp4",
	"web.mp4": "video/mp4",
	"og.jpg": "image/jpeg",
	"poster.jpg": "image/jpeg",
	"preview.webp": "image/webp",
	"transcript.vtt": "text/vtt; charset=utf-8",
	"captions/2.vtt": "text/vtt; charset=utf-8",
	"chapters.vtt": "text/vtt; charset=utf-8",
	"chapters.json": "application/json",
	"storyboard.vtt": "text/vtt; charset=utf-8",
	"storyboard/0001.jpg": "image/jpeg",
};

describe("every file that is delivered", () => {
	it.each(Object.entries(types))(
		"has its own type: %s is %s, on GET, HEAD and ranges, never to be guessed, whatever the client would accept",
		async (file, type) => {
			const path = `/videos/${id}/${file}`;
			const text = deliveredFiles[file] as string;
			const expected = {
				"content-type": type,
				"x-content-type-options": "nosniff",
				"content-length": String(text.length),
			};
			expect(await service.send({ path, headers: { accept: "text/html" } })).toMatchObject({
				status: 200,
				text,
				headers: expected,
			});
			expect(await service.send({ method: "HEAD", path })).toMatchObject({ status: 200, text: "", headers: expected });
			const part = { ...expected, "content-length": "1", "content-range": `bytes 0-0/${text.length}` };
			expect(await service.send({ path, headers: { range: "bytes=0-0" } })).toMatchObject({
				status: 206,
				text: text.slice(0, 1),
				headers: part,
			});
		},
	);

	it("is among those that the types are told of here", () => {
		expect(Object.keys(types)).toEqual(Object.keys(deliveredFiles));
		for (const path of ["a.constructor", "toString", "a.__proto__", "mp4.", "web.MP4"])
			expect(contentTypeOf(path)).toBe(null);
	});
});

describe("the file of sums", () => {
	it("is stored, and never delivered, of a public video or a private one, in whatever spelling", async () => {
		const { auth } = await service.tenant();
		const hidden = await finished(service, auth);
		const key = await service.send({
			method: "POST",
			path: "/v1/playback-keys",
			headers: auth,
			json: { viewer_ref: "v" },
		});
		const headers = { authorization: `Bearer ${(key.json as { playback_key: string }).playback_key}` };
		expect(await service.send({ path: `/videos/${hidden}/web.mp4`, headers })).toMatchObject({ status: 200 });
		const stored = await readdir(service.outputsDirectory, { recursive: true });
		for (const video of [id, hidden])
			expect(stored.filter((path) => path.includes(video) && path.endsWith(`/${outputSumsFile}`))).toHaveLength(1);
		const spellings = ["SHA256SUMS", "%53HA256SUMS", "SHA256SUM%53", "sha256sums", "SHA256SUMS.mp4"];
		const malformed = ["SHA256SUMS/", "./SHA256SUMS", "hls/../SHA256SUMS", "SHA256SUMS%00.mp4", "SHA256SUMS%2f"];
		for (const video of [id, hidden]) {
			for (const path of spellings)
				for (const method of ["GET", "HEAD"])
					expect(await service.send({ method, path: `/videos/${video}/${path}`, headers }), path).toMatchObject({
						status: 404,
					});
			for (const path of malformed)
				expect(await service.send({ path: `/videos/${video}/${path}`, headers }), path).toMatchObject({ status: 400 });
		}
		expect(await service.send({ path: `/videos/${hidden}/SHA256SUMS` })).toMatchObject({ status: 401 });
	});
});

describe("a path that leaves the video", () => {
	const up = [
		...[
			"..",
			"%2e%2e",
			"%2E%2e",
			".%2e",
			"%2e.",
			"..%00",
			"..%20",
			"..;",
			".",
			"%2e",
			"%c0%ae%c0%ae",
			"%uff0e%uff0e",
			"%ef%bc%8e%ef%bc%8e",
			"%252e%252e",
		],
		...[
			"..%5c",
			"..\\",
			"%2e%2e%5c",
			"..%2f",
			"%2e%2e%2f",
			"..%252f",
			"..%c0%af",
			"..%c1%9c",
			"%e2%80%a5",
			"~",
			"%00",
			"%",
			"%zz",
			"%ff",
			"",
		],
	];

	it.each(up)("is refused in the spelling %j, at its beginning, in its middle and at its end", async (part) => {
		for (const path of [
			`${part}/${part}/etc/passwd`,
			`hls/${part}/master.m3u8`,
			`web.mp4/${part}`,
			`${part}/web.mp4`,
			`${part}${part}etc`,
		]) {
			if (path === "etc") continue;
			const answer = await service.send({ path: `/videos/${id}/${path}` });
			expect({ path, status: answer.status, json: answer.json }).toEqual({
				path,
				status: 400,
				json: { error: "invalid_path", message: expect.any(String) },
			});
			expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
		}
	});

	it("is refused before the id, in place of the id, and in a target that names another host", async () => {
		const refused = [
			`/videos/../videos/${id}/web.mp4`,
			"/videos/..%2f..%2fetc/passwd",
			`/videos/%2e%2e/${id}/web.mp4`,
			`/videos/${id}%2fweb.mp4`,
		];
		for (const path of [...refused, `http://other.example/videos/../${id}/web.mp4`])
			expect(await service.send({ path })).toMatchObject({ status: 400, json: { error: "invalid_path" } });
	});

	it("that spells a file's own name in escapes, or the id in capitals, is that file", async () => {
		for (const path of [`/videos/${id}/web%2emp4`, `/videos/${id.toUpperCase()}/web.mp4`])
			expect(await service.send({ path })).toMatchObject({ status: 200, text: deliveredFiles["web.mp4"] });
	});
});

describe("a preflight", () => {
	it("is answered for any path and origin, for two hours, and lets a player send its key and its ranges", async () => {
		const headers = {
			origin: "https://a.example",
			"access-control-request-method": "GET",
			"access-control-request-headers": "authorization,range",
		};
		for (const path of [`/videos/${id}/web.mp4`, "/videos/x", "/videos/"]) {
			const answer = await service.send({ method: "OPTIONS", path, headers });
			expect(answer).toMatchObject({
				status: 204,
				text: "",
				headers: {
					"access-control-allow-origin": "*",
					"access-control-allow-methods": "GET, HEAD",
					"access-control-max-age": "7200",
				},
			});
			for (const name of ["Authorization", "Range", "If-None-Match", "If-Range"])
				expect(answer.headers["access-control-allow-headers"]).toContain(name);
		}
	});
});
