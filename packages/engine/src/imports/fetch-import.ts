import { type ImportAnswer, type ImportSource, ImportSourceError } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { readHead, type UploadPrincipal, type Uploads } from "../uploads/index.ts";
import { type Initiate, MadeOfChanged } from "../videos/index.ts";
import { ImportFailure, ImportLost } from "./outcome.ts";
import type { ImportRow } from "./row.ts";
import type { ImportRows } from "./rows.ts";
import { after, steady, unlessSilent } from "./steady-bytes.ts";
import { whatItIs } from "./what-it-is.ts";

export type FetchOptions = {
	readonly source: ImportSource;
	readonly rows: ImportRows;
	readonly sealer: Sealer;
	readonly uploads: Pick<Uploads, "create" | "status" | "append" | "lease">;
	readonly createVideo: Initiate;
	/** How long an origin may send nothing. */
	readonly silenceSeconds: number;
};

/** A run of an import, which others look at and may end. */
export type Run = {
	row: ImportRow;
	/** How many bytes are here, by what was handed to the storage. */
	received: number;
	/** How many bytes this run fetched. */
	fetched: number;
	readonly stopping: AbortController;
};

type Opened = Omit<ImportAnswer, "bytes"> & { readonly bytes: AsyncIterable<Uint8Array>; close(): void };

/** A connection that brought less than this before it broke isn't opened again at once. */
const worthwhileBytes = 65_536;

/**
 * Creates the steps of an import. Each is noted before the next one, and done twice it comes to the same: whoever takes
 * the row after a kill goes on. The origin is asked first, because its answer says what is to be uploaded; then the
 * video is initiated, under a key that no tenant can send; then the bytes are appended as those of any upload. It
 * resolves when the last byte is here, and throws what ended it.
 */
export function createFetchImport({ clock }: Parts, options: FetchOptions) {
	const { source, rows, sealer, uploads, createVideo, silenceSeconds } = options;

	const open = async ({ row, stopping }: Run, offset: number): Promise<Opened> => {
		if (row.url === null) throw new Error("an import under way has no address");
		const connection = new AbortController();
		const signal = AbortSignal.any([stopping.signal, connection.signal]);
		const close = () => connection.abort();
		try {
			const request = { url: sealer.open(row.url), offset, validator: offset === 0 ? null : row.validator };
			const answer = await unlessSilent(clock, silenceSeconds, source.open(request, signal));
			return { ...answer, bytes: steady(answer.bytes, { clock, silenceSeconds }), close };
		} catch (error) {
			close();
			throw error;
		}
	};

	/** Asks the origin what the file is, and returns the answer, whose bytes are all still to be read. */
	const ask = async (run: Run): Promise<Opened> => {
		const answer = await open(run, 0);
		try {
			const { head, all } = await readHead(answer.bytes);
			const file = whatItIs(answer, head, run.row.input);
			run.row = await rows.noteFile(run.row, { ...file, validator: answer.validator });
			return { ...answer, bytes: all };
		} catch (error) {
			answer.close();
			throw error;
		}
	};

	const initiate = async (run: Run): Promise<string> => {
		const { id, domain_id, input, content_type, file_size, request_id } = run.row;
		if (content_type === null || file_size === null) throw new Error("an import has no file yet");
		const { video } = await createVideo(
			{ kind: "domain", domainId: domain_id, keyId: null, sessionId: null },
			{ ...input, content_type, file_size },
			// No header holds a space, so this is no tenant's own key.
			{ idempotencyKey: `import ${id}`, requestId: request_id, madeOf: rows.uploaderOf(run.row) },
		).catch((error: unknown) => {
			throw error instanceof MadeOfChanged ? new ImportLost() : error;
		});
		run.row = await rows.noteVideo(run.row, video.id).catch(async (error: unknown) => {
			// Whoever cancelled the import didn't know of the video.
			run.row = { ...run.row, video_id: video.id };
			throw error;
		});
		return video.id;
	};

	/** Opens the file from an offset on, if it is the same file still. */
	const reopen = async (run: Run, offset: number): Promise<Opened> => {
		const { validator, file_size } = run.row;
		if (offset > 0 && validator === null) throw new ImportFailure("source_not_resumable");
		const answer = await open(run, offset);
		const isSame = answer.validator === validator && (answer.size === null || answer.size === file_size);
		if (isSame) return answer;
		answer.close();
		throw new ImportFailure("source_changed");
	};

	/** Appends what an answer brings, and returns the offset reached. */
	const take = async (run: Run, principal: UploadPrincipal, offset: number, answer: Opened): Promise<number> => {
		let broken: unknown = null;
		const size = run.row.file_size ?? 0;
		const counted = async function* () {
			try {
				for await (const chunk of answer.offset < offset ? after(offset - answer.offset, answer.bytes) : answer.bytes) {
					run.received = Math.min(size, run.received + chunk.length);
					run.fetched += chunk.length;
					yield chunk;
				}
			} catch (error) {
				broken = error;
				throw error;
			}
		};
		const { signal } = run.stopping;
		try {
			const reached = await uploads.append(principal, principal.videoId, offset, counted(), { signal });
			run.received = reached;
			signal.throwIfAborted();
			if (reached === size || reached - offset >= worthwhileBytes) return reached;
			if (broken !== null) throw broken;
			if (answer.size === null)
				throw new ImportFailure("size_mismatch", `The file ended after ${reached} bytes, and file_size says ${size}.`);
			throw new ImportSourceError("source_unavailable", "The origin broke off.");
		} finally {
			answer.close();
		}
	};

	/** Uploads the file from the offset reached, by the answer that is open already if there is one. */
	const upload = async (run: Run, videoId: string, asked: Opened | null): Promise<void> => {
		const principal = { videoId, domainId: run.row.domain_id };
		const length = run.row.file_size;
		const { signal } = run.stopping;
		const lease = await uploads.lease(videoId, { onAsked: () => run.stopping.abort(), signal });
		try {
			let { offset } = await uploads.create(principal, { videoId, length });
			// A kill after the last byte left it to be completed.
			if (offset === length) ({ offset } = await uploads.status(principal, videoId));
			run.received = offset;
			let answer = offset === 0 ? asked : null;
			while (offset !== length) {
				answer ??= await reopen(run, offset);
				offset = await take(run, principal, offset, answer);
				answer = null;
			}
		} finally {
			await lease.release();
		}
	};

	return async function fetchImport(run: Run): Promise<void> {
		let answer: Opened | null = null;
		try {
			if (run.row.file_size === null) answer = await ask(run);
			const videoId = run.row.video_id ?? (await initiate(run));
			await upload(run, videoId, answer);
		} finally {
			answer?.close();
		}
	};
}
