import type { Chapter } from "@reelmill/browser/player";
import { formatTime } from "media-chrome/utils/time";
import { make } from "../base/dom.ts";
import { icon } from "../base/icons.ts";
import { fill } from "../words/words.ts";

/**
 * Fills a menu of the settings with chapters, and the time line with their marks. The menu checks the chapter that
 * plays, and choosing one seeks to its beginning. `show` takes other chapters, and `name` for those without a title, in
 * which "{number}" stands for their place.
 */
export function offerChapters(
	media: HTMLVideoElement,
	menu: HTMLElement,
): { show(chapters: readonly Chapter[], name: string): void } {
	let shown: readonly Chapter[] = [];
	let track: TextTrack | undefined;
	const items = () => [...menu.querySelectorAll<HTMLElement & { checked: boolean }>("media-chrome-menu-item")];
	const mark = () => {
		for (const cue of [...(track?.cues ?? [])]) track?.removeCue(cue);
		for (const [index, { title, start }] of shown.entries()) {
			const end = shown[index + 1]?.start ?? (media.duration || start + 1);
			track?.addCue(new VTTCue(start, Math.max(start, end), title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")));
		}
		// media-chrome reads the chapters when the tracks have changed.
		if (track) media.textTracks.dispatchEvent(new Event("change"));
	};
	const follow = () => {
		const now = shown.findLastIndex(({ start }) => start <= media.currentTime + 0.1);
		for (const [index, item] of items().entries()) if (item.checked !== (index === now)) item.checked = index === now;
	};
	media.addEventListener("durationchange", mark);
	for (const type of ["timeupdate", "seeked"]) media.addEventListener(type, follow);
	// The menu tells of another item alone, but the chapter that plays can be chosen, too.
	const goTo = (start: number) => (event: Event) => {
		if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
		media.currentTime = start;
	};
	return {
		show(chapters, name) {
			shown = [...chapters]
				.sort((one, other) => one.start - other.start)
				.map(({ title, ...chapter }, index) => ({
					...chapter,
					title: title.trim() ? title : fill(name, { number: `${index + 1}` }),
				}));
			if (shown.length > 0 && !track) {
				track = media.addTextTrack("chapters");
				track.mode = "hidden";
			}
			for (const item of items()) item.remove();
			menu.append(
				...shown.map(({ title, start }, index) =>
					// The settings say the text of the chosen item, which is the title alone.
					make(
						"media-chrome-menu-item",
						{ type: "radio", value: `${index}`, click: goTo(start), keydown: goTo(start) },
						make("span", { class: "chapter", dir: "auto" }, title),
						make("span", { slot: "suffix", class: "chapter-time", "data-time": formatTime(start) }, icon("check")),
					),
				),
			);
			mark();
			follow();
		},
	};
}
