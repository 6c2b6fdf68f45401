import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { openSendFile } from "@reelmill/sendfile";
import { serverOptions } from "../engine-options.ts";
import { openEngine } from "./open-engine.ts";
import { publish } from "./publish.ts";

export type EdgeOrigin = {
	readonly url: string;
	readonly apiKey: string;
	readonly domain: string;
	/** The private videos, by their ids. */
	readonly videos: readonly string[];
};

/** The service behind edges, with private videos whose media are one file each of so many bytes. */
const [videos = 1, bytes = 2 ** 20] = process.argv.slice(2).map(Number);
const sendFile = await openSendFile();
const { engine, options, apiKey, close } = await openEngine();
const principal = await engine.keys.authenticate(`Bearer ${apiKey}`);
const segments = 45;
const segmentBytes = Math.floor(bytes / segments);
const playlist = Buffer.from(
	["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:4", '#EXT-X-MAP:URI="../media/h264_720.mp4",BYTERANGE="812@0"']
		.concat(
			Array.from(
				{ length: segments },
				(_, index) => `#EXTINF:4.000,\n#EXT-X-BYTERANGE:${segmentBytes}@${index * segmentBytes}\n../media/h264_720.mp4`,
			),
		)
		.concat("#EXT-X-ENDLIST\n")
		.join("\n"),
);
const files = {
	"hls/master.m3u8": playlist,
	"hls/h264_720.m3u8": playlist,
	"media/h264_720.mp4": randomBytes(bytes),
	"web.mp4": playlist,
	"og.jpg": playlist,
};
const ids: string[] = [];
for (let index = 0; index < videos; index++)
	ids.push(await publish(engine, principal, { visibility: "private", files, seconds: 180 }));
await engine.stop();

const served = createEngine({
	...options,
	playbackKeyAlgorithm: "ES256",
	rateLimiter: { take: async () => ({ allowed: true }) },
});
const listener = createNodeListener(served, {
	trustedProxies: ["127.0.0.1"],
	...(sendFile !== null && { sendFile }),
});
const server = createServer(serverOptions, listener);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const ready: EdgeOrigin = { url, apiKey, domain: principal.domainId, videos: ids };
process.once("SIGTERM", async () => {
	server.closeAllConnections();
	await close();
	process.exit();
});
console.log(JSON.stringify(ready));
