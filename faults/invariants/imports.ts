import { entriesOf } from "../history/history.ts";
import { type Breach, by, type Invariant } from "./invariant.ts";

const numberOf = (url: string): number => Number(/(\d+)\.mp4$/.exec(url)?.[1]);

export const importsEnd: Invariant = {
	name: "imports end",
	promise:
		"Each import that was answered exists, once for each key, and ends: with a video of the origin's bytes, cancelled by its tenant, or failed because the origin replaced its file.",
	check({ history, final }) {
		const breaches: Breach[] = [];
		const imports = new Map(final.imports.map((each) => [each.id, each]));
		const videos = new Set(final.videos.map(({ id }) => id));
		const cancelled = new Set(entriesOf(history, "cancels-import").map(({ id }) => id));
		const origin = by(entriesOf(history, "origin"), ({ number }) => String(number));
		for (const [number, answers] of by(entriesOf(history, "importing"), (each) => String(each.number))) {
			const ended = imports.get(answers[0]?.id ?? "");
			const asked = origin.get(number) ?? [];
			const isReplaced = asked.some(({ manner }) => manner === "replaces the file");
			const isExplained =
				(ended?.status === "done" && videos.has(ended.video ?? "")) ||
				(ended?.status === "cancelled" && cancelled.has(ended.id)) ||
				(ended?.status === "failed" && ended.failure === "source_changed" && isReplaced);
			if (!isExplained)
				breaches.push({
					message: `import ${number} is ${ended?.status ?? "gone"} ${ended?.failure ?? ""}`,
					shownBy: [...answers, ended, ...asked],
				});
		}
		const keys = new Set(entriesOf(history, "imports").map(({ number }) => number));
		for (const [number, all] of by(final.imports, ({ url }) => String(numberOf(url))))
			if (all.length > 1 || !keys.has(Number(number)))
				breaches.push({ message: `there are ${all.length} imports of file ${number}`, shownBy: all });
		return breaches;
	},
};
