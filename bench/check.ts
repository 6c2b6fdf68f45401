import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { type CheckStep, outputSumsFile, renderOutputSums } from "@reelmill/contracts";
import {
	createEngine,
	type Database,
	type Engine,
	type ObjectStorage,
	readMigrations,
	systemClock,
} from "@reelmill/engine";
import { createPostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, startTestGateway } from "@reelmill/storage-s3/testing";
import pMap from "p-map";
import { engineOptions } from "./engine-options.ts";
import { wanted } from "./wanted.ts";

const paths = [
	"hls/audio.m3u8",
	"hls/h264_720.m3u8",
	"hls/master.m3u8",
	"media/audio.m4a",
	"media/h264_720.mp4",
	"og.jpg",
	"storyboard.vtt",
	"storyboard/00001.jpg",
	"transcript.vtt",
	"web.mp4",
];
const objects = 50_000;
const atOnce = 32;
const largeBytes = 64 * 1024 * 1024;
const largeVideos = 32;
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const hour = 3_600_000;
/** The check looks only at what was left alone for an hour. */
const later = { ...systemClock, now: () => Date.now() + 2 * hour };

type Seeded = { readonly domainId: string; readonly videoId: string; readonly prefix: string };

/** Makes rows of available videos, and their files by `put`. One video in a thousand lacks a file. */
async function seed(
	database: Database,
	domainId: string,
	profileId: string | null,
	count: number,
	put: (key: string) => Promise<unknown>,
): Promise<number> {
	const videos = Array.from({ length: count / paths.length }, (): Seeded => {
		const videoId = randomUUID();
		return { domainId, videoId, prefix: `${domainId}/${videoId}/${randomUUID()}/` };
	});
	const files = Object.fromEntries(paths.map((path) => [path, 4]));
	for (let at = 0; at < videos.length; at += 1000) {
		const batch = videos.slice(at, at + 1000);
		await database.query({
			text: `insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan,
					max_duration_seconds, transcript_status, outputs, created_at, updated_at, expires_at, uploaded_at, available_at, storage_profile_id)
				select (v ->> 'videoId')::uuid, $2, 'available', 'private', 'video/mp4', 40, '{}', 180, 'disabled',
					jsonb_build_object('prefix', v ->> 'prefix', 'files', $3::jsonb, 'renditions', '[]'::jsonb,
						'web_mp4_outro_id', null), now(), now(), now(), now(), now(), $4::uuid
				from jsonb_array_elements($1::jsonb) v`,
			values: [batch, domainId, files, profileId],
		});
	}
	const keys = videos.flatMap(({ prefix }, index) =>
		paths.filter((path) => index % 1000 !== 0 || path !== "og.jpg").map((path) => prefix + path),
	);
	await pMap(keys, put, { concurrency: atOnce });
	await database.query({
		text: "update reelmill.domains set storage_bytes = $2 where id = $1",
		values: [domainId, videos.length * paths.length * 4],
	});
	await database.query({ text: "vacuum analyze reelmill.videos", values: [] });
	return Math.ceil(videos.length / 1000);
}

async function measure(name: string, engine: Engine, expected: number): Promise<void> {
	let cursor: string | null | undefined;
	let [seen, found, steps, slowest] = [0, 0, 0, 0];
	const begun = performance.now();
	do {
		const stepBegun = performance.now();
		const step = await engine.check.step(cursor == null ? {} : { cursor });
		slowest = Math.max(slowest, performance.now() - stepBegun);
		steps++;
		seen += step.looked_at.objects;
		found += step.differences.length;
		cursor = step.cursor;
	} while (cursor !== null);
	const seconds = (performance.now() - begun) / 1000;
	if (found !== expected) throw new Error(`${found} differences where there are ${expected}`);
	const ofMillion = (seconds / seen) * 1_000_000;
	console.log(
		`check: ${name}: ${seen} objects in ${seconds.toFixed(1)} s, ${steps} steps,`,
		`the slowest ${(slowest / 1000).toFixed(1)} s;`,
		`a million would take ${(ofMillion / 60).toFixed(1)} min (wanted: ${wanted.check})`,
	);
}

/** Makes a domain's videos with one large file each, and the sums of it, through `outputs`. */
async function seedLarge(
	database: Database,
	{ domainId, profileId, outputs }: { domainId: string; profileId: string | null; outputs: ObjectStorage },
	count: number,
): Promise<void> {
	const bytes = randomBytes(largeBytes);
	const sums = Buffer.from(renderOutputSums([["web.mp4", sha256(bytes)]]));
	const plain = { files: { "web.mp4": bytes.length }, renditions: [], web_mp4_outro_id: null };
	for (let n = 0; n < count; n++) {
		const videoId = randomUUID();
		const prefix = `${domainId}/${videoId}/${randomUUID()}/`;
		await outputs.put(`${prefix}web.mp4`, Readable.from([bytes]));
		await outputs.put(prefix + outputSumsFile, Readable.from([sums]));
		await database.query({
			text: `insert into reelmill.videos (id, domain_id, state, visibility, content_type, file_size, plan,
					max_duration_seconds, transcript_status, outputs, created_at, updated_at, expires_at, uploaded_at, available_at, storage_profile_id)
				values ($1, $2, 'available', 'private', 'video/mp4', 40, '{}', 180, 'disabled', $3::jsonb, now(), now(), now(), now(), now(), $4::uuid)`,
			values: [videoId, domainId, { ...plain, prefix, sums: { [outputSumsFile]: sha256(sums) } }, profileId],
		});
	}
	await database.query({
		text: "update reelmill.domains set storage_bytes = storage_bytes + $2 where id = $1",
		values: [domainId, count * bytes.length],
	});
}

