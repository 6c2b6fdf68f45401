import { createHash } from "node:crypto";
import { type Import, isReelmillError, type Reelmill, type Video } from "@reelmill/node";
import { pause, whenThereIsRoom } from "../import/when-there-is-room.ts";
import { adviceFor, stopsAll } from "./advice.ts";
import { captionsText } from "./captions-text.ts";
import { type Known, useless } from "./known-videos.ts";
import type { ImportInput, ListedVideo } from "./listed-video.ts";

/** What came of one video. `there` was here before the command. */
export type Moved = {
	readonly reference: string;
	readonly place: string;
	readonly title: string | null;
	readonly outcome: "moved" | "there" | "failed";
	readonly video_id: string | null;
	/** The languages of the captions that were put now. */
	readonly captions: readonly string[];
	readonly error: string | null;
	readonly message: string | null;
	/** What to do about the error. */
	readonly advice: string | null;
	readonly notes: readonly string[];
};

export type MoveOptions = {
	readonly service: Pick<Reelmill, "videos" | "imports" | "captions" | "chapters">;
	readonly known: Known;
	/** The folder of the list: files of captions lie beside it. */
	readonly folder: string;
	/** How often one video is looked at. */
	readonly lookMilliseconds: number;
	readonly signal: AbortSignal;
	/** Is told why an import waits, once for each reason. */
	readonly onWaiting: (listed: ListedVideo, now: Import) => void;
};

/** A failure of one video alone. */
class NotMoved extends Error {
	readonly code: string;
	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/**
 * Moves one video: has the service fetch it unless it is here, waits until it can be played, and puts its captions and
 * chapters. What an earlier run began is gone on with, by the video's `external_ref` and by a key made of it. Resolves
 * also if the video failed; rejects only with what stops all of them: the signal's reason, a refused key, a full storage.
 */
export async function moveVideo(listed: ListedVideo, options: MoveOptions): Promise<Moved> {
	const { reference, place, title = null, notes } = listed;
	const told = { reference, place, title, notes, error: null, message: null, advice: null };
	const before = options.known.videos.get(reference);
	let videoId = before?.id ?? null;
	const put: string[] = [];
	try {
		const begun = options.known.imports.get(reference);
		if (begun !== undefined || before === undefined) videoId = await fetchedBy(listed, begun, options);
		await available(videoId ?? "", options);
		await putCaptions(videoId ?? "", listed, put, options);
		await putChapters(videoId ?? "", listed, options);
		const outcome = before === undefined || begun !== undefined ? "moved" : "there";
		return { ...told, outcome, video_id: videoId, captions: put };
	} catch (error) {
		options.signal.throwIfAborted();
		const { code = "failed", message } = error as { code?: unknown; message: string };
		if (stopsAll(String(code))) throw error;
		return {
			...told,
			outcome: "failed",
			video_id: videoId,
			captions: put,
			error: String(code),
			message,
			advice: adviceFor(String(code)),
		};
	}
}

/** Has the service fetch the video, and returns its id when all its bytes are here. */
async function fetchedBy(listed: ListedVideo, begun: Import | undefined, options: MoveOptions): Promise<string> {
	const { service, signal, lookMilliseconds, onWaiting } = options;
	if ("cannot" in listed.input) throw new NotMoved("cannot_be_moved", listed.input.cannot);
	let now = begun ?? (await created(listed.input, options));
	let waitsFor: string | undefined;
	while (now.status === "waiting" || now.status === "downloading") {
		if (now.failure !== null && now.failure.code !== waitsFor) onWaiting(listed, now);
		waitsFor = now.failure?.code ?? waitsFor;
		await pause(lookMilliseconds, signal);
		now = await service.imports.get(now.id, { signal });
	}
	if (now.status === "done" && now.video_id !== null) return now.video_id;
	throw new NotMoved(now.failure?.code ?? now.status, now.failure?.message ?? "The import was cancelled.");
}

/**
 * Creates the import under a key that is made of what is asked, so that two runs at once create one. If what an earlier
 * run created came to nothing, the next key is made of it.
 */
async function created(input: ImportInput, { service, signal }: MoveOptions): Promise<Import> {
	for (let key = JSON.stringify(input); ; ) {
		const idempotencyKey = createHash("sha256").update(`move ${key}`).digest("hex");
		const one = await whenThereIsRoom(() => service.imports.create(input, { signal, idempotencyKey }), signal);
		if (!(await cameToNothing(one, service, signal))) return one;
		key = idempotencyKey + one.id;
	}
}

async function cameToNothing(
	{ status, video_id: videoId }: Import,
	{ videos }: MoveOptions["service"],
	signal: AbortSignal,
): Promise<boolean> {
	if (status === "failed" || status === "cancelled") return true;
	if (status !== "done" || videoId === null) return false;
	const video = await videos.get(videoId, { signal }).catch((error: unknown) => {
		if (isReelmillError(error, "video_not_found")) return undefined;
		throw error;
	});
	return video === undefined || useless.includes(video.state);
}

async function available(id: string, { service, signal, lookMilliseconds }: MoveOptions): Promise<Video> {
	const video = await service.videos.wait(id, { signal, intervalSeconds: lookMilliseconds / 1000 });
	if (video.state === "available") return video;
	throw new NotMoved(
		video.failure_reason ?? video.state,
		`The video came here, and is ${video.state}${video.failure_reason === null ? "" : `: ${video.failure_reason}`}.`,
	);
}

/** Puts the captions that the video doesn't have from an earlier run, and adds their languages to `put`. */
async function putCaptions(
	id: string,
	{ captions }: ListedVideo,
	put: string[],
	{ service, folder, signal }: MoveOptions,
): Promise<void> {
	if (captions.length === 0) return;
	const here = await service.captions.list(id, { signal });
	const failures: string[] = [];
	for (const one of captions) {
		if (here.some(({ language, source }) => language === one.language && source === "upload")) continue;
		try {
			const text = await captionsText(one, folder, signal);
			const { label, kind } = one;
			await service.captions.put(
				id,
				one.language,
				{ text, ...(label !== undefined && { label }), ...(kind && { kind }) },
				{ signal },
			);
			put.push(one.language);
		} catch (error) {
			signal.throwIfAborted();
			failures.push(`${one.language}: ${(error as Error).message}`);
		}
	}
	if (failures.length > 0)
		throw new NotMoved("captions_not_put", `The video is here; captions are missing. ${failures.join("; ")}.`);
}

/** Chapters of the file itself stay, and so do those that somebody has put. */
async function putChapters(id: string, { chapters }: ListedVideo, { service, signal }: MoveOptions): Promise<void> {
	if (chapters.length === 0) return;
	const here = await service.chapters.get(id, { signal });
	if (here.chapters.length === 0) await service.chapters.put(id, chapters, { signal });
}
