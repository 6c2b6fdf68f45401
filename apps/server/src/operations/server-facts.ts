import { statfs } from "node:fs/promises";
import type { ServerFacts } from "@reelmill/contracts";
import type { Config } from "../config.ts";
import { createProbe } from "./probe.ts";
import { tryDisk } from "./try-disk.ts";

/**
 * Creates a function that returns what the server knows of itself: its settings without secrets, with the address that
 * is in force, and the state of the data directory's disk, which it tries by a write. It never rejects; a disk that
 * doesn't answer has no figures.
 */
export function createServerFacts({
	inForce,
	baseUrl,
	DATA_DIR: directory,
}: Pick<Config, "inForce" | "DATA_DIR"> & { readonly baseUrl: string }): () => Promise<ServerFacts> {
	// Without the setting, the address follows from those of the port.
	const settings = inForce.map((one) => (one.name === "REELMILL_BASE_URL" ? { ...one, value: baseUrl } : one));
	const takesWrites = createProbe(() => tryDisk(directory));
	let figures = { free_bytes: 0, total_bytes: 0 };
	const isMeasured = createProbe(async () => {
		const { bsize, bavail, blocks } = await statfs(directory);
		figures = { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
	});
	return async () => {
		const [takes_writes, measured] = await Promise.all([takesWrites(), isMeasured()]);
		return { settings, disk: measured ? { takes_writes, ...figures } : null };
	};
}
