import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEngine, type Engine } from "@reelmill/engine";
import { createRecordingLogger, playlistOf } from "@reelmill/engine/testing";
import { createPostgresDatabase } from "@reelmill/postgres";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { createBucketOpener } from "@reelmill/storage-s3";

const files: Readonly<Record<string, Uint8Array>> = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"web.mp4": Buffer.alloc(1_000_000, "web"),
	"og.jpg": Buffer.from("jpg"),
	"frames/00001.jpg": Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(100_000)]),
	"transcript.vtt": Buffer.from(`WEBVTT\n\n${"00:00.000 --> 00:01.000\nHello\n\n".repeat(10_000)}`),
};

type Place = {
	readonly directory: string;
	readonly databaseUrl: string;
	readonly endpoint: string;
	readonly buckets: readonly string[];
};

/** A tenant for each bucket, with a public video that has all its files there, for a running server to find. */
export async function publishIn({ directory, databaseUrl, endpoint, buckets }: Place) {
	const database = createPostgresDatabase({ url: databaseUrl });
	try {
		const engine = createEngine({
			database,
			uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
			outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
			buckets: createBucketOpener({ allow: ["127.0.0.0/8"] }),
			webhookTransport: {
				send: async () => ({ status: 200, error: null }),
				refusal: () => null,
				close: async () => undefined,
			},
			logger: createRecordingLogger(),
			masterKey: Buffer.from(await readFile(join(directory, "master.key"), "utf8"), "base64"),
			baseUrl: "http://127.0.0.1",
		});
		const tenants: Awaited<ReturnType<typeof publish>>[] = [];
		for (const bucket of buckets) tenants.push(await publish(engine, endpoint, bucket));
		await engine.stop();
		return tenants;
	} finally {
		await database.close();
	}
}

async function publish({ domains, keys, storage, videos, uploads, jobs }: Engine, endpoint: string, bucket: string) {
	const once = async function* (content: Uint8Array) {
		yield content;
	};
	const { api_key } = await domains.create({ slug: bucket });
	const headers = { authorization: `Bearer ${api_key}` };
	const principal = await keys.authenticate(headers.authorization);
	const profile = {
		backend: "s3_tenant" as const,
		endpoint,
		bucket,
		region: "us-east-1",
		access_key_id: "key",
		secret_access_key: "secret",
	};
	await storage.put(principal.domainId, { ...profile, force_path_style: true });
	const { video, upload } = await videos.create(principal, {
		content_type: "video/mp4",
		file_size: 1,
		visibility: "public",
		transcript: true,
	});
	const token = await uploads.authenticate(`Bearer ${upload.token}`);
	await uploads.create(token, { videoId: video.id, length: 1 });
	await uploads.append(token, video.id, 0, once(Buffer.from("0")));
	const { lock } = await jobs.claimById({ accountId: video.id, name: "test" }, video.id, { worker: "test" });
	const entries = async function* () {
		for (const [path, content] of Object.entries(files)) yield { path, bytes: once(content) };
	};
	await jobs.replaceOutputs(video.id, lock, entries());
	await jobs.complete(video.id, {
		lock,
		outputs: { files: Object.keys(files), renditions: [] },
		media: { duration_seconds: 1, width: 1280, height: 720, transcript_status: "available", language: "en" },
	});
	return { bucket, id: video.id, headers, profile: { ...profile, force_path_style: true } };
}
