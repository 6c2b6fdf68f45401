import type { Player } from "@reelmill/browser/player";

/** A sound, as media-chrome's menu reads it from a media element. */
type AudioTrack = { readonly id: string; readonly label: string; readonly language: string; enabled: boolean };

/**
 * Gives a video element the list of sounds, `audioTracks`, that media-chrome's menu reads and chooses from. The list
 * stands for that of whatever player plays in the element.
 */
export function offerAudioTracks(element: HTMLVideoElement): { follow(player: Player): () => void } {
	const list = new AudioTrackList();
	Object.defineProperty(element, "audioTracks", { configurable: true, value: list });
	return {
		follow(player) {
			const show = ({ sounds, sound }: ReturnType<Player["state"]["get"]>) =>
				list.show(
					sounds.map(({ label, language }, index) => ({
						...{ id: `${index}`, label, language },
						get enabled() {
							return player.state.get().sound === index;
						},
						set enabled(isEnabled) {
							if (isEnabled) player.setSound(index);
						},
					})),
					sound,
				);
			show(player.state.get());
			return player.state.subscribe(show);
		},
	};
}

class AudioTrackList extends EventTarget {
	#tracks: readonly AudioTrack[] = [];
	#chosen = 0;

	get length(): number {
		return this.#tracks.length;
	}
	[Symbol.iterator](): Iterator<AudioTrack> {
		return this.#tracks[Symbol.iterator]();
	}

	show(tracks: readonly AudioTrack[], chosen: number): void {
		const labels = (list: readonly AudioTrack[]) => JSON.stringify(list.map(({ label }) => label));
		const changed = labels(tracks) !== labels(this.#tracks);
		const moved = chosen !== this.#chosen;
		this.#tracks = tracks;
		this.#chosen = chosen;
		if (changed) this.dispatchEvent(new Event("addtrack"));
		if (moved) this.dispatchEvent(new Event("change"));
	}
}
