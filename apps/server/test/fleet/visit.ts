import { once } from "node:events";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request } from "node:https";
import { createReelmill, createReelmillAdmin } from "@reelmill/node";
import { metadata, offsetType } from "../../../../packages/http/test/support/tus.ts";
import { makeSource } from "../../../../packages/worker/test/support/make-source.ts";

/**
 * What a visitor of the fleet saw, printed as one line of JSON. The visitor stands where browsers and a tenant's back
 * end stand, before the proxy. It makes a domain on a server itself, as an operator does, then uploads a clip, whose
 * line breaks halfway because the server behind it is killed, and plays what became of it.
 */
export type Visit = {
	/** What the proxy answers to strangers on the operators' and the transcoders' paths. */
	readonly closed: readonly (number | undefined)[];
	/** Where the new domain's videos go, before anything is chosen. */
	readonly firstBackend: string;
	/** The bytes that were acknowledged before the kill, and those that other servers knew of after it. */
	readonly acknowledgedBytes: number;
	readonly keptBytes: number;
	readonly sentBytes: number;
	readonly state: string;
	readonly withoutKey: number;
	readonly master: string;
	/** The status and the size of each playlist and of each first file that it names. */
	readonly played: readonly (readonly [name: string, status: number, bytes: number])[];
	/** The names of the workers that have asked for jobs. */
	readonly workers: readonly string[];
};

const [site = "", adminKey = "", ...servers] = process.argv.slice(2);
const say = (word: string) => process.stdout.write(`${word}\n`);

const open = (path: string, options: RequestOptions) => request(new URL(path, site), { agent: false, ...options });
async function ask(path: string, options: RequestOptions = {}): Promise<IncomingMessage> {
	const asking = open(path, options);
	asking.end();
	const [answer] = (await once(asking, "response")) as [IncomingMessage];
	answer.resume();
	return answer;
}

const closed = await Promise.all(["/admin/v1/stats", "/internal/v1/jobs/claim"].map((path) => ask(path)));
const admin = createReelmillAdmin({ baseUrl: "http://server:8787", adminKey });
const { api_key: apiKey } = await admin.domains.create({ slug: "visitor" });
const reelmill = createReelmill({ baseUrl: site, apiKey });
const { backend: firstBackend } = await reelmill.storage.get();
if (firstBackend === "local") await reelmill.storage.update({ backend: "s3_platform", location_id: "cluster" });
await reelmill.domain.updateConfig({ renditions: ["h264_720"], outputs: { dash: false } });

// A clip of two seconds with eight mebibytes that no player looks at: long enough to be cut, and soon encoded.
const padding = Buffer.alloc(8 * 1024 ** 2);
padding.writeUInt32BE(padding.length, 0);
padding.write("free", 4);
const clip = Buffer.concat([await makeSource(2), padding]);
const acknowledged = 5 * 1024 ** 2;

const { video, upload } = await reelmill.videos.create({ content_type: "video/mp4", file_size: clip.length });
const tus = { authorization: `Bearer ${upload.token}`, "tus-resumable": "1.0.0" };
const creation = { ...tus, "upload-length": String(clip.length), "upload-metadata": metadata(video.id) };
const created = await ask("/uploads", { method: "POST", headers: creation });
if (created.statusCode !== 201) throw new Error(`the upload's creation was answered ${created.statusCode}`);

const patch = (offset: number, length: number) =>
	open(`/uploads/${video.id}`, {
		method: "PATCH",
		headers: { ...tus, ...offsetType, "upload-offset": offset, "content-length": length },
	});
async function send(offset: number, end: number): Promise<void> {
	const sending = patch(offset, end - offset);
	sending.end(clip.subarray(offset, end));
	const [{ statusCode }] = (await once(sending, "response")) as [IncomingMessage];
	if (statusCode !== 204) throw new Error(`a part of the upload was answered ${statusCode}`);
}
await send(0, acknowledged);
const cut = patch(acknowledged, clip.length - acknowledged);
const gone = new Promise<void>((resolve) => {
	cut.on("error", () => resolve());
	cut.on("response", (answer) => answer.resume().on("end", () => resolve()));
	cut.on("close", () => resolve());
});
// It goes on sending, little by little, as a slow line does: the proxy learns that its server is gone by sending to it.
let sentUpTo = acknowledged;
const sendingOn = setInterval(() => {
	cut.write(clip.subarray(sentUpTo, sentUpTo + 4096));
	sentUpTo += 4096;
}, 100);
const offsetNow = async () => {
	const { headers, statusCode } = await ask(`/uploads/${video.id}`, { method: "HEAD", headers: tus });
	return statusCode === 200 ? Number(headers["upload-offset"]) : null;
};
// The server has the request while most of its body is still to come.
say(`uploading on ${await untilKnown(() => busyServer())}`);
await gone;
clearInterval(sendingOn);
const keptBytes = await untilKnown(offsetNow);
await send(keptBytes, clip.length);

const { state } = await reelmill.videos.wait(video.id, { intervalSeconds: 1 });
// Caddy before 2.7 answers 502 to a POST whose first server takes no connection; later ones ask the next server.
const { playback_key: key } = await untilKnown(() =>
	reelmill.playbackKeys.create({ viewer_ref: "visitor", video_ids: [video.id] }).catch((error: { status?: number }) => {
		if (error.status !== 502) throw error;
		return null;
	}),
);
const fetched = (path: string, withKey = true) =>
	fetch(new URL(path, `${site}/videos/${video.id}/`), withKey ? { headers: { authorization: `Bearer ${key}` } } : {});
const played: [string, number, number][] = [];
async function play(path: string): Promise<string> {
	const got = await fetched(path);
	const bytes = Buffer.from(await got.arrayBuffer());
	played.push([path, got.status, bytes.length]);
	return bytes.toString();
}
const master = await play("hls/master.m3u8");
for (const playlist of master.match(/^[\w/.-]+\.m3u8$/gm) ?? []) {
	const [, file = ""] = /#EXT-X-MAP:URI="([^"]+)"/.exec(await play(`hls/${playlist}`)) ?? [];
	await play(new URL(file, `http://host/hls/${playlist}`).pathname.slice(1));
}
const withoutKey = (await fetched("hls/master.m3u8", false)).status;
const { data } = await (
	await fetch("http://server:8787/admin/v1/workers", { headers: { authorization: `Bearer ${adminKey}` } })
).json();
const visit: Visit = {
	closed: closed.map(({ statusCode }) => statusCode),
	firstBackend,
	acknowledgedBytes: acknowledged,
	keptBytes,
	sentBytes: clip.length,
	state,
	withoutKey,
	master,
	played,
	workers: data.map(({ name }: { name: string }) => name),
};
say(`saw ${JSON.stringify(visit)}`);

/** Returns the address of the server that takes the upload's bytes. */
async function busyServer(): Promise<string | null> {
	for (const server of servers) {
		const metrics = await (await fetch(`http://${server}:9464/metrics`)).text();
		if (/^reelmill_http_requests_in_flight\{plane="upload"\} 1$/m.test(metrics)) return server;
	}
	return null;
}

async function untilKnown<T>(look: () => Promise<T | null>): Promise<T> {
	for (;;) {
		const found = await look();
		if (found !== null) return found;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}
