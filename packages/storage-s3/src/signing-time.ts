import type { Clock } from "@reelmill/engine/ports";

/** The time that requests and URLs are signed with. */
export type SigningTime = {
	now(): Date;
	/** What the SDK adds to the machine's clock when it signs, and sets after each answer by its Date header. */
	systemClockOffset: number;
};

/**
 * A server whose clock is this far from ours is given its own time. Below, ours is the better one: the header counts
 * whole seconds.
 */
const leastMilliseconds = 60_000;

/**
 * Signs by `clock`, whatever the machine's clock shows, and what a server's answers say of its own time. The SDK goes
 * by the machine's clock and the server's last answer: a clock that is set between two requests makes the second one a
 * refusal, and a URL that is signed without asking anybody is wrong by all that the machine is.
 */
export function createSigningTime(clock: Pick<Clock, "now">): SigningTime {
	// biome-ignore lint/plugin: this is what the SDK adds the offset to
	const machineAhead = (): number => Date.now() - clock.now();
	let correction = 0;
	return {
		now: () => new Date(clock.now() + correction),
		get systemClockOffset() {
			return correction - machineAhead();
		},
		set systemClockOffset(offset) {
			const serverAhead = offset + machineAhead();
			correction = Math.abs(serverAhead) < leastMilliseconds ? 0 : serverAhead;
		},
	};
}
