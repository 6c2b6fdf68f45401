import type { Logger } from "@reelmill/engine";

/**
 * Creates a function that logs its first call: an address that is no trusted proxy sent X-Forwarded-For. Either the
 * operator did not name a proxy, or a client pretends to be another one.
 */
export function createIgnoredForwards(logger: Logger): (peer: string) => void {
	let isSaid = false;
	return (peer) => {
		if (isSaid) return;
		isSaid = true;
		logger.warn(
			{ peer },
			"X-Forwarded-For is ignored where it comes from an address that isn't a trusted proxy: " +
				"all who come through that address share its limits",
		);
	};
}
