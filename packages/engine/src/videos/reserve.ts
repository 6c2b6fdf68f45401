import { limits, ReelmillError, rateLimits, type UploadTicket } from "@reelmill/contracts";
import sql, { empty, join, type Sql } from "sql-template-tag";
import { keptSince, keyOfAnother, type Repeatable } from "../idempotency/index.ts";
import type { Clock, Database } from "../ports/index.ts";
import { createRecall, type Recalled, revived } from "./recall.ts";
import type { VideoRecord } from "./record.ts";
import type { MakeTicket } from "./upload-ticket.ts";
import type { DigestUploader } from "./uploader-digest.ts";

export type ReserveOptions = {
	readonly database: Database;
	readonly clock: Clock;
	readonly ticketOf: MakeTicket;
	readonly digestUploader: DigestUploader;
	/** Returns whether a storage profile that its last use found broken works again. */
	readonly storageWorks: (profileId: string) => Promise<boolean>;
	/** Bytes that all domains together may upload in one UTC day; `null` for any number. */
	readonly instanceDailyBytes: number | null;
	/** Called with each quota that all sandbox sessions share and that refused one of them. */
	readonly onSandboxRefused: (fault: "upload_quota_exceeded" | "storage_quota_exceeded") => void;
};

/**
 * What the checks need beside the record. Without `outro_slug`, the domain's default counts; for an outro it is the
 * outro's own slug.
 */
export type ReserveRules = {
	readonly max_pending?: number;
	readonly outro_slug?: string | null;
	readonly label?: string;
};

export type Reserved = {
	/** The record with what was pinned to it, as it was when it was created. */
	readonly record: VideoRecord;
	/** The outro asset that serves the slug. */
	readonly servingId: string | null;
	readonly upload: UploadTicket;
	/** Of an outro: the asset that was on its way to the same slug and is no longer needed. */
	readonly supersededId: string | null;
};

/** What belongs to a reservation besides the asset. */
export type ReserveTerms = {
	/**
	 * Makes further parts of the statement, such as the one that notes the reservation in the audit log (default: there
	 * are none). `took` has a row if something was reserved now.
	 */
	readonly parts?: (took: Sql) => readonly Sql[];
	/** Under which key it may be asked for again (default: never). */
	readonly repeatable?: Repeatable | null;
	/**
	 * Selects the `uploader_ref` of the row that it is made of, as that was read, `for share` (default: none). If there is
	 * no such row any more, nothing is reserved. Who erases that person waits, and then finds the reservation.
	 */
	readonly madeOf?: Sql;
};

/** What something was to be made of changed since it was read. */
export class MadeOfChanged extends Error {}

type Fault =
	| "key_of_another"
	| "unauthorized"
	| "upload_quota_exceeded"
	| "storage_quota_exceeded"
	| "concurrent_upload_exists"
	| "too_many_incomplete_uploads"
	| "outro_not_found"
	| "outro_not_ready"
	| "outro_limit_reached"
	| "rate_limited"
	| "storage_unavailable";
type Outcome = {
	readonly fault: Fault | null;
	readonly existing_video_id: string | null;
	readonly retry_at: Date | null;
	readonly storage_profile_id: string | null;
	readonly serving_outro_id: string | null;
	readonly superseded_id: string | null;
	/** What the key has created before, if it has: then nothing is reserved. */
	readonly kept: Recalled["kept"] | null;
};

/**
 * Returns a function that initiates the upload of a video or an outro. One statement, over the domain's locked row,
 * checks quotas, pending slot, throttle for expired uploads, outro, hourly limit and storage, in this order, and saves
 * the reservation with the new row. None of the limits is passed, whatever happens at once. It rejects with the first
 * fault. If the key of a repeatable reservation was used before, it returns what was reserved then.
 *
 * @throws {MadeOfChanged} when `madeOf` selects nothing.
 */
