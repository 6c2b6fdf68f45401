import type { CreatedVideo, StorageView, Video } from "@reelmill/contracts";
import { systemClock } from "@reelmill/engine";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket, type TestServer } from "@reelmill/storage-s3/testing";
import { initiate, openService, type Service } from "./open-service.ts";
import { offsetType, tusFor } from "./tus.ts";

export type FaultyService = {
	readonly service: Service;
	/** Between the service, its workers, and the S3 server. */
	readonly proxy: FaultProxy;
	readonly bucket: TestBucket;
	/** Of a tenant whose videos lie in the bucket. */
	readonly auth: Record<string, string>;
	/** Of one whose videos lie on the local disk. */
	readonly localAuth: Record<string, string>;
	storage(): Promise<StorageView>;
	video(id: string): Promise<Video>;
	close(): Promise<void>;
};

/** A running service on real time with a tenant's bucket that is reached through a fault proxy. */
export async function openFaultyService(server: TestServer, { lock = 30 } = {}): Promise<FaultyService> {
	const proxy = await openFaultProxy({ target: server.endpoint });
	const bucket = await createTestBucket(server);
	const service = await openService({}, () => ({
		clock: systemClock,
		buckets: createBucketOpener({ allow: ["127.0.0.0/8"] }),
		windows: { sweep: 1, lock },
	}));
	await service.engine.start();
	const { auth } = await service.tenant({ default_visibility: "public", renditions: ["h264_720"] });
	const { auth: localAuth } = await service.tenant();
	const profile = {
		backend: "s3_tenant",
		endpoint: proxy.url,
		region: server.region,
		bucket: bucket.bucket.bucket,
		key_prefix: "outputs",
		access_key_id: server.accessKeyId,
		secret_access_key: server.secretAccessKey,
	};
	const put = await service.send({ method: "PUT", path: "/v1/domain/storage", headers: auth, json: profile });
	if (put.status !== 200) throw new Error(`the profile was refused: ${put.text}`);
	return {
		service,
		proxy,
		bucket,
		auth,
		localAuth,
		storage: async () => (await service.send({ path: "/v1/domain/storage", headers: auth })).json as StorageView,
		video: async (id) => (await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video,
		async close() {
			await proxy.close();
			await service.engine.stop();
			await service.close();
		},
	};
}

/** Opens a tus upload for a file. */
export async function beginUpload(
	{ service }: Pick<FaultyService, "service">,
	auth: Record<string, string>,
	file: Uint8Array,
) {
	const created: CreatedVideo = await initiate(service, auth, { file_size: file.length });
	const tus = tusFor(service.url, created);
	const creation = await tus.create({ headers: { "upload-length": String(file.length) } });
	if (creation.status !== 201) throw new Error(`the creation answered ${creation.status}: ${creation.text}`);
	const patch = (offset: number) => {
		const headers = { ...offsetType, "upload-offset": String(offset) };
		return tus.send({ method: "PATCH", headers, body: file.subarray(offset) });
	};
	return { id: created.video.id, head: tus.head, patch, remove: () => tus.send({ method: "DELETE" }) };
}

/**
 * Sends on until the upload is done, as a client does that doesn't give up: HEAD, PATCH of the rest, and again. Answers
 * the bodies of the failures on the way. Throws for an offset below one that was acknowledged, and after `tries`.
 */
export async function finishUpload(
	{ head, patch }: Awaited<ReturnType<typeof beginUpload>>,
	length: number,
	tries = 30,
): Promise<readonly unknown[]> {
	const failures: unknown[] = [];
	let acknowledged = 0;
	for (let time = 0; time < tries; time++) {
		const asked = await head();
		// The upload is no longer pending: its last byte arrived, and only the answer was lost.
		if (asked.status === 409 && acknowledged > 0) return failures;
		const offset = Number(asked.headers["upload-offset"]);
		if (asked.status !== 200) {
			failures.push(asked.status);
			continue;
		}
		if (offset < acknowledged) throw new Error(`${acknowledged} bytes were acknowledged, now there are ${offset}`);
		if (offset === length) return failures;
		const answer = await patch(offset);
		if (answer.status === 204) acknowledged = Number(answer.headers["upload-offset"]);
		else failures.push(answer.json);
		if (acknowledged === length) return failures;
	}
	throw new Error(`not done after ${tries} tries: ${JSON.stringify(failures)}`);
}

/** Asks, not so often that the API's rate limit is met, until the answer satisfies; throws after two minutes. */
export async function eventually<T>(
	ask: () => Promise<T>,
	satisfies: (answer: T) => boolean,
	milliseconds = 120_000,
): Promise<T> {
	const deadline = performance.now() + milliseconds;
	for (;;) {
		const answer = await ask();
		if (satisfies(answer)) return answer;
		if (performance.now() > deadline) throw new Error(`it stays ${JSON.stringify(answer)}`);
		await new Promise((resolve) => setTimeout(resolve, 400));
	}
}
