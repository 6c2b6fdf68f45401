import type { WorkerFault } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { ServicePrincipal } from "../../accounts/index.ts";
import { createBriefCache } from "../../caches/index.ts";
import type { Parts } from "../../system/index.ts";
import type { Claimant } from "./claimant.ts";

/** A worker that asks for a job. What it doesn't say of itself is as it said before. */
export type SeenClaimant = {
	readonly principal: ServicePrincipal;
	/** The name that it gives itself. */
	readonly worker: string;
	/** Where it comes from; null if unknown. */
	readonly address: string | null;
	/** What is wrong with it; null if nothing is. */
	readonly fault?: WorkerFault | null;
} & Partial<
	Pick<Claimant, "takesChunks" | "takesTranscripts" | "takesClips" | "takesPosters" | "takesSandbox" | "machine">
>;

/** A worker, and when it asked. */
type Seen = SeenClaimant & { readonly at: Date };

/**
 * Notes for the operator that a worker was seen. A worker that is new here is noted at once. Those that are known are
 * noted together, each about once a minute, so that a thousand of them cost two statements a minute. Here it is noted
 * at once, too, that a worker is ill, and that it is well again.
 */
export type NoteWorker = (seen: SeenClaimant) => Promise<void>;

/** Returns the name that jobs have for their worker. */
export const nameOfWorker = ({ name }: ServicePrincipal, worker: string): string => `${name}/${worker}`;

/** A worker asks anew after 30 s, and that is noted once a minute. */
const presentMilliseconds = 120_000;
/** SQL: whether worker `s` was seen lately. One that works on a job for long need not have been. */
export const wasSeen = (now: Date): Sql => sql`s.seen_at > ${new Date(now.getTime() - presentMilliseconds)}`;

const minuteMilliseconds = 60_000;
/** Less than a minute, because the clocks of two servers differ by a little. */
const apartMilliseconds = 58_000;
const togetherMilliseconds = 30_000;

export function createNoteWorker({ database, clock, random }: Parts): NoteWorker {
	const options = { clock, max: 10_000 };
	const known = createBriefCache<void>({ ...options, milliseconds: 60 * minuteMilliseconds });
	const noted = createBriefCache<void>({ ...options, milliseconds: minuteMilliseconds });
	/** What is wrong with the workers that told it here last. */
	const ill = new Map<string, WorkerFault>();
	let waiting = new Map<string, Seen>();
	let wroteAt = Number.NEGATIVE_INFINITY;

	/** What was heard later, perhaps by another server, stays. */
	const write = async (all: ReadonlyMap<string, Seen>): Promise<void> => {
		const seen = [...all].map(([name, { principal, worker, at, address, machine, fault, ...takes }]) => ({
			id: random.uuid(),
			name,
			at,
			account_id: principal.accountId,
			worker,
			address,
			machine: machine ?? null,
			tells_machine: machine !== undefined,
			fault: fault ?? null,
			tells_fault: fault !== undefined,
			takes_chunks: takes.takesChunks ?? null,
			takes_transcripts: takes.takesTranscripts ?? null,
			takes_clips: takes.takesClips ?? null,
			takes_posters: takes.takesPosters ?? null,
			takes_sandbox: takes.takesSandbox ?? null,
		}));
		await database.query(sql`
			with told as (
				select * from jsonb_to_recordset(${seen}::jsonb) as s (id uuid, name text, at timestamptz, account_id uuid, worker text, address text, machine text, tells_machine boolean, fault text, tells_fault boolean,
					takes_chunks boolean, takes_transcripts boolean, takes_clips boolean, takes_posters boolean, takes_sandbox boolean) order by name),
			again as (
				update reelmill.workers_seen w set account_id = t.account_id, seen_at = t.at, address = coalesce(t.address, w.address),
					machine = case when t.tells_machine then t.machine else w.machine end, takes_chunks = coalesce(t.takes_chunks, w.takes_chunks),
					takes_transcripts = coalesce(t.takes_transcripts, w.takes_transcripts), takes_clips = coalesce(t.takes_clips, w.takes_clips), takes_posters = coalesce(t.takes_posters, w.takes_posters), takes_sandbox = coalesce(t.takes_sandbox, w.takes_sandbox),
					fault = case when t.tells_fault then t.fault else w.fault end
				from told t where w.name = t.name and w.seen_at <= t.at
					and (w.seen_at <= t.at - make_interval(secs => ${apartMilliseconds / 1000}) or (t.tells_fault and w.fault is distinct from t.fault)))
			insert into reelmill.workers_seen (id, name, account_id, worker, address, machine, fault, takes_chunks, takes_transcripts, takes_clips, takes_posters, takes_sandbox, created_at, seen_at)
			select id, name, account_id, worker, address, machine, fault, coalesce(takes_chunks, false), coalesce(takes_transcripts, false), coalesce(takes_clips, false), coalesce(takes_posters, false), coalesce(takes_sandbox, true), at, at
			from told where not exists (select from reelmill.workers_seen w where w.name = told.name) on conflict (name) do nothing`);
	};
	const writeWaiting = async (): Promise<void> => {
		if (waiting.size === 0 || clock.elapsed() - wroteAt < togetherMilliseconds) return;
		const all = waiting;
		waiting = new Map();
		wroteAt = clock.elapsed();
		try {
			await write(all);
		} catch (error) {
			waiting = new Map([...all, ...waiting]);
			wroteAt = Number.NEGATIVE_INFINITY;
			throw error;
		}
	};
	return async (claimant) => {
		const name = nameOfWorker(claimant.principal, claimant.worker);
		const seen = { ...claimant, at: new Date(clock.now()) };
		let isNew = false;
		const { fault } = seen;
		const isChanged = fault !== undefined && (ill.get(name) ?? null) !== fault;
		if (isChanged) {
			await write(new Map([[name, seen]]));
			if (fault === null) ill.delete(name);
			else ill.set(name, fault);
			return;
		}
		await known.get(name, async () => {
			isNew = true;
			await noted.get(name, () => write(new Map([[name, seen]])));
		});
		if (isNew) return;
		await noted.get(name, async () => void waiting.set(name, seen));
		await writeWaiting();
	};
}
