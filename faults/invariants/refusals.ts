import { entriesOf } from "../history/history.ts";
import { disturbed, overlaps } from "../history/intervals.ts";
import { by, type Invariant } from "./invariant.ts";

/** How long a start may take until it is refused. */
const startMilliseconds = 30_000;

export const liesAreRefused: Invariant = {
	name: "lies are refused",
	promise:
		"A worker with a valid lock can't complete a video with empty or missing files, playlists that lead nowhere, or impossible lengths and sizes.",
	check({ history, final }) {
		return entriesOf(history, "lied").flatMap((entry) => {
			const video = final.videos.find(({ id }) => id === entry.video);
			if (entry.told !== "completed" && !video?.outputs?.prefix.includes(`/${entry.lock}/`)) return [];
			return [{ message: `video ${entry.video} was completed by a lie: ${entry.how}`, shownBy: [entry, video] }];
		});
	},
};

export const wrongKeysAreRefused: Invariant = {
	name: "wrong keys are refused",
	promise: "A server with another master key than the database's doesn't start, and names the setting.",
	check({ history }) {
		const away = disturbed(
			history,
			({ what, way, server }) => way === "database" && (what === "down" || server !== undefined),
		);
		return entriesOf(history, "wrong-key").flatMap((entry) => {
			const couldNotLook = overlaps(away, { from: entry.at - startMilliseconds, to: entry.at });
			if (!entry.accepted && (entry.said.includes("REELMILL_MASTER_KEY") || couldNotLook)) return [];
			const how = entry.accepted ? "started" : "said something else";
			return [{ message: `server ${entry.server} had another master key and ${how}`, shownBy: [entry] }];
		});
	},
};

export const powerCutsLoseNothing: Invariant = {
	name: "power cuts lose nothing",
	promise:
		"A copy of the disk, taken when all servers are killed, has every acknowledged byte of uploads and every file of available videos.",
	check({ history }) {
		return entriesOf(history, "cut-power")
			.filter(({ lost }) => lost.length > 0)
			.map((entry) => ({
				message: `${entry.lost.length} of ${entry.uploads} uploads and ${entry.outputs} outputs are not whole in the copy`,
				shownBy: entry.lost,
			}));
	},
};

export const troubleIsTold: Invariant = {
	name: "trouble is told as such",
	promise:
		"No request is answered 500: if the database, the disk, the bucket or descriptors are missing, the answer is 503.",
	check({ history }) {
		const failed = entriesOf(history, "request").filter(({ outcome }) => outcome === 500);
		return [...by(failed, ({ what }) => what)].map(([what, all]) => ({
			message: `${what} was answered 500 ${all.length} times`,
			shownBy: all,
		}));
	},
};
