import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { CreatedVideo, PlaybackKey, Video } from "@reelmill/contracts";
import { startReferenceServer } from "./reference-server.ts";
import { wanted } from "./wanted.ts";

type Tenant = { readonly key: string; playable: string | null };

const adminKey = "the-admin-key-of-a-benchmark-of-memory";
/** One credential may make 200 requests a minute. */
const tenants = 150;
const mebibyte = 1024 * 1024;

/**
 * Runs a real server, with its embedded database and a worker, under everything at once for so many minutes: initiates
 * that are cancelled, uploads that are transcoded, mints of keys that are never the same, playlists with them from
 * addresses that are never the same, gets, and the webhooks of all. Prints what the process holds each ten seconds, and
 * how far its resident memory is apart in the last half. NODE_OPTIONS reach the server.
 */
export async function memory(minutes = 5): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-memory-"));
	const receiver = createServer((request, response) => void request.resume().on("end", () => response.end()));
	await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
	const server = await startReferenceServer({
		NODE_OPTIONS: process.env.NODE_OPTIONS,
		REELMILL_DATA_DIR: join(directory, "data"),
		REELMILL_ADMIN_KEY: adminKey,
		REELMILL_TRUSTED_PROXIES: "127.0.0.1",
		REELMILL_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
		REELMILL_EMBEDDED_WORKERS: "1",
	});
	const stopping = new AbortController();
	try {
		const { url, operations } = server;
		const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
		const load = createLoad(url, await makeClip(directory));
		const all: Tenant[] = [];
		for (let index = 0; index < tenants; index++) all.push(await load.tenant(index, webhook));
		const running = [load.uploads(all, stopping.signal)];
		for (let client = 0; client < 8; client++) running.push(load.requests(all, stopping.signal));
		await sample(operations, minutes);
		stopping.abort();
		const ended = await Promise.allSettled(running);
		for (const end of ended) if (end.status === "rejected") throw end.reason;
		console.log(`memory  ${load.told()}`);
	} finally {
		stopping.abort();
		await server.stop();
		receiver.closeAllConnections();
		receiver.close();
		await rm(directory, { recursive: true, force: true });
	}
}

async function makeClip(directory: string): Promise<Buffer<ArrayBuffer>> {
	const path = join(directory, "clip.mp4");
	const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=1"];
	await promisify(execFile)("ffmpeg", ["-v", "error", ...picture, "-c:v", "libx264", "-preset", "ultrafast", path]);
	return readFile(path);
}

async function sample(operations: string, minutes: number): Promise<void> {
	const held: number[] = [];
	const until = performance.now() + minutes * 60_000;
	while (performance.now() < until) {
		await wait(10_000);
		const text = await (await fetch(`${operations}/metrics`)).text();
		const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]) / mebibyte;
		const resident = read("process_resident_memory_bytes");
		held.push(resident);
		const [used, total] = [read("nodejs_heap_size_used_bytes"), read("nodejs_heap_size_total_bytes")];
		const external = read("nodejs_external_memory_bytes");
		console.log(
			`memory  ${String(held.length * 10).padStart(4)} s  resident ${resident.toFixed(0)} MiB `,
			`heap ${used.toFixed(0)} of ${total.toFixed(0)}  external ${external.toFixed(0)}`,
		);
	}
	const last = held.slice(Math.floor(held.length / 2));
	const [least, most] = [Math.min(...last), Math.max(...last)];
	console.log(
		`memory  last half: ${least.toFixed(0)} to ${most.toFixed(0)} MiB, ${(((most - least) / least) * 100).toFixed(1)} % apart`,
		`(wanted: ${wanted.memory})`,
	);
}

