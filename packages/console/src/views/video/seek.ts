/** Goes to this moment in the page's player, if there is one. */
export function seek(seconds: number): void {
	const element = document.querySelector("reelmill-player");
	if (element === null) return;
	element.currentTime = seconds;
	element.scrollIntoView({ block: "nearest" });
}

/** The moment at which the page's player stands; 0 without one. */
export const playerSeconds = (): number => document.querySelector("reelmill-player")?.currentTime ?? 0;
