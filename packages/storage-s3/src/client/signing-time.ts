import type { Clock } from "@reelmill/engine/ports";

/** The time that requests and URLs are signed with. */
export type SigningTime = {
	now(): Date;
	/**
	 * What the SDK adds to the machine's clock when it signs. The SDK sets it after each answer, by the answer's Date
	 * header.
	 */
	systemClockOffset: number;
};

/**
 * A server whose clock differs from ours by at least this much is given its own time. Below that, our clock is more
 * exact: the header counts whole seconds.
 */
const leastMilliseconds = 60_000;

/**
 * Signs by `clock` and by what the server's answers say of its time, whatever the machine's clock shows. The SDK alone
 * uses the machine's clock and the server's last answer: if the clock is set between two requests, the second one is
 * refused, and a URL is wrong by the machine's whole error.
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
