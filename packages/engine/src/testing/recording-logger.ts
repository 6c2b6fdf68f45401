import type { Logger } from "../ports/index.ts";

/** One entry of a log: level, words, fields. */
export type LogEntry = { readonly level: keyof Logger; readonly fields: object; readonly message: string };
/** A logger that keeps its entries for a test. */
export type RecordingLogger = Logger & { readonly entries: readonly LogEntry[] };

/**
 * Creates a logger that keeps what was logged, so that a test can look at it.
 *
 * @example
 * ```ts
 * import { createRecordingLogger } from "@reelmill/engine/testing";
 *
 * const logger = createRecordingLogger();
 * logger.warn({ videoId: "1" }, "a file is missing");
 * console.log(logger.entries[0]?.message); // => a file is missing
 * ```
 */
export function createRecordingLogger(): RecordingLogger {
	const entries: LogEntry[] = [];
	const record = (level: keyof Logger) => (fields: object, message: string) =>
		void entries.push({ level, fields, message });
	return { entries, debug: record("debug"), info: record("info"), warn: record("warn"), error: record("error") };
}
