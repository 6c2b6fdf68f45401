import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PostgresDatabase } from "@reelmill/postgres";
import type { Claim, FinishedChunk, GivenBack, Move } from "../database/recorded-changes.ts";

export type FinalVideo = {
	readonly id: string;
	readonly domain: string;
	readonly state: string;
	readonly failureReason: string | null;
	readonly fileSize: number;
	/** The video that it is cut of; null if it is no clip. */
	readonly source: string | null;
	readonly deleted: boolean;
	readonly inBucket: boolean;
	readonly outputs: {
		readonly prefix: string;
		readonly files: Readonly<Record<string, number>>;
		/** The folders of files that were changed or added later, by path. */
		readonly added?: Readonly<Record<string, string>>;
	} | null;
};
export type FinalDelivery = {
	readonly id: string;
	readonly video: string;
	readonly type: string;
	/** What was edited, of an event that tells an edit. */
	readonly changed: readonly string[] | null;
	readonly status: string;
	readonly attempts: number;
};
export type FinalDomain = {
	readonly id: string;
	readonly slug: string;
	readonly processing: number;
	readonly storedBytes: number;
	readonly reservedBytes: number;
	readonly uploadedBytes: number;
	readonly dayReservedBytes: number;
};
export type FinalImport = {
	readonly id: string;
	/** The address without its query. */
	readonly url: string;
	readonly status: string;
	readonly failure: string | null;
	readonly video: string | null;
};
/** The state when everything is at rest. */
export type FinalState = {
	readonly videos: readonly FinalVideo[];
	readonly deliveries: readonly FinalDelivery[];
	readonly domains: readonly FinalDomain[];
	readonly imports: readonly FinalImport[];
	/** How often a worker had each job of a poster. */
	readonly posters: readonly { readonly video: string; readonly job: string; readonly attempts: number }[];
	readonly moves: readonly Move[];
	readonly claims: readonly Claim[];
	readonly givenBack: readonly GivenBack[];
	readonly chunks: readonly FinishedChunk[];
	/** The number of recorded deletions that are due. */
	readonly dueDeletions: number;
	/** Raw uploads, and the sizes of outputs by key, on the disk and in the buckets. */
	readonly uploads: readonly string[];
	readonly outputs: Readonly<Record<string, number>>;
	/** The prefixes below which bytes are deleted later, when no more can arrive there. */
	readonly laterDeletions: readonly string[];
	/** The keys of multipart uploads in the bucket that are neither complete nor aborted. */
	readonly unfinished: readonly string[];
	/** The differences between rows and storage that the check found. */
	readonly differences: readonly string[];
	/** The age in seconds of every other file in the data directory, such as drafts and spools, by path. */
	readonly others: Readonly<Record<string, number>>;
};

/** The files that a server keeps in the data directory, besides uploads and outputs. */
const kept = /^(?:lock|storage\.id|master\.key|tenant\.key|postgres\/.*|work\/kept-.*)$/;

const queries = {
	videos: `select id, domain_id as domain, state, failure_reason as "failureReason", file_size as "fileSize",
		deleted_at is not null as deleted, c.source_video_id as source,
		storage_profile_id is not null as "inBucket", outputs
		from reelmill.videos v left join reelmill.clips c on c.video_id = v.id`,
	deliveries: `select id, video_id as video, type, status, attempt_count as attempts,
		convert_from(body, 'UTF8')::jsonb #> '{data,changed}' as changed from reelmill.webhook_deliveries order by created_at`,
	imports: "select id, shown_url as url, status, failure_code as failure, video_id as video from reelmill.imports",
	posters: "select video, job, count(*)::integer as attempts from faults.posters group by video, job",
	domains: `select d.id, d.slug, d.processing_count as processing, d.storage_bytes as "storedBytes",
		d.reserved_bytes as "reservedBytes",
		coalesce(sum(u.uploaded_bytes), 0)::bigint as "uploadedBytes",
		coalesce(sum(u.reserved_bytes), 0)::bigint as "dayReservedBytes"
		from reelmill.domains d left join reelmill.usage_days u on u.domain_id = d.id group by d.id`,
	moves: `select seq, video, "from", "to", extract(epoch from at) * 1000 as at from faults.moves order by seq`,
	claims: "select seq, video, lock, attempt, extract(epoch from at) * 1000 as at from faults.claims order by seq",
	later: "select reference from reelmill.deletions where not_before > now()",
	chunks: "select video, number, extract(epoch from at) * 1000 as at from faults.chunks order by at",
	givenBack: `select video, lock, said_so as "saidSo", extract(epoch from at) * 1000 as at
		from faults.given_back order by seq`,
	due: "select count(*) as due from reelmill.deletions where not_before is null or not_before <= now()",
};

/** Reads the state. The form of a bucket's key tells whether it is a tus upload or an output. */
export async function readFinalState(
	database: PostgresDatabase,
	{
		directory,
		bucket,
		differences,
	}: {
		directory: string;
		differences: readonly string[];
		bucket: { keys(): Promise<readonly string[]>; unfinished(): Promise<readonly string[]> };
	},
): Promise<FinalState> {
	const rows = async <T>(text: string): Promise<T[]> => (await database.query({ text, values: [] })) as T[];
	const timed = <T extends { at: unknown }>(all: T[]): T[] => all.map((row) => ({ ...row, at: Number(row.at) }));
	const keys = await bucket.keys();
	const isOutput = (key: string): boolean => key.split("/").length > 2;
	const files = await filesBelow(directory);
	const below = (folder: string): Record<string, number> =>
		Object.fromEntries(
			[...files].flatMap(([path, { size }]) =>
				path.startsWith(`${folder}/`) && !path.includes("~") ? [[path.slice(folder.length + 1), size]] : [],
			),
		);
	const outputs = below("outputs");
	const isOther = (path: string): boolean => path.includes("~") || !/^(?:outputs|uploads)\//.test(path);
	for (const key of keys.filter(isOutput)) outputs[key] = -1;
	return {
		videos: await rows(queries.videos),
		deliveries: await rows(queries.deliveries),
		domains: await rows(queries.domains),
		imports: await rows(queries.imports),
		posters: await rows(queries.posters),
		moves: timed(await rows<Move>(queries.moves)),
		claims: timed(await rows<Claim>(queries.claims)),
		chunks: timed(await rows<FinishedChunk>(queries.chunks)),
		givenBack: timed(await rows<GivenBack>(queries.givenBack)),
		dueDeletions: Number((await rows<{ due: number }>(queries.due))[0]?.due ?? 0),
		laterDeletions: (await rows<{ reference: string }>(queries.later)).map(({ reference }) => reference),
		unfinished: await bucket.unfinished(),
		differences,
		others: Object.fromEntries(
			[...files].flatMap(([path, { age }]) => (isOther(path) && !kept.test(path) ? [[path, age]] : [])),
		),
		uploads: [...Object.keys(below("uploads")), ...keys.filter((key) => !isOutput(key))],
		outputs,
	};
}

/** Returns the files by their path. The ages are seconds by the file system's clock, which is this machine's. */
async function filesBelow(directory: string): Promise<Map<string, { readonly size: number; readonly age: number }>> {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
	const found = new Map<string, { size: number; age: number }>();
	for (const entry of entries) {
		if (!entry.isFile()) continue;
		const path = join(entry.parentPath, entry.name);
		const { size, ctimeMs } = await stat(path);
		found.set(path.slice(directory.length + 1), { size, age: Math.round((Date.now() - ctimeMs) / 1000) });
	}
	return found;
}
