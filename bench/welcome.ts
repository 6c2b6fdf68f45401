import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";

/** Where a reference server that was started listens: for everybody, and for operators. */
type Welcome = { readonly url: string; readonly operations: string };

/**
 * Reads what a reference server prints until it is ready.
 *
 * @throws {Error} when it ends before.
 */
export async function welcomeOf(server: ChildProcess): Promise<Welcome> {
	let said = "";
	server.stdout?.on("data", (text: Buffer) => {
		said += text;
	});
	while (!said.includes("Reelmill is ready.")) {
		if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
		await wait(100);
	}
	const found = (pattern: RegExp): string => pattern.exec(said)?.[1] ?? "";
	return { url: found(/(http:\S+)\/v1\/health/), operations: `http://127.0.0.1:${found(/Operations +port (\d+)/)}` };
}
