let works = 0;
let isLeaving = false;
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
		for (const resolve of waiting) resolve();
		waiting.clear();
	};
}

/** Resolves when nothing is left that a reload would end. */
export const untilFinished = (): Promise<void> =>
	works === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve));

/** Loads the page again, without a question. */
export function reloadPage(): void {
	isLeaving = true;
	window.location.reload();
}

// The browser asks before it closes the page over unfinished work.
window.addEventListener("beforeunload", (event) => {
	if (works > 0 && !isLeaving) event.preventDefault();
});
