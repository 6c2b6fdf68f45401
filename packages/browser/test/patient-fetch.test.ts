import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { patiently } from "../src/patient-fetch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Answers by turns, and counts the questions. */
function answering(...answers: (readonly [number, Record<string, string>?])[]) {
	const asked = vi.fn(async () => {
		const [status, headers = {}] = answers[Math.min(asked.mock.calls.length, answers.length) - 1] ?? [200];
		return new Response(null, { status, headers });
	});
	return asked;
}

it("waits as long as a busy service asks, and half a second, one and two without its word", async () => {
	const asked = answering([429, { "retry-after": "7" }], [503], [200]);
	const answer = patiently(asked)("https://video.example.com/og.jpg");
	await vi.advanceTimersByTimeAsync(6900);
	expect(asked).toHaveBeenCalledTimes(1);
	await vi.advanceTimersByTimeAsync(200);
	expect(asked).toHaveBeenCalledTimes(2);
	await vi.advanceTimersByTimeAsync(1000);
	expect((await answer).status).toBe(200);
});

it("gives the refusal of a service that asks for more than half a minute, and the fourth one", async () => {
	const long = answering([429, { "retry-after": "31" }]);
	expect((await patiently(long)("https://video.example.com/og.jpg")).status).toBe(429);
	expect(long).toHaveBeenCalledTimes(1);
	const failing = answering([500]);
	const answer = patiently(failing)("https://video.example.com/og.jpg");
	await vi.advanceTimersByTimeAsync(3500);
	expect((await answer).status).toBe(500);
	expect(failing).toHaveBeenCalledTimes(4);
});
