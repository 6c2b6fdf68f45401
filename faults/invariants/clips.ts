import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant } from "./invariant.ts";

export const clipsAreWhatWasAsked: Invariant = {
	name: "clips are what was asked",
	promise:
		"Each clip that was answered exists, once for each key. It has the pictures that were asked for, no more and no fewer, or it failed: after three attempts, or because its source was deleted.",
	check({ history, final }) {
		const breaches: Breach[] = [];
		const videos = new Map(final.videos.map((video) => [video.id, video]));
		const shown = new Map(entriesOf(history, "read-clip").map((read) => [read.video, read]));
		for (const [key, cuts] of by(entriesOf(history, "cut"), (cut) => cut.key)) {
			const [cut] = cuts;
			if (cut === undefined) continue;
			if (new Set(cuts.map(({ video }) => video)).size > 1)
				breaches.push({ message: `${key} gave several clips`, shownBy: cuts });
			const clip = videos.get(cut.video);
			if (clip === undefined || clip.source !== cut.source) {
				breaches.push({ message: `clip ${cut.video} was asked for and is not there`, shownBy: [cut] });
				continue;
			}
			if (clip.deleted || (clip.state === "failed" && clip.failureReason === "retries_exhausted")) continue;
			if (clip.state === "failed" && clip.failureReason === "source_missing" && videos.get(cut.source)?.deleted)
				continue;
			const read = shown.get(cut.video);
			if (clip.state !== "available" || read?.first !== cut.first || read.pictures !== cut.pictures)
				breaches.push({
					message: `clip ${cut.video} is ${clip.state} ${clip.failureReason ?? ""} with ${read?.pictures} pictures from ${read?.first} on, instead of ${cut.pictures} from ${cut.first} on`,
					shownBy: [cut, read, clip],
				});
		}
		const keys = by(entriesOf(history, "cuts"), ({ source }) => source);
		for (const [source, clips] of by(final.videos, (video) => video.source ?? "")) {
			const most = new Set((keys.get(source) ?? []).map(({ key }) => key)).size;
			if (source !== "" && clips.length > most)
				breaches.push({ message: `video ${source} has ${clips.length} clips for ${most} keys`, shownBy: clips });
		}
		return breaches;
	},
};
