import { type CompleteRequest, outputSumsFile, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { ObjectStorage } from "../../ports/index.ts";
import { createInTime, readRecorded, type Stores } from "../../storage/index.ts";
import { keepSums } from "../../sums/index.ts";
import type { Parts } from "../../system/index.ts";
import { attemptPrefix, type Discard, type StoredCaptions, type VideoStore } from "../../videos/index.ts";
import type { VideoJobs } from "../job-operations.ts";
import { checkMedia } from "../outputs/check-media.ts";
import { checkOutputs } from "../outputs/check-outputs.ts";
import { readingSeconds } from "../outputs/name-archive.ts";
import { archivePrefix, collectAttempt, plannedFiles } from "../outputs/outputs.ts";
import type { ChangeHeld } from "./change-held.ts";
import { checkWhileHeld, heldBy } from "./held-job.ts";

/** Each takes a part of the statement. A worker leaves a dozen; what a hostile one leaves, the check finds. */
const mostStrays = 100;

/**
 * Completes jobs of videos: proves the worker's statements by what is stored, then saves them with the video's move. If
 * another archive takes the proved one's place before that, it begins again with the other one.
 */
export function createCompletion(
	{ database, clock }: Parts,
	{ store, stores, change }: { store: VideoStore; stores: Stores; change: ChangeHeld },
): VideoJobs["complete"] {
	const inTime = createInTime(clock);

	/** Reads texts of the attempt's outputs, each with the size that it was listed with. */
	const createReader =
		(outputs: ObjectStorage, prefix: string, files: Readonly<Record<string, number>>) =>
		async (path: string, largest: number): Promise<string | null> => {
			if (!outputs.capabilities.download) return null;
			const bytes = await readRecorded(
				outputs,
				{ key: prefix + path, size: files[path] as number, largest, isOfType: () => true },
				inTime,
			);
			if (bytes === null)
				throw new ReelmillError("outputs_incomplete", { message: `Missing: ${path}.`, extras: { missing: [path] } });
			return new TextDecoder().decode(bytes);
		};

	/** What is known of the captions that a clip has of its source, if they were ever changed there. */
	const captionsOf = async (id: string, files: Readonly<Record<string, number>>) => {
		const [source] = await database.query<{ captions: readonly StoredCaptions[] | null }>(sql`
			select s.outputs -> 'captions' as captions from reelmill.clips k join reelmill.videos s on s.id = k.source_video_id where k.video_id = ${id}`);
		return source?.captions && { captions: source.captions.filter(({ path }) => Object.hasOwn(files, path)) };
	};

	/** The attempt's outputs, proved, and the archive that they are from. */
	const prove = async (id: string, request: CompleteRequest) => {
		const { lock, outputs: made, media } = request;
		const record = heldBy(lock, await store.find(id));
		checkMedia(record, request);
		const archive = record.job?.delivery ?? null;
		const prefix = archivePrefix(record.domain_id, id, lock, archive);
		const { outputs } = await stores.of(record.storage_profile_id);
		const folder = attemptPrefix(record.domain_id, id, lock);
		const { files: found, strays } = await checkWhileHeld(store, { id, lock }, () =>
			collectAttempt(outputs, { folder, archive }, [...made.files, ...plannedFiles(record)]),
		);
		// The sums of files are none of the video's files: they are not for viewers, and count in no quota.
		const { [outputSumsFile]: sumsSize, ...files } = found;
		const read = createReader(outputs, prefix, files);
		await checkWhileHeld(store, { id, lock }, () =>
			checkOutputs({ plan: record.plan, files, media, renditions: made.renditions, read }),
		);
		const sums = await checkWhileHeld(store, { id, lock }, () => keepSums(outputs, prefix, sumsSize, inTime));
		const captions = await captionsOf(id, files);
		const outroId = made.has_outro === true ? record.outro_id : null;
		return {
			archive,
			strays,
			outputs: {
				prefix,
				files,
				renditions: made.renditions,
				web_mp4_outro_id: outroId,
				...(sums && { sums }),
				...captions,
			},
		};
	};

	const complete: VideoJobs["complete"] = async (id, request) => {
		const { lock, media, report } = request;
		const { archive, strays, outputs } = await prove(id, request);
		const changes = {
			duration_seconds: media.duration_seconds,
			width: media.width,
			height: media.height,
			transcript_status: media.transcript_status,
			language: media.language,
			available_at: new Date(clock.now()),
			outputs,
			report: report ?? null,
		};
		let isReplaced = false;
		const completed = await change(id, lock, ({ job }) => {
			isReplaced = (job?.delivery ?? null) !== archive;
			const playable = job?.playable?.prefix ?? null;
			const onlyIfJob = sql`j.delivery is not distinct from ${archive}::uuid and j.playable ->> 'prefix' is not distinct from ${playable}::text`;
			const discards: Discard[] = strays.slice(0, mostStrays).map((reference) => ({ kind: "outputs", reference }));
			if (playable !== null) discards.push({ kind: "outputs", reference: playable, laterSeconds: readingSeconds });
			return isReplaced ? null : { command: { type: "complete" }, changes, onlyIfJob, discards };
		});
		return isReplaced ? complete(id, request) : completed;
	};
	return complete;
}
