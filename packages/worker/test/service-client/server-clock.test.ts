import { afterEach, expect, it, vi } from "vitest";
import { createServiceClient } from "../../src/service-client/service-client.ts";
import { jobId, lock } from "../support/internal-plane-server.ts";

const hour = 3_600_000;
const realNow = Date.now;
afterEach(() => vi.restoreAllMocks());
const setMachine = (ahead: number) => vi.spyOn(Date, "now").mockImplementation(() => realNow() + ahead);

/**
 * Creates a client of a server whose time is right. After the head of each answer has come, the machine's clock is set
 * by `step`.
 */
function clientBehind(step: number) {
	const answer = (body: object): Response => {
		const bytes = new ReadableStream<Uint8Array>(
			{
				pull(controller) {
					setMachine(step);
					controller.enqueue(Buffer.from(JSON.stringify(body)));
					controller.close();
				},
			},
			{ highWaterMark: 0 },
		);
		return new Response(bytes, {
			headers: { "content-type": "application/json", date: new Date(realNow()).toUTCString() },
		});
	};
	const inSeconds = (seconds: number) => new Date(realNow() + seconds * 1000).toISOString();
	let tokens = 0;
	const service = createServiceClient({
		apiUrl: "http://server.example",
		name: "w",
		secret: "s",
		fetch: async (input) => {
			if (!new Request(input).url.endsWith("/token")) return answer({ lock_expires_at: inSeconds(90), progress: 0 });
			tokens++;
			return answer({ token: "t", token_type: "Bearer", expires_at: inSeconds(3600) });
		},
	});
	return {
		tokens: () => tokens,
		beat: () => service.heartbeat({ id: jobId, lock } as never, { progress: 0 }, new AbortController().signal),
	};
}

it.each([hour, -hour, 100_000, -15_000])(
	"knows how long its lock and its token last if the clock is set by %i ms during an answer",
	async (step) => {
		const { beat, tokens } = clientBehind(step);
		for (let times = 0; times < 3; times++) {
			const { remaining } = await beat();
			expect(Math.abs(remaining - 90_000)).toBeLessThan(3000);
			setMachine(0);
		}
		expect(tokens()).toBe(1);
	},
);
