/** Goes to this moment in the page's player, if there is one. */
export function seek(seconds: number): void {
	const element = document.querySelector("reelmill-player");
	if (element === null) return;
	element.currentTime = seconds;
	element.scrollIntoView({ block: "nearest" });
}

/** Returns where the page's player stands, in seconds; 0 if there is none. */
export const playedSeconds = (): number => document.querySelector("reelmill-player")?.currentTime ?? 0;
