import type { Logger } from "../ports/index.ts";

export type LogEntry = { readonly level: keyof Logger; readonly fields: object; readonly message: string };
export type RecordingLogger = Logger & { readonly entries: readonly LogEntry[] };

/** Keeps what was logged, so that a test can look. */
export function createRecordingLogger(): RecordingLogger {
	const entries: LogEntry[] = [];
	const record = (level: keyof Logger) => (fields: object, message: string) =>
		void entries.push({ level, fields, message });
	return { entries, debug: record("debug"), info: record("info"), warn: record("warn"), error: record("error") };
}
