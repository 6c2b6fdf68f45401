import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect } from "vitest";
import { publishIn } from "./publish-in-bucket.ts";
import { type RunningProcess, runServer } from "./running-server.ts";

/** What the bucket of this name is asked for, and what comes of it. */
export const asked: Readonly<
	Record<string, { readonly path: string; readonly status: number; readonly code?: string }>
> = {
	"endless-list": { path: "verify", status: 400, code: "storage_verification_failed" },
	declarations: { path: "verify", status: 400, code: "storage_verification_failed" },
	"endless-pages": { path: "verify", status: 400, code: "storage_verification_failed" },
	"endless-error": { path: "verify", status: 400, code: "storage_verification_failed" },
	"huge-frame": { path: "frame", status: 503, code: "storage_unavailable" },
	"frame-without-length": { path: "frame", status: 503, code: "storage_unavailable" },
	"dripping-frame": { path: "frame", status: 503, code: "storage_unavailable" },
	"frame-of-another-type": { path: "frame", status: 503, code: "storage_unavailable" },
	"packed-frame": { path: "frame", status: 503, code: "storage_unavailable" },
	"tags-for-words": { path: "transcript", status: 200 },
	"longer-video": { path: "video", status: 0 },
	"shorter-video": { path: "video", status: 0 },
};

/** What a request is answered if a busy machine misses the limit of 6 s for a read, or of 8 s for a trial. */
const givenUp = ["503 storage_unavailable", "400 storage_verification_failed"];

let directory: string;
let database: TestDatabase;
let server: RunningProcess | undefined;
let buckets: ChildProcess;
let endpoint: string;
let tenants: {
	readonly bucket: string;
	readonly id: string;
	readonly headers: Record<string, string>;
	readonly profile: object;
}[];
async function stop(): Promise<void> {
	server?.child.kill("SIGKILL");
	await server?.ended;
}
/** What an earlier try left in its memory is gone. */
export async function startAnew(): Promise<void> {
	await stop();
	server = await runServer(directory, database.url, { STORAGE_ALLOW_CIDRS: "127.0.0.0/8", DELIVERY_MEMORY_BYTES: "0" });
}
type Outcome = { readonly status: number; readonly code: string | undefined };

/** The status, 0 where the answer was cut off, and the error's code. */
async function ask({ id, headers, profile }: (typeof tenants)[number], path: string): Promise<Outcome> {
	const json = { ...headers, "content-type": "application/json" };
	const requests: Record<string, () => Promise<Response>> = {
		verify: () =>
			fetch(`${server?.url}/v1/domain/storage/verify`, {
				method: "POST",
				headers: json,
				body: JSON.stringify(profile),
			}),
		frame: () => fetch(`${server?.url}/v1/videos/${id}/frames/00001.jpg`, { headers }),
		transcript: () => fetch(`${server?.url}/v1/videos/${id}/transcript`, { headers }),
		video: () => fetch(`${server?.url}/videos/${id}/web.mp4`),
	};
	try {
		const answer = await (requests[path] as () => Promise<Response>)();
		const text = await answer.text();
		return {
			status: answer.status,
			code: answer.status >= 400 ? (JSON.parse(text) as { error: string }).error : undefined,
		};
	} catch {
		return { status: 0, code: undefined };
	}
}

const resident = async (): Promise<number> =>
	Number(/^VmRSS:\s*(\d+)/m.exec(await readFile(`/proc/${server?.child.pid}/status`, "utf8"))?.[1]) * 1024;

/**
 * How many milliseconds the server's event loop has had a processor. What a bucket makes it compute holds requests up;
 * what else runs on the machine doesn't count.
 */
async function computed(): Promise<number> {
	const pid = server?.child.pid;
	return Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, "utf8")).split(" ", 1)[0]) / 1e6;
}

/**
 * What every bucket was answered with, what the server computed at most during 99 of 100 looks at its health, in
 * milliseconds, and the most memory, while all are asked again and again.
 */
