import type { Told } from "../history/entries.ts";

/** Reports to the driver. A report may be lost if this process is killed, as any client's memory is. */
export const tell = (told: Told): void => void process.send?.(told);

/** Returns what the driver gave this process at its start. */
export function setup<T>(): T {
	return JSON.parse(process.argv[2] ?? "{}") as T;
}

/** The driver has ended, and this process ends with it. */
process.on("disconnect", () => process.exit(0));
