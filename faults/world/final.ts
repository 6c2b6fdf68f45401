import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PostgresDatabase } from "@reelmill/postgres";
import type { Claim, Move } from "./audit.ts";

export type FinalVideo = {
	readonly id: string;
	readonly domain: string;
	readonly state: string;
	readonly failureReason: string | null;
	readonly fileSize: number;
	readonly deleted: boolean;
	readonly inBucket: boolean;
	readonly outputs: { readonly prefix: string; readonly files: Readonly<Record<string, number>> } | null;
};
export type FinalDelivery = { readonly id: string; readonly video: string; readonly type: string; readonly status: string; readonly attempts: number };
export type FinalDomain = {
	readonly id: string;
	readonly slug: string;
	readonly processing: number;
	readonly storedBytes: number;
	readonly reservedBytes: number;
	readonly uploadedBytes: number;
	readonly dayReservedBytes: number;
};
/** What is there when everything has come to rest. */
export type Final = {
	readonly videos: readonly FinalVideo[];
	readonly deliveries: readonly FinalDelivery[];
	readonly domains: readonly FinalDomain[];
	readonly moves: readonly Move[];
	readonly claims: readonly Claim[];
	/** Notes of bytes that are still to be deleted, those of later left out. */
	readonly dueDeletions: number;
	/** Raw uploads that lie about, and outputs, by key with their size: of the disk and the buckets. */
	readonly uploads: readonly string[];
	readonly outputs: Readonly<Record<string, number>>;
};

const queries = {
	videos: `select id, domain_id as domain, state, failure_reason as "failureReason", file_size as "fileSize", deleted_at is not null as deleted,
		storage_profile_id is not null as "inBucket", outputs from reelmill.videos`,
	deliveries: "select id, video_id as video, type, status, attempt_count as attempts from reelmill.webhook_deliveries",
	domains: `select d.id, d.slug, d.processing_count as processing, d.storage_bytes as "storedBytes", d.reserved_bytes as "reservedBytes",
		coalesce(sum(u.uploaded_bytes), 0)::bigint as "uploadedBytes", coalesce(sum(u.reserved_bytes), 0)::bigint as "dayReservedBytes"
		from reelmill.domains d left join reelmill.usage_days u on u.domain_id = d.id group by d.id`,
	moves: `select seq, video, "from", "to", extract(epoch from at) * 1000 as at from faults.moves order by seq`,
	claims: "select seq, video, lock, attempt, extract(epoch from at) * 1000 as at from faults.claims order by seq",
	due: "select count(*) as due from reelmill.deletions where not_before is null or not_before <= now()",
};

/** `bucket` gives the keys in the bucket; what of them a tus upload and what an output is, their names tell. */
export async function readFinal(
	database: PostgresDatabase,
	{ directory, bucket }: { directory: string; bucket: () => Promise<readonly string[]> },
): Promise<Final> {
	const rows = async <T>(text: string): Promise<T[]> => (await database.query({ text, values: [] })) as T[];
	const timed = <T extends { at: unknown }>(all: T[]): T[] => all.map((row) => ({ ...row, at: Number(row.at) }));
	const keys = await bucket();
	const isOutput = (key: string): boolean => key.split("/").length > 2;
	const outputs = await filesBelow(join(directory, "outputs"));
	for (const key of keys.filter(isOutput)) outputs[key] = -1;
	return {
		videos: await rows(queries.videos),
		deliveries: await rows(queries.deliveries),
		domains: await rows(queries.domains),
		moves: timed(await rows<Move>(queries.moves)),
		claims: timed(await rows<Claim>(queries.claims)),
		dueDeletions: Number((await rows<{ due: number }>(queries.due))[0]?.due ?? 0),
		uploads: [...Object.keys(await filesBelow(join(directory, "uploads"))), ...keys.filter((key) => !isOutput(key))],
		outputs,
	};
}

async function filesBelow(directory: string): Promise<Record<string, number>> {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
	const found: Record<string, number> = {};
	for (const entry of entries) {
		if (!entry.isFile() || entry.parentPath.includes("~incoming")) continue;
		const path = join(entry.parentPath, entry.name);
		found[path.slice(directory.length + 1)] = (await stat(path)).size;
	}
	return found;
}