export async function round(seconds: number, pathsOf: (bucket: string) => readonly string[]) {
	const until = performance.now() + seconds * 1000;
	const found = new Map<string, Set<string>>();
	const times: number[] = [];
	let most = 0;
	const askOne = async (tenant: (typeof tenants)[number]) => {
		const paths = pathsOf(tenant.bucket);
		for (let turn = 0; paths.length > 0 && performance.now() < until; turn++) {
			const { status, code } = await ask(tenant, paths[turn % paths.length] ?? "");
			found.set(tenant.bucket, (found.get(tenant.bucket) ?? new Set()).add(`${status} ${code}`));
			await sleep(300);
		}
	};
	const watch = async () => {
		while (performance.now() < until) {
			const before = await computed();
			expect((await fetch(`${server?.url}/v1/health`)).status).toBe(200);
			times.push((await computed()) - before);
			most = Math.max(most, await resident());
			await sleep(10);
		}
	};
	await Promise.all([watch(), ...tenants.map(askOne)]);
	times.sort((a, b) => a - b);
	return { found, most, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/**
 * Asks all, and then round after round those alone that have not yet got the answer that is their own, at most a
 * hundred times: a busy machine gives requests up. Expects no other answers but those, and answers the first round's
 * figures.
 */
export async function expectInRounds(
	pathsOf: (bucket: string) => readonly string[],
	ofBucket: (bucket: string) => string,
) {
	const found = new Map<string, Set<string>>();
	const isDone = (bucket: string) => found.get(bucket)?.has(ofBucket(bucket));
	const note = ({ found: more }: Pick<Awaited<ReturnType<typeof round>>, "found">) => {
		for (const [bucket, answers] of more) found.set(bucket, new Set([...(found.get(bucket) ?? []), ...answers]));
	};
	const first = await round(2, pathsOf);
	note(first);
	for (let count = 0; count < 100 && !tenants.every(({ bucket }) => isDone(bucket)); count++)
		note(await round(2, (bucket) => (isDone(bucket) ? [] : pathsOf(bucket))));
	expectAnswers(found, ofBucket);
	return first;
}

/** Every bucket got the answer that is its own, and no other but those of a machine that is too busy. */
export function expectAnswers(
	found: ReadonlyMap<string, ReadonlySet<string>>,
	ofBucket: (bucket: string) => string,
): void {
	for (const { bucket } of tenants) {
		const answers = found.get(bucket) ?? new Set();
		const own = ofBucket(bucket);
		const others = givenUp.filter((answer) => answer !== own);
		expect([bucket, ...[...answers].filter((answer) => !others.includes(answer))]).toEqual([bucket, own]);
	}
}

/** Whether the buckets do what the tenants' contracts say, or what is hostile. */
export const makeHostile = (isHostile: boolean) =>
	fetch(`${endpoint}/hostile`, { method: isHostile ? "PUT" : "DELETE" });

/** Opens a server with a tenant for each hostile bucket, for the tests of a file. */
export function besideHostileBuckets(): void {
	beforeAll(async () => {
		directory = await mkdtemp(join(tmpdir(), "reelmill-hostile-"));
		database = await openTestDatabase({
			serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
			template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
		});
		buckets = spawn(process.execPath, [fileURLToPath(new URL("./hostile-bucket-process.ts", import.meta.url))], {
			stdio: ["ignore", "pipe", "inherit"],
		});
		const [port] = (await once(buckets.stdout as NonNullable<ChildProcess["stdout"]>, "data")) as [Buffer];
		endpoint = `http://127.0.0.1:${String(port).trim()}`;
		await startAnew();
		tenants = await publishIn({ directory, databaseUrl: database.url, endpoint, buckets: Object.keys(asked) });
	});
	afterAll(async () => {
		await stop();
		buckets.kill("SIGKILL");
		await database.close();
		await rm(directory, { recursive: true, force: true });
	});
}
