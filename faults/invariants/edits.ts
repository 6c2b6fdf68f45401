import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant } from "./invariant.ts";

const mostAttempts = 3;

export const editsAreKept: Invariant = {
	name: "edits are kept",
	promise:
		"Captions, chapters, titles and posters that were put are those whose PUT or DELETE was answered last, or that were sent after it. A poster that could not be made had three attempts.",
	check({ history, final }) {
		const videos = new Map(final.videos.map((video) => [video.id, video]));
		const edited = by(entriesOf(history, "edited"), ({ video, of }) => `${video} ${of}`);
		const spent = new Set(final.posters.filter(({ attempts }) => attempts >= mostAttempts).map(({ video }) => video));
		return entriesOf(history, "read-edit").flatMap((read) => {
			const answered = edited.get(`${read.video} ${read.of}`) ?? [];
			const last = Math.max(0, ...answered.map(({ number }) => number));
			if (videos.get(read.video)?.deleted || (read.number ?? 0) >= last) return [];
			if (read.failed && spent.has(read.video)) return [];
			const has = read.failed ? "could not be made, before three attempts" : `is edit ${read.number}`;
			return [
				{
					message: `${read.of} of video ${read.video} ${has}, and not ${last}`,
					shownBy: [...answered, read],
				},
			];
		});
	},
};

export const oneEventAnEdit: Invariant = {
	name: "one event an edit",
	promise:
		"Each edit of captions, chapters and titles that was answered has one `video.updated`, and no more of them than edits were sent. Posters have at most one each.",
	check({ history, final }) {
		const key = ({ video, of }: { readonly video: string; readonly of: string }): string => `${video} ${of}`;
		const sent = by(entriesOf(history, "edits"), key);
		const answered = by(entriesOf(history, "edited"), key);
		const told = by(
			final.deliveries.flatMap(({ video, changed }) => (changed ?? []).map((of) => ({ video, of }))),
			key,
		);
		const breaches: Breach[] = [];
		for (const part of new Set([...sent.keys(), ...told.keys()])) {
			const [sends, answers] = [sent.get(part) ?? [], answered.get(part) ?? []];
			const numbers = new Set(sends.map(({ number }) => number));
			const least = part.endsWith(" poster") ? 0 : answers.filter(({ number }) => numbers.has(number)).length;
			const count = told.get(part)?.length ?? 0;
			if (count >= least && count <= sends.length) continue;
			breaches.push({
				message: `${part} was edited ${sends.length} times, answered ${least} times, and told ${count} times`,
				shownBy: [...sends, ...answers],
			});
		}
		return breaches;
	},
};
