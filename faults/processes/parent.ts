import type { Told } from "../history/entries.ts";

/**
 * Tells the driver. What was told may be lost where this process is killed meanwhile, as the memory of any client's is.
 */
export const tell = (told: Told): void => void process.send?.(told);

/** What the driver gave this process to begin with. */
export function setup<T>(): T {
	return JSON.parse(process.argv[2] ?? "{}") as T;
}

/** The driver is gone: so is its world. */
process.on("disconnect", () => process.exit(0));
