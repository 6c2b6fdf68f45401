import { afterAll, beforeAll } from "vitest";
import { type StartedConsole, startConsole } from "./start-console.ts";

export { consoleSecret } from "./start-console.ts";

/** A console that the test file's hooks open and close. */
export type ConsoleForTests = Omit<StartedConsole, "close">;

/**
 * Gives a test file one real server on a database of its own, and one Chromium. Call it once at the top of the file;
 * what it returns can be used in tests and hooks. Its pages are checked when they close: no request to another host, no
 * violation of the content security policy, no error of a script.
 */
export function openConsole(settings: Readonly<Record<string, string>> = {}): ConsoleForTests {
	let started: StartedConsole | undefined;
	beforeAll(async () => {
		started = await startConsole(settings);
	});
	afterAll(async () => {
		const unexpected = (await started?.close()) ?? [];
		if (unexpected.length > 0) throw new Error(`Pages did what they must not:\n${unexpected.join("\n")}`);
	});
	return new Proxy({} as ConsoleForTests, {
		get: (_, name) => {
			if (started === undefined) throw new Error("The console is there in tests and hooks, not while a file is read.");
			return started[name as keyof StartedConsole];
		},
	});
}
