import { ConnectionError } from "./connection-error.ts";

/** How often it is looked, at least, whether the time is over; and the gap that says that the machine slept. */
const lookMilliseconds = 5000;
const sleptMilliseconds = 20_000;

export type StallWatch = {
	/** Settles as the request does. Rejects with a ConnectionError if nothing moves for too long. One at a time. */
	during<T>(request: Promise<T>): Promise<T>;
	/** Says that something has moved. */
	moved(): void;
	/** Ends the watch. */
	end(): void;
};

/**
 * Watches that requests move. A machine that slept has lost its connections and often isn't told: after a gap in time
 * something must move within five seconds.
 */
export function watchForStall(seconds: number): StallWatch {
	let fail = (_: Error) => {};
	let looked = Date.now();
	let deadline = Number.POSITIVE_INFINITY;
	const moved = () => {
		deadline = Date.now() + seconds * 1000;
	};
	const look = () => {
		const now = Date.now();
		if (now >= deadline)
			fail(new ConnectionError("timeout", `The upload did not move for ${seconds} s.`, { cause: undefined }));
		else if (now - looked > sleptMilliseconds) deadline = Math.min(deadline, now + lookMilliseconds);
		looked = now;
	};
	const looking = setInterval(look, Math.min(lookMilliseconds, seconds * 250));
	return {
		during(request) {
			moved();
			return Promise.race([request, new Promise<never>((_, reject) => (fail = reject))]);
		},
		moved,
		end: () => clearInterval(looking),
	};
}
