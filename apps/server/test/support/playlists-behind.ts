import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../scripts/programs/program.ts";
import type { ProxyPlace, RunningProxy } from "./behind-proxy.ts";

const lines = Array.from({ length: 90 }, (_, n) => `#EXTINF:2.000000,\n#EXT-X-BYTERANGE:9000@${n * 9000}\nx.mp4`);
const text = Buffer.from(`#EXTM3U\n${lines.join("\n")}\n`);
const types: Readonly<Record<string, string>> = {
	m3u8: "application/vnd.apple.mpegurl",
	mpd: "application/dash+xml",
	vtt: "text/vtt; charset=utf-8",
	mp4: "video/mp4",
	json: "application/json",
};

/** Answers with the same bytes under any name, and with the first 100 of them to any Range. */
const answer: RequestListener = ({ url = "", headers }, response) => {
	response.setHeader("content-type", types[url.slice(url.lastIndexOf(".") + 1)] ?? "").setHeader("etag", '"tag"');
	if (headers.range === undefined) return void response.setHeader("content-length", text.length).end(text);
	response.writeHead(206, { "content-range": `bytes 0-99/${text.length}`, "content-length": 100 });
	response.end(text.subarray(0, 100));
};

/** Holds a proxy to what the guide says of compression, before a server that has one text under each name. */
export function compressesPlaylists(name: string, start: (place: ProxyPlace) => Promise<RunningProxy>): void {
	describe(name, () => {
		let server: Server;
		let proxy: RunningProxy;
		let directory: string;

		beforeAll(async () => {
			server = createServer(answer);
			await once(server.listen(0, "127.0.0.1"), "listening");
			directory = await mkdtemp(join(tmpdir(), "reelmill-proxy-"));
			const behind = `127.0.0.1:${(server.address() as AddressInfo).port}`;
			proxy = await start({ directory, port: await freePort(), behind });
		});
		afterAll(async () => {
			await proxy.stop();
			server.close();
			await rm(directory, { recursive: true });
		});

		async function get(path: string, headers: Readonly<Record<string, string>>) {
			const sending = request(new URL(path, proxy.url), { ca: proxy.certificate, agent: false, headers });
			sending.end();
			const [answer] = (await once(sending, "response")) as [IncomingMessage];
			const chunks: Buffer[] = [];
			for await (const chunk of answer) chunks.push(chunk as Buffer);
			return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
		}
		const compressed = { "accept-encoding": "gzip, deflate, br" };

		it.each(["hls/h264_720.m3u8", "dash/manifest.mpd", "transcript.vtt"])("compresses %s", async (file) => {
			const { status, headers, body } = await get(`/videos/1/${file}`, compressed);
			expect([status, headers["content-encoding"], headers.vary]).toEqual([200, "gzip", "Accept-Encoding"]);
			expect(body.length).toBeLessThan(text.length / 4);
			expect(gunzipSync(body)).toEqual(text);
		});

		it.each([
			["a playlist for a client that doesn't ask for it", "hls/h264_720.m3u8", {}, 200],
			["a part of a playlist", "hls/h264_720.m3u8", { ...compressed, range: "bytes=0-99" }, 206],
			["a part of a track", "media/h264_720.mp4", { ...compressed, range: "bytes=0-99" }, 206],
			["a whole track", "media/h264_720.mp4", compressed, 200],
			["what may hold a secret beside what a stranger chose", "videos.json", compressed, 200],
		])("leaves %s as it is", async (_, file, headers, status) => {
			const got = await get(`/videos/1/${file}`, headers);
			expect([got.status, got.headers["content-encoding"], got.headers.etag]).toEqual([status, undefined, '"tag"']);
			expect(got.body).toEqual(status === 206 ? text.subarray(0, 100) : text);
		});
	});
}
