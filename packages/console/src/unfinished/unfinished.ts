let works = 0;
const waiting = new Set<() => void>();

/** Notes that something has begun that a reload would end. Call what it returns, once or more, when that is over. */
export function beginWork(): () => void {
	works += 1;
	let isOver = false;
	return () => {
		if (isOver) return;
		isOver = true;
		works -= 1;
		if (works > 0) return;
		for (const run of waiting) run();
		waiting.clear();
	};
}

/** Calls back once nothing is left that a reload would end, at once if nothing is. Returns what takes that back. */
export function whenFinished(run: () => void): () => void {
	if (works === 0) run();
	else waiting.add(run);
	return () => void waiting.delete(run);
}

/** Loads the page again. The browser asks before it does so over unfinished work. */
export const reloadPage = (): void => window.location.reload();

// The browser asks before it closes the page over unfinished work.
window.addEventListener("beforeunload", (event) => {
	if (works > 0) event.preventDefault();
});
