import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant } from "./invariant.ts";

/** The states of a video whose bytes are not complete. */
const incomplete = ["pending_upload", "expired"];

export const initiatesAreKept: Invariant = {
	name: "initiates are kept",
	promise: "Every video whose initiate was answered exists.",
	check({ history, final }) {
		const known = new Set(final.videos.map(({ id }) => id));
		return entriesOf(history, "initiated")
			.filter(({ video }) => !known.has(video))
			.map((entry) => ({ message: `video ${entry.video} was initiated and is not there`, shownBy: [entry] }));
	},
};

export const acknowledgedBytesLast: Invariant = {
	name: "acknowledged bytes last",
	promise: "An acknowledged offset is never taken back: every later answer tells the same or a higher one.",
	check({ history }) {
		const breaches: Breach[] = [];
		for (const [video, acknowledged] of by(entriesOf(history, "acknowledged"), (entry) => entry.video)) {
			for (const later of acknowledged) {
				const taken = acknowledged.find((earlier) => earlier.at < later.askedAt && earlier.offset > later.offset);
				if (taken)
					breaches.push({
						message: `video ${video} stood at ${taken.offset} and later at ${later.offset}`,
						shownBy: [taken, later],
					});
			}
		}
		return breaches;
	},
};

export const wholeUploadsGoOn: Invariant = {
	name: "whole uploads go on",
	promise: "An upload whose last byte was acknowledged is processed: it neither stays pending nor expires.",
	check({ history, final }) {
		const states = new Map(final.videos.map((video) => [video.id, video.state]));
		return entriesOf(history, "finished")
			.filter(({ video }) => incomplete.includes(states.get(video) ?? ""))
			.map((entry) => ({
				message: `video ${entry.video} was whole and is ${states.get(entry.video)}`,
				shownBy: [entry],
			}));
	},
};

export const bytesAreTheSame: Invariant = {
	name: "bytes are the same",
	promise: "The source that a worker fetches has the sha256 of the uploaded bytes, or of one file that the origin had.",
	check({ history }) {
		const sent = new Map(entriesOf(history, "initiated").map((entry) => [entry.video, entry]));
		return entriesOf(history, "fetched").flatMap((entry) => {
			const source = sent.get(entry.video);
			if (!source || source.sha256 === entry.sha256) return [];
			return [{ message: `video ${entry.video} was fetched as other bytes than were sent`, shownBy: [source, entry] }];
		});
	},
};

export const endsAreKept: Invariant = {
	name: "ends are kept",
	promise: "A video whose cancel was answered is cancelled; one whose deletion was answered is deleted.",
	check({ history, final }) {
		const videos = new Map(final.videos.map((video) => [video.id, video]));
		return entriesOf(history, "ended").flatMap((entry) => {
			const video = videos.get(entry.video);
			if (entry.by === "delete" ? video?.deleted : video?.state === "cancelled") return [];
			return [
				{ message: `video ${entry.video} was ended by ${entry.by} and is ${video?.state}`, shownBy: [entry, video] },
			];
		});
	},
};
