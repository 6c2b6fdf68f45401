import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Engine } from "@reelmill/engine";
import type { TestClock } from "./clock.ts";

export type Deliveries = {
	/** Resolves when every attempt that is due has its answer, and every import that is due was fetched. */
	settled(): Promise<void>;
	/**
	 * Moves time on. Attempts that come due meanwhile are made each in its own moment, as they would be if the time had
	 * passed; then the engine does what the passed time brings about.
	 */
	advance(seconds: number): Promise<void>;
};

/** The engine makes attempts by itself: at once after an event, and within a second when their time comes. */
const pollMilliseconds = 5;

/** Waits for webhooks and imports, and moves their time. */
export function createDeliveries({
	engine,
	database,
	clock,
}: {
	engine: Engine;
	database: Database;
	clock: TestClock;
}): Deliveries {
	/** The time of the next attempt in Unix milliseconds; of one that is under way too. Infinity if none will come. */
	const next = async (): Promise<number> => {
		const text = `select min(at) as at from (
			select next_attempt_at as at from reelmill.webhook_deliveries where status = 'pending'
			union all select case status when 'waiting' then not_before else to_timestamp(0) end from reelmill.imports where ended_at is null) due`;
		const [row] = await database.query<{ at: Date | null }>({ text, values: [] });
		return row?.at?.getTime() ?? Number.POSITIVE_INFINITY;
	};
	const settled = async (): Promise<void> => {
		while ((await next()) <= clock.now()) await sleep(pollMilliseconds);
	};
	return {
		settled,
		async advance(seconds) {
			if (!(seconds >= 0)) throw new RangeError(`Time goes on by 0 seconds or more, not by ${seconds}.`);
			await settled();
			const until = clock.now() + seconds * 1000;
			for (let at = await next(); at <= until; at = await next()) {
				clock.advance(Math.max(0, at - clock.now()));
				await settled();
			}
			clock.advance(Math.max(0, until - clock.now()));
			await engine.sweep();
			await settled();
		},
	};
}