/** Measures how fast a deep check reads, and its processor time. What was just written is in the page cache. */
async function measureDeep(name: string, engine: Engine, place: string): Promise<void> {
	/** Where a deep check has compared the lists of this place, and begins to read. */
	let cursor: string | null = Buffer.from(JSON.stringify([place, "bytes", ""])).toString("base64url");
	let [read, steps, slowest] = [0, 0, 0];
	const [begun, cpu] = [performance.now(), process.cpuUsage()];
	do {
		const stepBegun = performance.now();
		const step: CheckStep = await engine.check.step({ deep: true, cursor });
		slowest = Math.max(slowest, performance.now() - stepBegun);
		steps++;
		read += step.looked_at.bytes;
		if (step.differences.some(({ kind }) => kind === "bytes_differ")) throw new Error("bytes differ");
		cursor = step.cursor;
	} while (cursor !== null);
	const seconds = (performance.now() - begun) / 1000;
	const { user, system } = process.cpuUsage(cpu);
	const gigabytes = read / 1e9;
	console.log(
		`check --deep: ${name}: ${gigabytes.toFixed(2)} GB in ${seconds.toFixed(1)} s, ${Math.round(read / 1e6 / seconds)} MB/s,`,
		`${((user + system) / 1e6 / gigabytes).toFixed(2)} s of processor time a GB; ${steps} steps, the slowest ${(slowest / 1000).toFixed(1)} s`,
	);
}

/** Measures the comparison of 50,000 objects with their rows, on the local disk and in a bucket of Ceph's gateway. */
export async function check(thousands = objects / 1000): Promise<void> {
	const count = thousands * 1000;
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres") });
	const database = createPostgresDatabase({
		url: postgres.url,
		maxConnections: 4,
		statementTimeoutMilliseconds: 300_000,
	});
	const options = { ...engineOptions(database, directory), clock: later };
	try {
		await database.migrate(await readMigrations());
		const local = createEngine(options);
		const large = await local.domains.create({ slug: "large" });
		const onDisk = { domainId: large.domain.id, profileId: null, outputs: options.outputs };
		await seedLarge(database, onDisk, largeVideos);
		await measureDeep("local disk", local, "local");
		const { domain } = await local.domains.create({ slug: "disk" });
		const put = async (key: string) => {
			const path = join(directory, "outputs", key);
			await mkdir(dirname(path), { recursive: true });
			await writeFile(path, "four");
		};
		const expected = await seed(database, domain.id, null, count, put);
		await measure("local disk", local, expected);

		const gateway = await startTestGateway();
		const test = await createTestBucket(gateway.server);
		const buckets = createBucketOpener({ allow: [] });
		const location = {
			id: "rack",
			name: "Rack",
			region: "",
			bucket: { ...test.bucket, owner: "platform" as const, keyPrefix: "" },
		};
		const engine = createEngine({ ...options, buckets, storageLocations: [location] });
		try {
			const inBucket = await engine.domains.create({ slug: "bucket" });
			await engine.storage.put(inBucket.domain.id, { backend: "s3_platform", location_id: "rack" });
			const [profile] = await database.query<{ id: string }>({
				text: "select storage_profile_id as id from reelmill.domains where slug = 'bucket'",
				values: [],
			});
			const opened = buckets.open(location.bucket);
			const begun = performance.now();
			const more = await seed(database, inBucket.domain.id, profile?.id ?? null, count, (key) =>
				putInto(opened.outputs, key),
			);
			console.log(`  ${count} objects put in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
			await measure("local disk and a bucket, both", engine, expected + more);
			const there = { domainId: inBucket.domain.id, profileId: profile?.id ?? null, outputs: opened.outputs };
			await seedLarge(database, there, largeVideos / 4);
			await measureDeep("a bucket", engine, "location:rack");
			await opened.close();
		} finally {
			await engine.stop();
			await gateway.close();
		}
	} finally {
		await database.close();
		await postgres.stop();
		await rm(directory, { recursive: true, force: true });
	}
}

const putInto = (outputs: ObjectStorage, key: string) =>
	outputs.put(
		key,
		(async function* () {
			yield Buffer.from("four");
		})(),
	);

if (import.meta.main) await check(Number(process.argv[2] ?? objects / 1000));
