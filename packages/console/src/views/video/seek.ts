/** Goes to this moment in the page's player, if there is one. */
export function seek(seconds: number): void {
	const element = document.querySelector("reelmill-player");
	if (element === null) return;
	element.currentTime = seconds;
	element.scrollIntoView({ block: "nearest" });
}

/** Returns where the page's player is, in seconds; `null` if there is none. */
export const playerTime = (): number | null => document.querySelector("reelmill-player")?.currentTime ?? null;
