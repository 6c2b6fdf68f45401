import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { DomainConfigPatch, DomainLimits, FailureReason, Video } from "@reelmill/contracts";
import type { Reelmill } from "@reelmill/node";
import { type Calls, createCalls } from "./service/calls.ts";
import type { FinishedMedia, HandledAnswer, HandledRequest, Started } from "./service/messages.ts";

/** Answers a webhook, as a route of your back end does. */
export type WebhookHandler = (request: Request) => Response | Promise<Response>;

/** How a test's Reelmill begins. */
export type TestReelmillOptions = {
	/** Where events are sent: the address of your back end, or the handler itself (default: nowhere). */
	readonly webhooks?: string | WebhookHandler;
	/** Limits of the domain (default: those of every domain). */
	readonly limits?: Partial<DomainLimits>;
	/** The configuration of the domain (default: that of every domain). */
	readonly config?: DomainConfigPatch;
	/** The time at which the service begins (default: now). */
	readonly startAt?: Date;
	/**
	 * Where the empty database is kept between test files (default: a folder of yours in the system's temporary folder).
	 */
	readonly cacheDirectory?: string;
};

/** A Reelmill that runs in a test's process, with one domain. See {@link createTestReelmill}. */
export type TestReelmill = Started & {
	/** The SDK, with the key of the test's domain. */
	readonly reelmill: Reelmill;
	/**
	 * Makes a video available, as a worker does, and returns it once your handler was told. If its upload isn't complete,
	 * it is sent first, as the page does. If the video is available already, and a poster was asked for, makes that.
	 *
	 * @throws {ReelmillError} `video_not_found`; `video_not_claimable` when the video has ended, is cancelled, or waits
	 * for the domain's limit of videos in processing; `validation_error` for a duration or size that the domain forbids.
	 * @throws {TypeError} when a pending upload declares more than 64 MiB.
	 */
	finish(id: string, media?: FinishedMedia): Promise<Video>;
	/**
	 * Makes a video fail (default reason: `invalid_media`), and returns it once your handler was told. If its upload
	 * isn't complete, it is sent first. Of an available video, it is the poster that fails.
	 *
	 * @throws as `finish` does.
	 */
	fail(id: string, reason?: FailureReason): Promise<Video>;
	/**
	 * Moves the service's time on by so many seconds: windows close, keys end, rate limits and daily quotas begin anew,
	 * failed webhooks are tried again, each in its moment. Resolves when all that has happened. Your own clock stays.
	 *
	 * @throws {Error} when `seconds` is negative.
	 */
	advance(seconds: number): Promise<void>;
	/** Resolves when your handler has answered every webhook that is due, and every import that is due was fetched. */
	settled(): Promise<void>;
	/** Returns the service's time. */
	now(): Promise<Date>;
	/**
	 * Ends the service. Later calls reject; calling it twice is harmless. Without it, the service ends with its process.
	 */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
};

/**
 * Starts the real service for a test: the engine, its HTTP planes and PostgreSQL (PGlite) in a thread of this process,
 * with an address, a database and a domain of its own. Any number may run at once. No program is needed, nothing is
 * left when the process ends, and faked timers of the test don't reach it.
 *
 * Only videos are not made: `finish` says what a worker would have made of them.
 *
 * @throws {Error} when the service can't start; the message says why.
 * @example
 * ```ts
 * import { createTestReelmill } from "@reelmill/testing";
 *
 * const told: string[] = [];
 * const test = await createTestReelmill({
 * 	webhooks: async (request) => {
 * 		told.push((await request.json()).type);
 * 		return new Response();
 * 	},
 * });
 * const { video } = await test.reelmill.videos.create({ content_type: "video/mp4", file_size: 1000 });
 * const finished = await test.finish(video.id, { durationSeconds: 7 });
 * console.log(finished.state, finished.duration_seconds, told); // => available 7 [ 'video.ready' ]
 * await test.close();
 * ```
 */
export async function createTestReelmill(options: TestReelmillOptions = {}): Promise<TestReelmill> {
	const { webhooks, limits = {}, config = {}, startAt, cacheDirectory = defaultCache() } = options;
	// The test's own flags, such as those that load its TypeScript, are not for the thread.
	const worker = new Worker(threadOf(import.meta.url), { name: "reelmill", execArgv: [] });
	const isHandler = typeof webhooks === "function";
	const handle = (request: HandledRequest) => answerOf(webhooks as WebhookHandler, request);
	// The thread keeps the process alive only while somebody waits for it.
	const calls = createCalls(worker, { handle }, (isWaiting) => (isWaiting ? worker.ref() : worker.unref()));
	worker.unref();
	worker.on("error", (error) => calls.end(error instanceof Error ? error : new Error(String(error))));
	worker.on("exit", () => calls.end(new Error("The test's Reelmill is closed.")));

	let closing: Promise<void> | null = null;
	const close = () => {
		closing ??= end(worker, calls);
		return closing;
	};
	const given = {
		cacheDirectory,
		limits,
		config,
		webhooks: isHandler ? true : (webhooks ?? false),
		startAt: startAt?.getTime() ?? null,
	};
	const starting = calls.call("start", given) as Promise<Started>;
	// The SDK is imported while the thread imports the engine.
	const [started, { createReelmill }] = await Promise.all([starting, import("@reelmill/node")]).catch(async (error) => {
		await close();
		throw error;
	});
	return {
		...started,
		reelmill: createReelmill({ baseUrl: started.baseUrl, apiKey: started.apiKey }),
		finish: (id, media = {}) => calls.call("finish", id, media) as Promise<Video>,
		fail: (id, reason = "invalid_media") => calls.call("fail", id, reason) as Promise<Video>,
		advance: (seconds) => calls.call("advance", seconds) as Promise<void>,
		settled: () => calls.call("settled") as Promise<void>,
		now: async () => new Date((await calls.call("now")) as number),
		close,
		[Symbol.asyncDispose]: close,
	};
}

/** The thread's file lies beside this one, built or not. */
const threadOf = (here: string): URL => new URL(here.endsWith(".ts") ? "./thread.ts" : "./thread.js", here);

/** Each user of the machine has a folder of their own. */
const defaultCache = (): string => join(tmpdir(), `reelmill-testing-cache-${process.getuid?.() ?? "own"}`);

async function end(worker: Worker, calls: Calls): Promise<void> {
	await calls.call("stop").catch(() => undefined);
	await worker.terminate();
}

/** A handler that throws answers 500, as every framework does. */
async function answerOf(handler: WebhookHandler, { url, headers, body }: HandledRequest): Promise<HandledAnswer> {
	const request = new Request(url, { method: "POST", headers, body: body as Uint8Array<ArrayBuffer> });
	let response: Response;
	try {
		response = await handler(request);
	} catch (error) {
		response = new Response(String(error), { status: 500 });
	}
	return {
		status: response.status,
		headers: [...response.headers],
		body: new Uint8Array(await response.arrayBuffer()),
	};
}
