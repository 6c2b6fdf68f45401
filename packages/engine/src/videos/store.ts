import { ReelmillError, type VideoPart } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { type Actor, type AuditedChange, auditPart } from "../audit/index.ts";
import type { Scope } from "../keys/index.ts";
import { createOneByOne, datedId, type Parts } from "../system/index.ts";
import { eventOf } from "./event.ts";
import { createLookup } from "./lookup.ts";
import {
	attemptPrefix,
	chunksPrefix,
	readShown,
	type ShownRecord,
	type ShownRow,
	selectRecords,
	selectShown,
	type VideoRecord,
} from "./record.ts";
import { type Discard, type Effects, type OnlyIf, type Requeue, saveStatement } from "./save.ts";
import { type Command, decide } from "./state-machine.ts";
import type { FileUrl } from "./view.ts";

/** Columns that a command may change beside the state. */
export type Changes = Partial<
	Pick<
		VideoRecord,
		| "visibility"
		| "duration_seconds"
		| "width"
		| "height"
		| "transcript_status"
		| "language"
		| "outputs"
		| "report"
		| "first_byte_at"
		| "uploaded_at"
		| "available_at"
		| "deleted_at"
		| "request_id"
	>
>;

export type Saved = {
	readonly record: VideoRecord;
	readonly discards: readonly Discard[];
	readonly eventTold: boolean;
};

/**
 * What to do with a video as it stands: a command, with changes, how its job is given back, and what must still hold of
 * its job; or changes alone. Throwing refuses it.
 */
export type Step = {
	readonly command?: Command;
	readonly changes?: Changes;
	readonly requeue?: Requeue;
	readonly onlyIfJob?: Sql;
	/** What must still hold of the video's row in another table (default: nothing). */
	readonly onlyIf?: OnlyIf;
	readonly discards?: readonly Discard[];
	/** What operators are told of a failure beside its reason (default: nothing). */
	readonly cause?: string | undefined;
	/** Parts of the video that are changed without a move of its state: `video.updated` tells of them (default: none). */
	readonly updates?: readonly VideoPart[];
	/** Further parts of the statement that saves the video. They take effect only if they read from its part `saved`. */
	readonly parts?: readonly Sql[];
	/** What the audit log says of the change, and who makes it (default: nothing; the engine makes it by itself). */
	readonly audited?: { readonly action: AuditedChange["action"]; readonly by: Actor };
};

export type VideoStore = {
	/**
	 * Returns the video, or the asset of an outro, with its job; `null` if it is unknown or deleted, or not in `scope` if
	 * that is given. Assets of outros are in no scope.
	 */
	find(id: string, scope?: Scope): Promise<VideoRecord | null>;
	/** Returns what is shown of the video, or `null` as `find` does. It costs half as much. */
	findShown(id: string, scope: Scope): Promise<ShownRecord | null>;
	/**
	 * Reads the video, asks `step` what to do, and saves that over exactly the version that was read. If another change
	 * came first, it reads and asks again. Returns `null` if there is no such video. `step` may throw to refuse, or
	 * return `null` to leave the video alone. With `known`, a record that was read before, it reads only if that is no
	 * longer the present version.
	 */
	change(
		id: string,
		step: (record: VideoRecord) => Step | null,
		scope?: Scope,
		known?: VideoRecord | null,
	): Promise<Saved | null>;
};

const attemptsToSave = 20;

/** Returns what is discarded when an attempt ends without outputs, beside its chunks. */
const outputsOfAttempt = ({ id, domain_id: domainId, job }: VideoRecord): Discard[] =>
	[job?.lock == null ? null : attemptPrefix(domainId, id, job.lock), job?.playable?.prefix ?? null]
		.filter((reference) => reference !== null)
		.map((reference) => ({ kind: "outputs", reference }));

/** Returns whether a principal of `scope` may know of it as a video. */
const isIn = (scope: Scope, record: Pick<VideoRecord, "kind" | "domain_id" | "session_id">): boolean =>
	record.kind === "video" &&
	record.domain_id === scope.domainId &&
	(scope.sessionId === null || record.session_id === scope.sessionId);

