/** Something that is so from a moment on, until the next moment of a list. */
export type Run = { readonly fromSeconds: number };

/** What has at least this share of the time is worth its size. */
const lastingShare = 0.1;

/**
 * Chooses one of what a source has in turn: the largest that lasts for a tenth of the time or longer. If nothing does,
 * what lasts longest.
 * @param runs in the order of their times; at least one
 * @param name what is the same has the same name
 */
export function largestLasting<One extends Run>(
	runs: readonly [One, ...One[]],
	endSeconds: number,
	{ name, size }: { name: (run: One) => string; size: (run: One) => number },
): One {
	const lasts = new Map<string, { readonly run: One; seconds: number }>();
	for (const [n, run] of runs.entries()) {
		const found = lasts.get(name(run)) ?? { run, seconds: 0 };
		found.seconds += Math.max(0, (runs[n + 1]?.fromSeconds ?? endSeconds) - run.fromSeconds);
		lasts.set(name(run), found);
	}
	const all = [...lasts.values()].sort((one, other) => other.seconds - one.seconds);
	const whole = all.reduce((sum, { seconds }) => sum + seconds, 0);
	const lasting = all.filter(({ seconds }) => seconds >= whole * lastingShare).map(({ run }) => run);
	return lasting.reduce((largest, run) => (size(run) > size(largest) ? run : largest), all[0]?.run ?? runs[0]);
}

/** Returns the runs without those that only continue what was before. */
export const withoutRepeats = <One extends Run>(runs: readonly One[], name: (run: One) => string): One[] =>
	runs.filter((run, n) => n === 0 || name(run) !== name(runs[n - 1] as One));
