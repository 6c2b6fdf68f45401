import { entriesOf } from "../history/history.ts";
import { by, type Invariant } from "./invariant.ts";

export const editsAreKept: Invariant = {
	name: "edits are kept",
	promise: "Captions and chapters that were put are those whose PUT was answered last, or that were sent after it.",
	check({ history, final }) {
		const videos = new Map(final.videos.map((video) => [video.id, video]));
		const edited = by(entriesOf(history, "edited"), ({ video, of }) => `${video} ${of}`);
		return entriesOf(history, "read-edit").flatMap((read) => {
			const answered = edited.get(`${read.video} ${read.of}`) ?? [];
			const last = Math.max(0, ...answered.map(({ number }) => number));
			if (videos.get(read.video)?.deleted || (read.number ?? 0) >= last) return [];
			return [
				{
					message: `video ${read.video} has edit ${read.number} of its ${read.of}, not ${last}`,
					shownBy: [...answered, read],
				},
			];
		});
	},
};
