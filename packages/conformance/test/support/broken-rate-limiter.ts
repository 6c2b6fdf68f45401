import type { Clock, RateLimiter } from "@reelmill/engine/ports";

type Takes = Map<string, number[]>;
type Rule = (at: { now: number; window: number; limit: number; earlier: readonly number[] }) => {
	inForce: readonly number[];
	retryAt: number;
};

/** Keeps the time of every take that was allowed. `rule` says which of them count now, and when to try again. */
const counting =
	(rule: Rule) =>
	(clock: Clock, takes: Takes): RateLimiter => ({
		async take(key, limit, windowSeconds) {
			const now = clock.now();
			const earlier = takes.get(key) ?? [];
			const { inForce, retryAt } = rule({ now, window: windowSeconds * 1000, limit, earlier });
			if (inForce.length >= limit) return { allowed: false, retryAt: new Date(retryAt) };
			takes.set(key, [...earlier, now]);
			return { allowed: true };
		},
	});

/** Windows of one length, one after another; the first begins at `origin`. */
const windowed =
	(originOf: (earlier: readonly number[], now: number) => number): Rule =>
	({ now, window, earlier }) => {
		const origin = originOf(earlier, now);
		const start = now - ((now - origin) % window);
		return { inForce: earlier.filter((at) => at >= start), retryAt: start + window };
	};

const sliding: Rule = ({ now, window, earlier }) => {
	const inForce = earlier.filter((at) => at + window > now);
	return { inForce, retryAt: (inForce[0] ?? now) + window };
};

/** Each adapter breaks one promise of the port, and names the case that must notice. */
export const brokenRateLimiters: readonly {
	readonly flaw: string;
	readonly noticedBy: string;
	make(clock: Clock, shared: Takes): RateLimiter;
}[] = [
	{
		flaw: "counts in each process by itself",
		noticedBy: "refuses in one process what another has used up",
		make: (clock) => counting(sliding)(clock, new Map()),
	},
	{
		flaw: "allows one more than the limit",
		noticedBy: "gives one process all of a limit of 200, and no more until retryAt, then all of it again",
		make: counting((at) => ({ ...sliding(at), inForce: sliding(at).inForce.slice(1) })),
	},
	{
		flaw: "begins windows at round times",
		noticedBy: "counts a key's window from its first take",
		make: counting(windowed(() => 0)),
	},
	{
		flaw: "counts small limits by windows",
		noticedBy: "holds a small limit in any stretch of the window's length",
		make: counting(windowed(([first], now) => first ?? now)),
	},
	{
		flaw: "tells to come a whole window after each refusal",
		noticedBy: "still refuses a moment before retryAt, however often it was asked meanwhile",
		make: counting((at) => ({ ...sliding(at), retryAt: at.now + at.window })),
	},
	{
		flaw: "tells to come before a retry can succeed",
		noticedBy: "gives one process all of a limit of 10, and no more until retryAt, then all of it again",
		make: counting((at) => ({ ...sliding(at), retryAt: at.now + 1 })),
	},
	{
		flaw: "loses count of takes that come at once",
		noticedBy: "gives every take one answer when a hundred for one key come at once",
		make: (clock, takes) => {
			const seen: Takes = new Map();
			const limiter = counting(sliding)(clock, seen);
			return {
				async take(key, limit, windowSeconds) {
					seen.set(key, takes.get(key) ?? []);
					const result = await limiter.take(key, limit, windowSeconds);
					const after = seen.get(key) ?? [];
					await Promise.resolve();
					takes.set(key, after);
					return result;
				},
			};
		},
	},
	{
		flaw: "takes keys for the same that differ in their case",
		noticedBy: "keeps keys apart",
		make: (clock, takes) => {
			const limiter = counting(sliding)(clock, takes);
			return { take: (key, limit, windowSeconds) => limiter.take(key.toLowerCase(), limit, windowSeconds) };
		},
	},
	{
		flaw: "never passes the limit, but leaves a process of two nothing",
		noticedBy: "never passes a limit of 200 when two processes take at once",
		make: counting((at) => ({
			...sliding(at),
			inForce: sliding(at).inForce.length >= at.limit / 2 ? Array(at.limit).fill(0) : [],
		})),
	},
];
