import { statfs } from "node:fs/promises";
import type { ServerFacts } from "@reelmill/contracts";
import type { Config } from "../config.ts";
import { createProbe } from "./probe.ts";
import { tryDisk } from "./try-disk.ts";

/**
 * Creates a function that returns what the server knows of itself: its settings without secrets, and the state of the
 * data directory's disk, which it tries by a write. `baseUrl` is the address in force, which may follow from the port. It never rejects; a disk that doesn't answer has no figures.
 */
export function createServerFacts({
	inForce,
	DATA_DIR: directory,
	baseUrl,
}: Pick<Config, "inForce" | "DATA_DIR"> & { baseUrl: string }): () => Promise<ServerFacts> {
	const settings = inForce.map((setting) =>
		setting.name === "REELMILL_BASE_URL" ? { ...setting, value: baseUrl } : setting,
	);
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
