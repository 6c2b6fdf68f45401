export const playerElementId = "player";

/** Goes to this moment in the page's player, if there is one. */
export function seek(seconds: number): void {
	const element = document.getElementById(playerElementId);
	if (!(element instanceof HTMLVideoElement)) return;
	element.currentTime = seconds;
	element.scrollIntoView({ block: "nearest" });
}
