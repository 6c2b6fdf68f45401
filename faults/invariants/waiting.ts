import type { Disturbance, Entry } from "../history/entries.ts";
import { entriesOf } from "../history/history.ts";
import { disturbed, type Interval, intersection, joined, lengthWithin, overlaps } from "../history/intervals.ts";
import { serverCount } from "../plan/catalogue.ts";
import { type Breach, by, type Invariant, type Run } from "./invariant.ts";

/** How long an answer may take. A claim may take longer by the time that it is held open. */
const answerMilliseconds = 10_000;
const servingMilliseconds = 3000;
const takeoverMilliseconds = 5000;

/**
 * Returns when the server could not answer this side in any way: it was stopped, or the connection was held up. A
 * database that is away is no excuse.
 */
const couldNotAnswer = (history: readonly Entry[], server: number, way: string): Interval[] =>
	disturbed(history, (disturbance) => {
		const { what } = disturbance;
		if (disturbance.server !== server) return false;
		return (
			what === "frozen" || what === "down" || ((what === "unreachable" || what === "slow") && disturbance.way === way)
		);
	});

export const nobodyWaitsForEver: Invariant = {
	name: "nobody waits for ever",
	promise:
		"Every request to a server that runs and can be reached is answered within 10 s, whatever its database and its storage do.",
	check({ history, patience }) {
		const breaches: Breach[] = [];
		for (const [key, requests] of by(entriesOf(history, "request"), ({ server, way }) => `${server} ${way}`)) {
			const [server = "", way = ""] = key.split(" ");
			const excuses = couldNotAnswer(history, Number(server), way);
			for (const request of requests) {
				const limit = (answerMilliseconds + (request.what === "claim" ? 2000 : 0)) * patience;
				const isLate = request.outcome === "TIMEOUT" || request.milliseconds > limit;
				const during = { from: request.startedAt, to: request.startedAt + request.milliseconds };
				if (isLate && !overlaps(excuses, during))
					breaches.push({
						message: `${request.what} waited ${request.milliseconds} ms`,
						shownBy: [request, ...faultsDuring(history, during)],
					});
			}
		}
		return breaches;
	},
};

export const servesAgainSoon: Invariant = {
	name: "serves again soon",
	promise: "Every server that runs answers from the database within 3 s of its return.",
	check({ history, patience }) {
		return entriesOf(history, "serving-again").flatMap((entry) => {
			const during = { from: entry.since, to: entry.since + entry.milliseconds };
			const touches = ({ server, way, what }: Disturbance) =>
				server === entry.server ? what !== "slow" && what !== "clock" : way === "database" && what === "down";
			const excuses = disturbed(history, touches).filter(({ to }) => to > entry.since);
			if (entry.milliseconds <= servingMilliseconds * patience || overlaps(excuses, during)) return [];
			return [
				{
					message: `server ${entry.server} served again after ${entry.milliseconds} ms`,
					shownBy: [entry, ...faultsDuring(history, during)],
				},
			];
		});
	},
};

/**
 * Returns when no server could take back a lock, because each was down, frozen or cut off from its database, or the
 * database was away.
 */
function nobodySwept(history: readonly Entry[]): Interval[] {
	const away = disturbed(
		history,
		({ what, way, server }) => what === "down" && way === "database" && server === undefined,
	);
	const full = Array.from({ length: serverCount }, (_, index) =>
		joined([
			...away,
			...disturbed(
				history,
				({ what, server, way }) =>
					server === index && (what === "down" || what === "frozen" || (what === "unreachable" && way === "database")),
			),
		]),
	);
	return full.reduce(intersection);
}

export type Takeover = { readonly lock: string; readonly milliseconds: number; readonly disturbedMilliseconds: number };

/** Returns for each job whose worker was killed how long it took from then until the job was given back or ended. */
export function takeovers({ history, final }: Pick<Run, "history" | "final">): Takeover[] {
	const holes = nobodySwept(history);
	const deaths = by(entriesOf(history, "killed"), ({ name }) => name);
	return entriesOf(history, "claimed").flatMap(({ worker, lock, video, at }) => {
		const death = deaths.get(worker)?.find((killed) => killed.at >= at);
		const leaving = final.moves.find(
			(move) =>
				move.video === video &&
				move.at > at &&
				(move.from === "locked" || move.from === "encoding") &&
				move.to !== "encoding",
		);
		if (!death || !leaving || leaving.at <= death.at) return [];
		const waited = { from: death.at, to: leaving.at };
		return [{ lock, milliseconds: leaving.at - death.at, disturbedMilliseconds: lengthWithin(holes, waited) }];
	});
}

export const deadWorkersAreReplaced: Invariant = {
	name: "dead workers are replaced",
	promise:
		"The job of a killed worker is free for another within its lock's time and 5 s. Time in which no server could free it doesn't count.",
	check(run) {
		const limit = (run.lockSeconds * 1000 + takeoverMilliseconds) * run.patience;
		return takeovers(run)
			.filter(({ milliseconds, disturbedMilliseconds }) => milliseconds - disturbedMilliseconds > limit)
			.map((takeover) => ({
				message: `lock ${takeover.lock} was held for ${takeover.milliseconds} ms by a dead worker`,
				shownBy: [takeover],
			}));
	},
};

const faultsDuring = (history: readonly Entry[], { from, to }: Interval): Entry[] =>
	history.filter(
		(entry) =>
			["fault", "killed", "begins", "ends", "postgres"].includes(entry.kind) &&
			entry.at >= from - 5000 &&
			entry.at <= to,
	);