export function createReserve(options: ReserveOptions) {
	const { database, clock, ticketOf } = options;

	return async function reserve(
		wanted: VideoRecord,
		rules: ReserveRules,
		{ parts, repeatable = null, madeOf }: ReserveTerms = {},
	): Promise<Reserved> {
		const all = {
			...rules,
			max_expired: limits.incompleteUploadsPerDay,
			max_hourly: rateLimits.initiate.limit,
			max_of_session: limits.sandbox.videos,
			max_outros: limits.outrosPerDomain,
			instance_daily_bytes: options.instanceDailyBytes,
			...(wanted.uploader_ref !== null && {
				uploader_digests: options
					.digestUploader(wanted.domain_id, wanted.uploader_ref)
					.map((digest) => digest.toString("hex")),
			}),
		};
		const { job, public_place, ...row } = wanted;
		const save = async (storageWorks: string | null): Promise<Outcome | undefined> => {
			// The function isn't called without a row of the source.
			const [source, of] =
				madeOf === undefined
					? [empty, empty]
					: [sql`(${madeOf}) s cross join lateral`, sql`|| jsonb_build_object('uploader_ref', s.uploader_ref)`];
			const asked = sql`${row}::jsonb ${of}, ${{ ...all, storage_works: storageWorks }}::jsonb, ${new Date(clock.now())}::timestamptz`;
			const initiated =
				repeatable === null
					? sql`select i.*, null::jsonb as kept from ${source} reelmill.initiate_upload(${asked}) i`
					: sql`select i.* from ${source} reelmill.initiate_upload_once(${asked}, ${repeatable.key}::bytea, ${repeatable.request}::bytea, ${keptSince(clock)}::timestamptz) i`;
			const [outcome] = await database.query<Outcome>(
				parts === undefined
					? initiated
					: sql`with initiated as materialized (${initiated}), ${join(parts(sql`initiated where fault is null and kept is null`), ", ")} select * from initiated`,
			);
			return outcome;
		};
		let outcome = await save(null);
		if (madeOf !== undefined && outcome === undefined) throw new MadeOfChanged();
		if (
			outcome?.fault === "storage_unavailable" &&
			outcome.storage_profile_id !== null &&
			(await options.storageWorks(outcome.storage_profile_id))
		) {
			outcome = await save(outcome.storage_profile_id);
		}
		if (outcome?.fault && wanted.session_id !== null) tellRefusal(outcome, options);
		if (outcome?.fault) throw errorOf(outcome.fault, outcome, rules, wanted);
		if (outcome?.kept) return recalled(outcome as Recalled, ticketOf);
		const servingId = outcome?.serving_outro_id ?? null;
		return reserved(wanted, servingId, { supersededId: outcome?.superseded_id ?? null, ticketOf });
	};
}
export type Reserve = ReturnType<typeof createReserve>;

async function reserved(
	record: VideoRecord,
	servingId: string | null,
	{ supersededId, ticketOf }: { supersededId: string | null; ticketOf: MakeTicket },
): Promise<Reserved> {
	return {
		record: record.kind === "video" ? { ...record, outro_id: servingId } : record,
		servingId,
		supersededId,
		upload: await ticketOf(record),
	};
}
const recalled = ({ kept, serving_outro_id }: Recalled, ticketOf: MakeTicket): Promise<Reserved> =>
	reserved(revived(kept), serving_outro_id, { supersededId: null, ticketOf });

/** Creates the function that returns what was reserved under a key before; `null` if nothing was. */
export function createFindReserved(options: Pick<ReserveOptions, "database" | "clock" | "ticketOf">) {
	const recall = createRecall(options);
	/** @throws {ReelmillError} `validation_error` when the key was used for another request. */
	return async (repeatable: Repeatable | null): Promise<Reserved | null> => {
		const found = repeatable && (await recall(repeatable));
		return found && recalled(found, options.ticketOf);
	};
}
export type FindReserved = ReturnType<typeof createFindReserved>;

/** The cap of the session's own videos concerns nobody else. */
function tellRefusal({ fault, retry_at }: Outcome, { onSandboxRefused }: ReserveOptions): void {
	if (fault === "storage_quota_exceeded" || (fault === "upload_quota_exceeded" && retry_at !== null))
		onSandboxRefused(fault);
}

/** No later moment helps. It is said because nothing else tells it from a quota that frees again. */
const overWholeQuota = "file_size is over the whole daily upload quota.";
const sessionIsSpent = "This sandbox session can't start this upload any more.";

function errorOf(
	fault: Fault,
	{ existing_video_id, retry_at }: Outcome,
	{ outro_slug }: ReserveRules,
	wanted: VideoRecord,
): ReelmillError {
	switch (fault) {
		case "concurrent_upload_exists":
			return new ReelmillError(fault, { extras: { existing_video_id: existing_video_id ?? "" } });
		case "upload_quota_exceeded":
		case "too_many_incomplete_uploads":
			return retry_at === null
				? new ReelmillError(fault, { message: wanted.session_id === null ? overWholeQuota : sessionIsSpent })
				: new ReelmillError(fault, { extras: { retryAfter: retry_at.toISOString() } });
		case "rate_limited":
			return new ReelmillError(fault, { extras: { retryAfter: retry_at?.toISOString() ?? "" } });
		case "outro_not_found":
			return new ReelmillError(fault, {
				message: `No outro answers to the slug ${outro_slug ?? "that is the domain's default"}.`,
			});
		case "key_of_another":
			return keyOfAnother();
		default:
			return new ReelmillError(fault);
	}
}
