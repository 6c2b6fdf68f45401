import type { WorkerEnd } from "@reelmill/worker";

/**
 * How a transcoder that ends by itself ends: 69 and 71 as systemd's and BSD's sysexits name them, and 128 and the
 * signal's number if a signal stopped it during a job.
 */
const endings = {
	done: { code: 0, meaning: "It did its jobs, or no job was there." },
	wrong: { code: 1, meaning: "A setting is wrong, or a program is missing." },
	unanswered: { code: 69, meaning: "Jobs can't be claimed: the server is not reachable, or refuses." },
	ill: { code: 71, meaning: "Something is wrong with this machine; no video fails for that." },
	SIGINT: { code: 130, meaning: "SIGINT stopped it, and it gave a job back." },
	SIGTERM: { code: 143, meaning: "SIGTERM stopped it, and it gave a job back." },
} as const;

/** The exit codes of a transcoder that ends by itself, each with its meaning. */
export const exitCodes = Object.values(endings);

/** Returns the exit code of a transcoder that was to end by itself. */
export function exitCodeOf({ reason, gaveBack }: WorkerEnd, signal?: "SIGINT" | "SIGTERM"): number {
	if (reason === "ill" || reason === "unanswered") return endings[reason].code;
	return (gaveBack && signal !== undefined ? endings[signal] : endings.done).code;
}
