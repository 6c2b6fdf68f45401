/**
 * Waits until a time has passed, and then until the page is seen, if it is hidden. The browser's `online` event ends
 * the time if `endsOnline` is set. The signal ends both.
 */
export async function pause(
	milliseconds: number,
	{ signal, endsOnline }: { signal: AbortSignal; endsOnline: boolean },
): Promise<void> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	await firstEvent(endsOnline ? { online: globalThis } : {}, signal, (end) => {
		timer = setTimeout(end, milliseconds);
	});
	clearTimeout(timer);
	const page = globalThis.document;
	while (page?.hidden && !signal.aborted) await firstEvent({ visibilitychange: page }, signal);
}

/** Resolves with the first of these events, or once the signal aborts, or when `begin` says so. */
async function firstEvent(
	events: Readonly<Record<string, EventTarget>>,
	signal: AbortSignal,
	begin: (end: () => void) => void = () => {},
): Promise<void> {
	if (signal.aborted) return;
	const over = new AbortController();
	await new Promise<void>((resolve) => {
		const end = () => resolve();
		for (const [type, target] of Object.entries({ ...events, abort: signal }))
			target.addEventListener(type, end, { signal: over.signal });
		begin(end);
	});
	over.abort();
}
