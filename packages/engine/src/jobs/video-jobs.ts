import { ReelmillError, sourceFailureReasons, type VideoState, workerFaults } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { AfterChange, VideoStore } from "../videos/index.ts";
import { createChangeHeld } from "./attempts/change-held.ts";
import { createCompletion } from "./attempts/completion.ts";
import { giveBack } from "./attempts/give-back.ts";
import { heldBy } from "./attempts/held-job.ts";
import type { Claims } from "./claims/claims.ts";
import { isOutdated } from "./claims/clip-claims.ts";
import type { ArchiveEntries, VideoJobs } from "./job-operations.ts";
import { mostEntries } from "./outputs/most-entries.ts";
import { nameArchive, namePlayable } from "./outputs/name-archive.ts";
import { presignOutputs } from "./outputs/output-urls.ts";
import { archivePrefix, collectFiles, mezzanine, playablePrefix } from "./outputs/outputs.ts";
import type { StoreArchive } from "./outputs/store-archive.ts";
import { createCutFile } from "./sources/cut-file.ts";
import { storedFile, uploadedFile } from "./sources/job-source.ts";
import { type NoteWorker, nameOfWorker } from "./workers/note-worker.ts";

export type VideoJobsOptions = {
	readonly store: VideoStore;
	readonly stores: Stores;
	readonly claims: Claims;
	readonly noteWorker: NoteWorker;
	readonly lockSeconds: number;
	readonly storeArchive: StoreArchive;
	readonly afterChange: AfterChange;
};

export function createVideoJobs(parts: Parts, options: VideoJobsOptions): VideoJobs {
	const { database, clock, random, logger } = parts;
	const { store, stores, claims, noteWorker, lockSeconds, storeArchive, afterChange } = options;
	const change = createChangeHeld(options);
	const cutFile = createCutFile(parts, options);

	const replaceOutputs = async (id: string, lock: string, entries: ArchiveEntries, part: "whole" | "playable") => {
		const record = heldBy(lock, await store.find(id));
		const { domain_id: domainId, storage_profile_id: profileId } = record;
		const archive = random.uuid();
		const isWhole = part === "whole";
		const prefix = isWhole ? archivePrefix(domainId, id, lock, archive) : playablePrefix(domainId, id, archive);
		const name = async (unnoted: Sql) => {
			const now = new Date(clock.now());
			if (isWhole) return nameArchive(database, record, { lock, archive, now, unnoted });
			const { outputs } = await stores.of(profileId);
			const playable = { prefix, files: await collectFiles(outputs, prefix, []) };
			return namePlayable(database, record, { lock, playable, now, unnoted });
		};
		const discards = await storeArchive({ prefix, profileId, keepsSums: isWhole }, entries, async (unnoted) => {
			const replaced = await name(unnoted);
			if (replaced !== null) return replaced;
			heldBy(lock, await store.find(id));
			throw new ReelmillError("not_lock_holder");
		});
		await afterChange({ record, discards, eventTold: false });
	};

	return {
		async claim(principal, input, signal, address = null) {
			const { worker, wait_seconds } = input;
			const claimant = {
				takesChunks: input.takes_chunks ?? false,
				takesTranscripts: input.takes_transcripts ?? false,
				takesClips: input.takes_clips ?? false,
				takesPosters: input.takes_posters ?? false,
				takesSandbox: input.takes_sandbox ?? true,
				machine: input.machine ?? null,
			};
			await noteWorker({ principal, worker, address, fault: input.fault ?? null, ...claimant });
			if (input.fault !== undefined) return null;
			return claims.next({ worker: nameOfWorker(principal, worker), ...claimant }, wait_seconds, signal);
		},
		async claimById(principal, id, { worker, takes_clips, takes_sandbox: takesSandbox = true }, address = null) {
			const taker = { worker: nameOfWorker(principal, worker), takesClips: takes_clips ?? false, takesSandbox };
			const job = await claims.byId(id, taker);
			// A job that is locked by now goes to its worker, whoever operators are shown.
			const { takesClips } = taker;
			await noteWorker({ principal, worker, address, takesClips, takesSandbox }).catch((error: unknown) =>
				logger.warn({ error }, "a worker could not be noted"),
			);
			return job;
		},
		async heartbeat(id, { lock, progress, probe, encodes }) {
			const expiresAt = new Date(clock.now() + lockSeconds * 1000);
			const [row] = await database.query<{ state: VideoState }>(sql`
				update reelmill.jobs j set lock_expires_at = ${expiresAt}, progress = greatest(j.progress, ${progress}::integer),
					attempt_progress = greatest(j.attempt_progress, ${progress}::integer), encodes = ${encodes ? JSON.stringify(encodes) : null}::text::jsonb
				from reelmill.videos v where j.id = ${id} and v.id = j.id and j.lock = ${lock} and v.state in ('locked', 'encoding')
				returning v.state`);
			if (row === undefined || row.state === "locked" || probe) {
				await change(id, lock, (record) => ({
					...(record.state === "locked" && { command: { type: "begin" } }),
					changes:
						probe === undefined
							? {}
							: { ...probe, duration_seconds: probe.duration_seconds ?? record.duration_seconds },
				}));
			}
			return { lock_expires_at: expiresAt.toISOString() };
		},
		async source(id, path) {
			const record = await store.find(id);
			if (record === null) throw new ReelmillError("video_not_found");
			if (path !== undefined) return cutFile(record, path);
			return uploadedFile(await stores.of(record.storage_profile_id), record);
		},
		async outro(id) {
			const video = await store.find(id);
			if (video === null) throw new ReelmillError("video_not_found");
			const asset = video.outro_id === null ? null : await store.find(video.outro_id);
			const size = asset?.outputs?.files[mezzanine];
			if (!asset?.outputs || size === undefined) throw new ReelmillError("file_not_found");
			const key = asset.outputs.prefix + mezzanine;
			return storedFile(await stores.of(asset.storage_profile_id), { key, size, contentType: "video/mp4" });
		},
		mostEntries: async (id, lock) => mostEntries(heldBy(lock, await store.find(id))),
		replaceOutputs: (id, lock, entries, part = "whole") => replaceOutputs(id, lock, entries, part),
		async outputUrls(id, { lock, files }, mostBytes) {
			const record = heldBy(lock, await store.find(id));
			const prefix = archivePrefix(record.domain_id, id, lock, null);
			return presignOutputs(await stores.of(record.storage_profile_id), { prefix, files, mostBytes, clock });
		},
		complete: createCompletion(parts, { store, stores, change }),
		async fail(id, { lock, reason, retryable, stopped, worker_fault: fault, message }) {
			// A clip is made again with what its video has by then. However often that changes, it costs no attempt.
			const takesNone = stopped === true || (retryable && (await database.query(isOutdated(id, lock))).length > 0);
			return change(id, lock, (record) => {
				if (fault !== undefined) {
					const said = [workerFaults[fault], ...(message === undefined ? [] : [`(${message})`])].join(" ");
					return giveBack(record, clock, "at_fault", said);
				}
				if (retryable) return giveBack(record, clock, takesNone ? "stopped" : "spoiled", message);
				// A worker's words about a source are meant for its owner. Its words about other failures may reveal the
				// installation.
				const isTold = message !== undefined && (sourceFailureReasons as readonly string[]).includes(reason);
				return {
					command: { type: "fail", reason },
					changes: { report: isTold ? { failure: message } : null },
					cause: message,
				};
			});
		},
	};
}