export function createVideoStore(
	parts: Parts,
	{
		fileUrl,
		webhookAttempts,
		keepFailedSeconds,
	}: { fileUrl: FileUrl; webhookAttempts: number; keepFailedSeconds: number },
): VideoStore {
	const { database, clock, random } = parts;
	const oneByOne = createOneByOne();
	const videos = sql`reelmill.videos`;
	const lookUp = createLookup<VideoRecord>(parts, selectRecords(videos));
	const lookUpShown = createLookup<ShownRow & { readonly id: string }>(parts, selectShown(sql`v.id`, videos));
	const find: VideoStore["find"] = (id, scope) =>
		lookUp(id).then((row) => (row !== null && (scope === undefined || isIn(scope, row)) ? row : null));

	return {
		find,
		async findShown(id, scope) {
			const row = await lookUpShown(id);
			const record = row && readShown(row);
			return record !== null && isIn(scope, record) ? record : null;
		},
		async change(id, step, scope, known = null) {
			/** Returns undefined if another change came first. */
			const attempt = async (before: VideoRecord | null): Promise<Saved | null | undefined> => {
				if (before === null) return null;
				const todo = step(before);
				if (todo === null) return { record: before, discards: [], eventTold: false };
				const now = new Date(clock.now());
				const { next, effects } = plan(before, todo, now);
				const saved = await database.query(saveStatement(before, next, effects, now));
				return saved.length === 0
					? undefined
					: { record: next, discards: effects.discards, eventTold: effects.event !== null };
			};
			const first = await attempt(known ?? (await find(id, scope)));
			if (first !== undefined) return first;
			// Many changes at once would overtake each other until each has lost its last attempt.
			return oneByOne(id, async () => {
				for (let count = 1; count < attemptsToSave; count++) {
					const later = await attempt(await find(id, scope));
					if (later !== undefined) return later;
				}
				throw new ReelmillError("internal_error", { message: `video ${id} changed too often to be saved` });
			});
		},
	};

	function plan(
		before: VideoRecord,
		{
			command,
			changes,
			requeue,
			onlyIfJob,
			onlyIf,
			discards = [],
			cause,
			updates = [],
			parts: further = [],
			audited,
		}: Step,
		now: Date,
	): { next: VideoRecord; effects: Effects } {
		const decision = command && decide(before.state, command);
		const next: VideoRecord = {
			...before,
			...changes,
			...(decision && { state: decision.state, failure_reason: decision.failureReason }),
			...(decision?.endsJob && { job: null, progress: Math.max(before.progress, before.job?.progress ?? 0) }),
			...(changes?.outputs !== undefined &&
				before.public_place !== null && { public_place: { ...before.public_place, publication: null } }),
			version: before.version + 1,
			updated_at: now,
		};
		const prefix = `${before.domain_id}/${before.id}/`;
		// Nothing may be deleted late that a video has which is processed anew.
		const mayComeBack = decision?.discardsOutputs === true && decision.keepsUpload;
		const discardsAttempt = requeue !== undefined || mayComeBack;
		const isPlayableAsRead = sql`j.playable ->> 'prefix' is not distinct from ${before.job?.playable?.prefix ?? null}::text`;
		const chunks = decision?.endsJob && before.job?.chunked ? chunksPrefix(before.domain_id, before.id) : null;
		const deliveryId = datedId(random.uuid(), now.getTime());
		const type = decision?.event ?? (updates.length > 0 ? "video.updated" : null);
		return {
			next,
			effects: {
				event:
					type !== null && before.kind === "video"
						? {
								type,
								deliveryId,
								attempts: webhookAttempts,
								body: eventOf(type, deliveryId, next, {
									fileUrl,
									now,
									...(type === "video.updated" && { changed: updates }),
								}),
							}
						: null,
				parts: further,
				onlyIf: onlyIf ?? null,
				endsJob: decision?.endsJob ?? false,
				requeue: requeue ?? null,
				discardsChunks: discardsAttempt,
				onlyIfJob: discardsAttempt ? sql`${isPlayableAsRead} and ${onlyIfJob ?? sql`true`}` : (onlyIfJob ?? null),
				cause: cause ?? null,
				needsUpload: command?.type === "reprocess",
				audited:
					audited === undefined
						? null
						: auditPart(
								{ clock, random },
								audited.by,
								{
									action: audited.action,
									resource: { kind: "video", id: before.id },
									domainId: before.domain_id,
								},
								sql`saved`,
							),
				discards: [
					...(decision?.discardsUpload
						? [
								{
									kind: "upload" as const,
									reference: before.id,
									...(decision.keepsUpload && keepFailedSeconds > 0 && { laterSeconds: keepFailedSeconds }),
								},
							]
						: []),
					...(discardsAttempt ? outputsOfAttempt(before) : []),
					...(decision?.discardsOutputs && !mayComeBack ? [{ kind: "outputs" as const, reference: prefix }] : []),
					...(chunks !== null && !decision?.discardsOutputs ? [{ kind: "outputs" as const, reference: chunks }] : []),
					...discards,
				],
			},
		};
	}
}
