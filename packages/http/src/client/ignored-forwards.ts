import type { Logger } from "@reelmill/engine";

/**
 * Says, the first time, that an address forwards for clients which isn't a trusted proxy: either a proxy wasn't named,
 * or somebody tries to pass for others.
 */
export function createIgnoredForwards(logger: Logger): (peer: string) => void {
	let isSaid = false;
	return (peer) => {
		if (isSaid) return;
		isSaid = true;
		logger.warn(
			{ peer },
			"X-Forwarded-For is ignored where it comes from an address that isn't a trusted proxy: all who come through that address share its limits",
		);
	};
}
