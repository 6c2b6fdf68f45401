import type { RequestEntry } from "../history/entries.ts";
import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant, type Run } from "./invariant.ts";

/**
 * How far a right clock may differ from the recorded times: the driver knows a clock only as exactly as the database
 * answers fast.
 */
const toleranceMilliseconds = 300;

/** Finds jobs that were taken from a worker although, by its last answer, its lock had not ended. */
function earlyTakeovers({ history, final, lockSeconds, patience }: Run): Breach[] {
	const claims = by(entriesOf(history, "claimed"), ({ worker }) => worker);
	const answered = by(
		entriesOf(history, "request").filter(
			({ what, outcome }) => (what === "heartbeat" || what === "claim") && outcome === 200,
		),
		({ who }) => who,
	);
	return final.givenBack.flatMap((givenBack) => {
		const claim = entriesOf(history, "claimed").find(({ lock }) => lock === givenBack.lock);
		if (!claim || givenBack.saidSo) return [];
		// A worker does one job at a time, so the answers until its next claim concern this job.
		const next = claims.get(claim.worker)?.find(({ at }) => at > claim.at);
		const isOfThisJob = ({ at, what }: RequestEntry & { readonly at: number }): boolean =>
			at <= givenBack.at &&
			(what === "claim" ? at <= claim.at : at >= claim.at && at < (next?.at ?? Number.POSITIVE_INFINITY));
		const last = answered.get(claim.worker)?.findLast(isOfThisJob);
		if (!last || givenBack.at - last.startedAt >= lockSeconds * 1000 - toleranceMilliseconds * patience) return [];
		const milliseconds = Math.round(givenBack.at - last.startedAt);
		return [
			{
				message: `lock ${givenBack.lock} was taken back ${milliseconds} ms after it was renewed`,
				shownBy: [claim, last, givenBack],
			},
		];
	});
}

/** Finds uploads that expired, or were refused as expired, before their time. */
function earlyExpiries({ history, final, pendingUploadSeconds, patience }: Run): Breach[] {
	const born = new Map(final.moves.filter(({ from }) => from === null).map(({ video, at }) => [video, at]));
	const least = pendingUploadSeconds * 1000 - toleranceMilliseconds * patience;
	const isEarly = ({ video, at }: { readonly video: string; readonly at: number }) =>
		at - (born.get(video) ?? Number.NEGATIVE_INFINITY) < least;
	const expired = final.moves.filter((move) => move.to === "expired" && isEarly(move));
	// A client that was killed may have a request on its way that ends the upload which its successor goes on with.
	const whole = new Map(entriesOf(history, "finished").map(({ video, at }) => [video, at]));
	const refused = entriesOf(history, "given-up").filter(
		(entry) => isEarly(entry) && entry.at < (whole.get(entry.video) ?? Number.POSITIVE_INFINITY),
	);
	return [
		...expired.map((move) => ({ message: `video ${move.video} expired before its time`, shownBy: [move] })),
		...refused.map((entry) => ({
			message: `the upload of ${entry.video} was refused (${entry.code}) before its time`,
			shownBy: [entry],
		})),
	];
}

export const nothingEndsEarly: Invariant = {
	name: "nothing ends early",
	promise:
		"No lock is taken back and no upload expires or is refused before its time, whatever the servers' clocks say.",
	check: (run) => [...earlyTakeovers(run), ...earlyExpiries(run)],
};
