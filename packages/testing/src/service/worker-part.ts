import type { FailureReason, Job, Video } from "@reelmill/contracts";
import { ReelmillError } from "@reelmill/contracts/errors";
import type { Database, Engine } from "@reelmill/engine";
import { makeOutputs } from "./made-outputs.ts";
import type { FinishedMedia } from "./messages.ts";

export type WorkerPart = {
	/** Makes the video available, what is missing of its upload is sent first; or its poster, if one was asked for. */
	finish(id: string, media: FinishedMedia): Promise<Video>;
	/** Makes the video or its poster fail for `reason`; what is missing of its upload is sent first. */
	fail(id: string, reason: FailureReason): Promise<Video>;
};

/** The largest upload that is sent on behalf of the page. */
const mostBytes = 64 * 1024 * 1024;
const worker = { accountId: "00000000-0000-4000-8000-000000000000", name: "@reelmill/testing" };

type Found = {
	readonly domain_id: string;
	readonly session_id: string | null;
	readonly state: string;
	readonly file_size: number;
	readonly duration_seconds: number | null;
};

/** Does what the page and the workers do, through the functions of the engine that serve them. */
export function createWorkerPart(engine: Engine, database: Database): WorkerPart {
	const find = async (id: string): Promise<Found> => {
		const text =
			"select domain_id, session_id, state, file_size, duration_seconds from reelmill.videos where id::text = $1";
		const [found] = await database.query<Found>({ text, values: [id] });
		if (found === undefined) throw new ReelmillError("video_not_found");
		return found;
	};
	const view = async (id: string): Promise<Video> => {
		const { domain_id: domainId, session_id: sessionId } = await find(id);
		return engine.videos.get({ kind: sessionId === null ? "domain" : "sandbox", domainId, keyId: null, sessionId }, id);
	};
	const upload = async (id: string, { domain_id: domainId, file_size: length }: Found): Promise<void> => {
		if (length > mostBytes)
			throw new TypeError(
				`The video declares ${length} bytes. Upload them, or declare at most ${mostBytes} (64 MiB) for a video that is to be finished.`,
			);
		const principal = { videoId: id, domainId };
		const { offset } = await engine.uploads.create(principal, { videoId: id, length });
		await engine.uploads.append(principal, id, offset, zeros(length - offset));
	};
	const claim = async (id: string): Promise<{ readonly job: Job; readonly found: Found }> => {
		const found = await find(id);
		if (found.state === "pending_upload") await upload(id, found);
		const text = "select id from reelmill.posters where video_id::text = $1";
		const [poster] = await database.query<{ readonly id: string }>({ text, values: [id] });
		return { job: await engine.jobs.claimById(worker, poster?.id ?? id, { worker: worker.name }), found };
	};
	return {
		async finish(id, media) {
			const { job, found } = await claim(id);
			const { lock } = job;
			const made = makeOutputs(job, media, found.duration_seconds);
			await engine.jobs.replaceOutputs(job.id, lock, entriesOf(made.files));
			const outputs = { files: [...made.files.keys()], renditions: [...made.renditions] };
			await engine.jobs.complete(job.id, { lock, outputs, media: made.media });
			return view(id);
		},
		async fail(id, reason) {
			const { job } = await claim(id);
			await engine.jobs.fail(job.id, { lock: job.lock, reason, retryable: false });
			return view(id);
		},
	};
}

async function* zeros(length: number): AsyncGenerator<Uint8Array> {
	const piece = new Uint8Array(Math.min(length, 1024 * 1024));
	for (let left = length; left > 0; left -= piece.length) yield left < piece.length ? piece.subarray(0, left) : piece;
}

async function* entriesOf(files: ReadonlyMap<string, string>) {
	for (const [path, text] of files) yield { path, bytes: bytesOf(text) };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
	yield new TextEncoder().encode(text);
}
