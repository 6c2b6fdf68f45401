/** Reads moments of the server's clock. This machine's clock may be wrong, or set while the worker runs. */
export type ServerClock = {
	/** Takes the server's time from the `Date` header of an answer. An answer without one changes nothing. */
	observe(response: Response): void;
	/** Returns how many milliseconds from now a moment of the server's clock is; negative if it has passed. */
	until(moment: string): number;
	/** Returns the moment of the server's clock that is so many milliseconds from now. */
	moment(milliseconds: number): string;
};

/**
 * The header counts whole seconds, so an answer tells the time with an error of half a second. A difference below this
 * is no news.
 */
const noticeableMilliseconds = 1500;

/** Creates a clock that trusts this machine's time until the first answer. */
export function createServerClock(): ServerClock {
	/** The server's time minus the time of this process's monotonic clock. */
	// biome-ignore lint/plugin: a first guess, which the first answer mends
	let ahead = Date.now() - performance.now();
	return {
		observe(response) {
			const date = Date.parse(response.headers.get("date") ?? "");
			const observed = date + 500 - performance.now();
			if (Math.abs(observed - ahead) >= noticeableMilliseconds) ahead = observed;
		},
		until: (moment) => Date.parse(moment) - (performance.now() + ahead),
		moment: (milliseconds) => new Date(performance.now() + ahead + milliseconds).toISOString(),
	};
}
