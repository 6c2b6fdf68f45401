import type { RequestEntry } from "../history/entries.ts";
import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant, type Run } from "./invariant.ts";

/** What clocks that are right, and what writes times down, may differ by. */
const toleranceMilliseconds = 300;

/** Jobs that were taken from a worker whose lock still had time to last, by its last answer. */
function earlyTakeovers({ history, final, lockSeconds }: Run): Breach[] {
	const claims = new Map(entriesOf(history, "claimed").map((entry) => [entry.lock, entry]));
	const renewals = by(
		entriesOf(history, "request").filter(({ what, outcome }) => (what === "heartbeat" || what === "claim") && outcome === 200),
		({ who }) => who,
	);
	return final.givenBack.flatMap((givenBack) => {
		const claim = claims.get(givenBack.lock);
		if (!claim || givenBack.saidSo) return [];
		const isOfThisJob = (each: RequestEntry & { readonly at: number }) => each.at >= claim.at - toleranceMilliseconds && each.at <= givenBack.at;
		const last = renewals.get(claim.worker)?.findLast(isOfThisJob);
		if (!last || givenBack.at - last.startedAt >= lockSeconds * 1000 - toleranceMilliseconds) return [];
		const milliseconds = Math.round(givenBack.at - last.startedAt);
		return [{ message: `lock ${givenBack.lock} was taken back ${milliseconds} ms after it was renewed`, shownBy: [claim, last, givenBack] }];
	});
}

/** Uploads that expired, or were refused as expired, before their time. */
function earlyExpiries({ history, final, pendingUploadSeconds }: Run): Breach[] {
	const born = new Map(final.moves.filter(({ from }) => from === null).map(({ video, at }) => [video, at]));
	const least = pendingUploadSeconds * 1000 - toleranceMilliseconds;
	const isEarly = ({ video, at }: { readonly video: string; readonly at: number }) => at - (born.get(video) ?? Number.NEGATIVE_INFINITY) < least;
	const expired = final.moves.filter((move) => move.to === "expired" && isEarly(move));
	const refused = entriesOf(history, "given-up").filter(isEarly);
	return [
		...expired.map((move) => ({ message: `video ${move.video} expired before its time`, shownBy: [move] })),
		...refused.map((entry) => ({ message: `the upload of ${entry.video} was refused (${entry.code}) before its time`, shownBy: [entry] })),
	];
}

export const nothingEndsEarly: Invariant = {
	name: "nothing ends early",
	promise: "No lock is taken back, and no upload expires or is refused, before its time: whatever the clocks of servers say.",
	check: (run) => [...earlyTakeovers(run), ...earlyExpiries(run)],
};
