import sql from "sql-template-tag";
import type { ServicePrincipal } from "../accounts/index.ts";
import { createBriefCache } from "../caches/index.ts";
import type { Parts } from "../system/index.ts";
import type { Claimant } from "./claims.ts";

/** A worker that asks for a job. What it doesn't say of itself is as it said before. */
export type SeenClaimant = {
	readonly principal: ServicePrincipal;
	/** The name that it gives itself. */
	readonly worker: string;
	/** Where it comes from; null if unknown. */
	readonly address: string | null;
} & Partial<Pick<Claimant, "takesChunks" | "takesTranscripts" | "takesSandbox" | "machine">>;

/** Notes for the operator that a worker was seen. It writes at most once a minute for each worker. */
export type NoteWorker = (seen: SeenClaimant) => Promise<void>;

/** Returns the name that jobs have for their worker. */
export const nameOfWorker = ({ name }: ServicePrincipal, worker: string): string => `${name}/${worker}`;

const minuteMilliseconds = 60_000;
/** Less than a minute, because the clocks of two servers differ by a little. */
const apartMilliseconds = 58_000;

export function createNoteWorker({ database, clock, random }: Parts): NoteWorker {
	const noted = createBriefCache<void>({ clock, max: 10_000, milliseconds: minuteMilliseconds });
	const write = async (name: string, seen: SeenClaimant): Promise<void> => {
		const { principal, worker, address, takesChunks = null, takesTranscripts = null, machine } = seen;
		const { takesSandbox = null } = seen;
		const now = new Date(clock.now());
		await database.query(sql`
			insert into reelmill.workers_seen as w (id, name, account_id, worker, address, machine, takes_chunks, takes_transcripts, takes_sandbox, created_at, seen_at)
			values (${random.uuid()}, ${name}, ${principal.accountId}, ${worker}, ${address}, ${machine ?? null}, coalesce(${takesChunks}::boolean, false),
				coalesce(${takesTranscripts}::boolean, false), coalesce(${takesSandbox}::boolean, true), ${now}, ${now})
			on conflict (name) do update set account_id = excluded.account_id, seen_at = excluded.seen_at, address = coalesce(excluded.address, w.address),
				machine = ${machine === undefined ? sql`w.machine` : sql`excluded.machine`}, takes_chunks = coalesce(${takesChunks}::boolean, w.takes_chunks),
				takes_transcripts = coalesce(${takesTranscripts}::boolean, w.takes_transcripts), takes_sandbox = coalesce(${takesSandbox}::boolean, w.takes_sandbox)
			where w.seen_at <= ${new Date(now.getTime() - apartMilliseconds)}`);
	};
	return (seen) => {
		const name = nameOfWorker(seen.principal, seen.worker);
		return noted.get(name, () => write(name, seen));
	};
}
