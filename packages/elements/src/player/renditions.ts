import type { Player } from "@reelmill/browser/player";

/** A quality, as media-chrome's menu reads it from a media element. */
type Rendition = { readonly id: string; readonly width: number; readonly height: number; readonly bitrate: number };

/**
 * Gives a video element the list of qualities, `videoRenditions`, that media-chrome's menu reads and chooses from. The
 * list stands for that of whatever player plays in the element.
 */
export function offerRenditions(element: HTMLVideoElement): { follow(player: Player): () => void } {
	const list = new RenditionList();
	Object.defineProperty(element, "videoRenditions", { configurable: true, value: list });
	return {
		follow(player) {
			list.chosen = (height) => player.setLevel(height);
			const show = ({ levels, chosenLevel }: ReturnType<Player["state"]["get"]>) =>
				list.show(
					levels.map(({ width, height, bitrate }) => ({ id: `${height}`, width, height, bitrate })),
					levels.findIndex(({ height }) => height === chosenLevel),
				);
			show(player.state.get());
			return player.state.subscribe(show);
		},
	};
}

class RenditionList extends EventTarget {
	chosen: (height: number | null) => void = () => {};
	#renditions: readonly Rendition[] = [];
	#selected = -1;

	get length(): number {
		return this.#renditions.length;
	}
	[Symbol.iterator](): Iterator<Rendition> {
		return this.#renditions[Symbol.iterator]();
	}
	/** The index of the chosen quality; -1 if the player chooses. */
	get selectedIndex(): number {
		return this.#selected;
	}
	set selectedIndex(index: number) {
		this.chosen(this.#renditions[index]?.height ?? null);
	}

	show(renditions: readonly Rendition[], selected: number): void {
		const ids = (list: readonly Rendition[]) => list.map(({ id }) => id).join();
		const changed = ids(renditions) !== ids(this.#renditions);
		const moved = selected !== this.#selected;
		// media-chrome reads the chosen one by its index.
		for (const [index] of this.#renditions.entries()) Reflect.deleteProperty(this, index);
		Object.assign(this, renditions);
		this.#renditions = renditions;
		this.#selected = selected;
		if (changed) this.dispatchEvent(new Event("addrendition"));
		if (moved) this.dispatchEvent(new Event("change"));
	}
}
