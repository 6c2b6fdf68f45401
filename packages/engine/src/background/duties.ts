import sql, { join, type Sql } from "sql-template-tag";
import { type Parts, untilDone } from "../system/index.ts";

/** What one server at a time does for all, by the name of its row. */
export type Duty = "sweeps" | "local storage";

/** Which of the duties this server has, and what is due. */
export type Turn = {
	/** Whether this server still has the duty. Ask before each piece of work. */
	has(duty: Duty): boolean;
	/** Whether the condition of this place was true. */
	isDue(place: number): boolean;
};

/**
 * Shares out what one server at a time does for all. A duty is a row that its server renews by each turn, and that
 * another one takes over when it expires. A server counts a lease from before it asked, by its own steady time. So it
 * stops before another one begins, whatever their clocks show.
 */
export type Duties = {
	/**
	 * Takes or renews these duties as far as no other server has them, and asks in the same statement which of the
	 * conditions hold.
	 */
	take(duties: readonly Duty[], conditions: readonly Sql[]): Promise<Turn>;
	/** Gives all duties back, so that another server need not wait for their end. It never rejects. */
	release(): Promise<void>;
};

/** How long a server that stops tries to give its duties back. After that, they expire. */
const releaseMilliseconds = 2000;

export function createDuties({ database, clock, random }: Parts, { seconds }: { seconds: number }): Duties {
	const holder = random.uuid();
	let until = Number.NEGATIVE_INFINITY;
	let held: readonly string[] = [];
	let mayHold = false;
	return {
		async take(duties, conditions) {
			const asked = clock.elapsed();
			mayHold = true;
			const [row] = await database.query<{ held: string[]; due: boolean[] }>(sql`
				with held as (
					insert into reelmill.duties as d (name, holder, epoch, expires_at)
					select name, ${holder}::uuid, 1, clock_timestamp() + make_interval(secs => ${seconds}::double precision) from unnest(${duties.toSorted()}::text[]) as wanted (name)
					on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at, epoch = d.epoch + (d.holder <> excluded.holder)::integer
					where d.holder = excluded.holder or d.expires_at <= clock_timestamp()
					returning name)
				select array(select name from held) as held, array[${join([...conditions, sql`false`])}] as due`);
			held = row?.held ?? [];
			until = asked + seconds * 1000;
			return {
				has: (duty) => held.includes(duty) && clock.elapsed() < until,
				isDue: (place) => row?.due[place] === true,
			};
		},
		async release() {
			if (!mayHold) return;
			[mayHold, held] = [false, []];
			const end = sql`update reelmill.duties set expires_at = clock_timestamp() where holder = ${holder}`;
			await untilDone(clock, releaseMilliseconds, () => database.query(end)).catch(() => undefined);
		},
	};
}
