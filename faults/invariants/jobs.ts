import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant } from "./invariant.ts";

export const oneWinnerAClaim: Invariant = {
	name: "one winner a claim",
	promise: "Each attempt at a job goes to one worker, with its own lock; attempts are numbered without gaps.",
	check({ history, final }) {
		const breaches: Breach[] = [];
		for (const [lock, told] of by(entriesOf(history, "claimed"), (entry) => entry.lock)) {
			if (told.length > 1)
				breaches.push({ message: `lock ${lock} was given to ${told.length} workers`, shownBy: told });
			const claim = final.claims.find((each) => each.lock === lock);
			if (claim?.attempt !== told[0]?.attempt)
				breaches.push({ message: `lock ${lock} was told and not given out`, shownBy: [...told, claim] });
		}
		for (const [video, claims] of by(final.claims, (claim) => claim.video)) {
			if (claims.some(({ attempt }, index) => attempt !== index + 1))
				breaches.push({ message: `video ${video} has attempts out of order`, shownBy: claims });
		}
		return breaches;
	},
};

export const oneCompletion: Invariant = {
	name: "one completion",
	promise:
		"At most one attempt completes a video, and the video has that attempt's outputs: a stalled worker that wakes up changes nothing.",
	check({ history, final }) {
		const videos = new Map(final.videos.map((video) => [video.id, video]));
		const breaches: Breach[] = [];
		for (const [id, completed] of by(entriesOf(history, "completed"), (entry) => entry.video)) {
			const video = videos.get(id);
			const locks = new Set(completed.map(({ lock }) => lock));
			if (locks.size > 1)
				breaches.push({ message: `video ${id} was completed by ${locks.size} attempts`, shownBy: completed });
			if (video?.state !== "available")
				breaches.push({ message: `video ${id} was completed and is ${video?.state}`, shownBy: [...completed, video] });
			else if (![...locks].every((lock) => video.outputs?.prefix.includes(`/${lock}/`)))
				breaches.push({
					message: `video ${id} has outputs of another attempt than completed it`,
					shownBy: [...completed, video],
				});
		}
		return breaches;
	},
};

export const noChunkTwice: Invariant = {
	name: "no chunk twice",
	promise:
		"Each chunk of a video is finished once: whoever takes the job of a worker that was stopped, killed or told to go, goes on from there.",
	check: ({ final }) =>
		[...by(final.chunks, ({ video, number }) => `${video} ${number}`)]
			.filter(([, finished]) => finished.length > 1)
			.map(([key, finished]) => ({ message: `chunk ${key} was finished ${finished.length} times`, shownBy: finished })),
};

export const noStaleByte: Invariant = {
	name: "no stale byte",
	promise:
		"Every byte that was served comes from the attempt that completed the video, and each file that nobody edits is the same each time.",
	check({ history, final }) {
		const videos = new Map(final.videos.map((video) => [video.id, video]));
		const breaches: Breach[] = [];
		for (const [key, served] of by(entriesOf(history, "served"), ({ video, path }) => `${video}/${path}`)) {
			const { prefix = "", added = {} } = videos.get(served[0]?.video ?? "")?.outputs ?? {};
			if (served[0] !== undefined && served[0].path in added) continue;
			const stale = served.find(
				({ madeBy, etag }) =>
					(madeBy !== null && !prefix.includes(`/${madeBy}/`)) || !prefix.includes(etag.slice(1, 37)),
			);
			if (stale) breaches.push({ message: `${key} was served from another attempt than ${prefix}`, shownBy: [stale] });
			if (new Set(served.map(({ sha256 }) => sha256)).size > 1)
				breaches.push({ message: `${key} was served as different bytes`, shownBy: served });
		}
		return breaches;
	},
};
