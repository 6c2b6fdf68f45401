import { expect, it } from "vitest";
import { runBoth } from "../../src/run/run-both.ts";

const untilAborted = (ended: string[], name: string) => (signal: AbortSignal) =>
	new Promise<never>((_, reject) =>
		signal.addEventListener("abort", () => {
			ended.push(name);
			reject(signal.reason);
		}),
	);

it("gives both results", async () => {
	expect(
		await runBoth(
			async () => 1,
			async () => "a",
		),
	).toEqual([1, "a"]);
});

it("aborts the other once one fails, waits for it, and rejects with what failed first", async () => {
	const ended: string[] = [];
	const failing = () => Promise.reject(new Error("broken"));
	await expect(runBoth(failing, untilAborted(ended, "side"))).rejects.toThrow("broken");
	await expect(runBoth(untilAborted(ended, "main"), failing)).rejects.toThrow("broken");
	expect(ended).toEqual(["side", "main"]);
});

it("aborts both, and rejects with the signal's reason", async () => {
	const ended: string[] = [];
	const stop = new AbortController();
	const running = runBoth(untilAborted(ended, "main"), untilAborted(ended, "side"), stop.signal);
	stop.abort(new Error("enough"));
	await expect(running).rejects.toThrow("enough");
	expect(ended.sort()).toEqual(["main", "side"]);
});