function createLoad(url: string, clip: Buffer<ArrayBuffer>) {
	const counts = { mints: 0, playlists: 0, gets: 0, initiates: 0, uploads: 0, limited: 0, unavailable: 0 };
	let serial = 0;
	const call = async <T>(method: string, path: string, key: string, body?: object): Promise<T | null> => {
		const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
		const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
		const text = await answer.text();
		if (answer.status === 429 || answer.status === 503) {
			counts[answer.status === 429 ? "limited" : "unavailable"]++;
			return null;
		}
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
		return (text === "" ? {} : JSON.parse(text)) as T;
	};
	const initiate = (key: string, bytes: number) =>
		call<CreatedVideo>("POST", "/v1/videos", key, {
			content_type: "video/mp4",
			file_size: bytes,
			uploader_ref: `uploader-${serial++}`,
		});
	const play = async ({ key, playable }: Tenant): Promise<void> => {
		const minted = await call<PlaybackKey>("POST", "/v1/playback-keys", key, {
			viewer_ref: `viewer-${serial++}`,
			ttl_seconds: 3600,
		});
		if (minted === null) return;
		counts.mints++;
		if (playable === null) return;
		const address = `198.${18 + ((serial >> 16) & 1)}.${(serial >> 8) & 255}.${serial & 255}`;
		const headers = { authorization: `Bearer ${minted.playback_key}`, "x-forwarded-for": address };
		const answer = await fetch(`${url}/videos/${playable}/hls/master.m3u8`, { headers });
		await answer.arrayBuffer();
		if (!answer.ok && answer.status !== 503) throw new Error(`a playlist: ${answer.status}`);
		counts[answer.ok ? "playlists" : "unavailable"]++;
	};
	return {
		told: () =>
			Object.entries(counts)
				.map(([name, count]) => `${count} ${name}`)
				.join(", "),
		async tenant(index: number, webhook: string): Promise<Tenant> {
			const made = await call<{ api_key: string }>("POST", "/admin/v1/domains", adminKey, { slug: `bench-${index}` });
			if (made === null) throw new Error("too many domains a minute");
			const config = { webhook_url: webhook, webhook_secret: `whsec_${"s".repeat(40)}`, renditions: ["h264_720"] };
			await call("PATCH", "/v1/domain/config", made.api_key, config);
			return { key: made.api_key, playable: null };
		},
		/** Asks for what tenants and viewers ask for, one after the other. */
		async requests(all: readonly Tenant[], stopping: AbortSignal): Promise<void> {
			while (!stopping.aborted) {
				const tenant = all[serial++ % all.length] as Tenant;
				// All together stay below what the rate limits let through.
				await wait(200);
				for (let count = 0; count < 8; count++) await play(tenant);
				if (tenant.playable !== null && (await call<Video>("GET", `/v1/videos/${tenant.playable}`, tenant.key)))
					counts.gets++;
				const begun = serial % 8 === 0 ? await initiate(tenant.key, 1000) : null;
				if (begun !== null && (await call("POST", `/v1/videos/${begun.video.id}/cancel`, tenant.key)))
					counts.initiates++;
			}
		},
		/** Uploads one clip after the other, each for the next tenant, and waits until it plays. */
		async uploads(all: readonly Tenant[], stopping: AbortSignal): Promise<void> {
			for (let index = 0; !stopping.aborted; index++) {
				const tenant = all[index % all.length] as Tenant;
				const begun = await initiate(tenant.key, clip.length);
				if (begun === null) continue;
				const { video, upload } = begun;
				const headers = {
					authorization: `Bearer ${upload.token}`,
					"tus-resumable": "1.0.0",
					"content-type": "application/offset+octet-stream",
					"upload-length": String(clip.length),
					"upload-metadata": `video_id ${Buffer.from(video.id).toString("base64")}`,
				};
				const sent = await fetch(upload.endpoint, { method: "POST", headers, body: clip });
				if (sent.status === 503) {
					counts.unavailable++;
					continue;
				}
				if (sent.status !== 201) throw new Error(`an upload: ${sent.status}`);
				while (!stopping.aborted && tenant.playable !== video.id) {
					await wait(1000);
					const now = await call<Video>("GET", `/v1/videos/${video.id}`, tenant.key);
					if (now?.state === "available") tenant.playable = video.id;
				}
				counts.uploads++;
			}
		},
	};
}
