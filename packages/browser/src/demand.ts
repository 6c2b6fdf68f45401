/** What a player may load now: nothing, the poster, all that is shown before the playback, or what is played next. */
export type Demand = "nothing" | "poster" | "metadata" | "all";

/** The parts of an element that decide what is loaded. */
type Watched = Pick<HTMLMediaElement, "paused" | "muted" | "volume" | "autoplay"> & EventTarget;

/** How long a paused player goes on loading, in seconds. */
const longPauseSeconds = 30;

/**
 * Tells what a player may load, and calls `changed` after each change, until the signal aborts. Nothing is loaded for a
 * player that nobody sees (scrolled out of view, or in a hidden tab) unless it is heard, nor for one that has been
 * paused for half a minute. `preload` says what is loaded before the first play or seek; `begin` ends that time.
 */
export function createDemand(
	element: Watched,
	options: {
		preload: "none" | "metadata" | "auto";
		signal: AbortSignal;
		changed: (demand: Demand) => void;
		/** Calls back whenever it may have become another one whether the player is seen. */
		watchSight?: (changed: (seen: boolean) => void, signal: AbortSignal) => void;
		wait?: (work: () => void, milliseconds: number) => unknown;
	},
): { get(): Demand; begin(): void } {
	const { preload, signal, changed, watchSight = sightOf(element), wait = setTimeout } = options;
	let seen = true;
	let begun = preload === "auto" || element.autoplay || !element.paused;
	let pauses = 0;
	let longPaused = false;
	let last: Demand = "nothing";

	const now = (): Demand => {
		if (!element.paused) return seen || (!element.muted && element.volume > 0) ? "all" : "nothing";
		if (!seen || longPaused) return "nothing";
		return begun ? "all" : preload === "metadata" ? "metadata" : "poster";
	};
	const look = () => {
		const demand = now();
		if (demand === last || signal.aborted) return;
		last = demand;
		changed(demand);
	};
	const on = (events: string, work: () => void) => {
		for (const event of events.split(" ")) element.addEventListener(event, work, { signal });
	};
	const begin = () => {
		begun = true;
		pauses++;
		longPaused = false;
		look();
	};
	on("play seeking", begin);
	on("pause", () => {
		const pause = ++pauses;
		wait(() => {
			if (pause !== pauses || !element.paused) return;
			longPaused = true;
			look();
		}, longPauseSeconds * 1000);
		look();
	});
	on("volumechange", look);
	watchSight((sees) => {
		seen = sees;
		look();
	}, signal);
	look();
	return { get: () => last, begin };
}

/** Watches whether an element is in view, in a tab that is shown, or in picture-in-picture. */
const sightOf =
	(element: Watched) =>
	(changed: (seen: boolean) => void, signal: AbortSignal): void => {
		let inView = typeof IntersectionObserver === "undefined";
		const look = () =>
			changed(document.pictureInPictureElement === (element as unknown) || (inView && !document.hidden));
		if (!inView) {
			const observer = new IntersectionObserver((entries) => {
				inView = entries.at(-1)?.isIntersecting ?? false;
				look();
			});
			observer.observe(element as unknown as Element);
			signal.addEventListener("abort", () => observer.disconnect());
		}
		document.addEventListener("visibilitychange", look, { signal });
		for (const event of ["enterpictureinpicture", "leavepictureinpicture"])
			element.addEventListener(event, look, { signal });
		look();
	};
