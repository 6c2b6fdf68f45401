import { describe, expect, it } from "vitest";
import { type Answer, scriptedServer } from "../../client/test/support/scripted-server.ts";
import { createReelmill, type Video } from "../src/index.ts";
import { video, videoId } from "./support/video.ts";

const looks = (...states: [Video["state"], number][]): Answer[] =>
	states.map(([state, progress]) => ({ status: 200, body: video({ state, progress }) }));
const sdk = (baseUrl: string) => createReelmill({ baseUrl, apiKey: "ek_key", retry: { limit: 0 } });
const intervalSeconds = 0.01;

describe("waiting for a video", () => {
	it("looks until the state is terminal, telling each change once", async () => {
		await using server = await scriptedServer(
			...looks(["queued", 0], ["encoding", 10], ["encoding", 10], ["encoding", 60], ["available", 100]),
		);
		const told: string[] = [];
		const done = await sdk(server.baseUrl).videos.wait(videoId, {
			intervalSeconds,
			onProgress: ({ state, progress }) => told.push(`${state} ${progress}`),
		});
		expect(done.state).toBe("available");
		expect(told).toEqual(["queued 0", "encoding 10", "encoding 60", "available 100"]);
		expect(server.seen).toHaveLength(5);
	});

	it("ends with every terminal state", async () => {
		for (const state of ["available", "failed", "timeout", "expired", "cancelled"] as const) {
			await using server = await scriptedServer(...looks([state, 0]));
			expect((await sdk(server.baseUrl).videos.wait(videoId)).state).toBe(state);
		}
	});

	it("outlives outages, and ends on an answer that is final", async () => {
		await using passing = await scriptedServer(
			"reset",
			{ status: 503, body: { error: "storage_unavailable" } },
			{ status: 502, body: "" },
			...looks(["available", 100]),
		);
		expect((await sdk(passing.baseUrl).videos.wait(videoId, { intervalSeconds })).state).toBe("available");
		await using final = await scriptedServer({ status: 404, body: { error: "video_not_found" } });
		await expect(sdk(final.baseUrl).videos.wait(videoId, { intervalSeconds })).rejects.toMatchObject({
			code: "video_not_found",
		});
		expect(final.seen).toHaveLength(1);
	});

	it("looks after an outro until it is available or failed", async () => {
		for (const state of ["available", "failed"] as const) {
			const outros = (["uploading", "encoding", state] as const).map((one) => ({
				status: 200,
				body: { slug: "tail", state: one },
			}));
			await using server = await scriptedServer(...outros);
			const told: string[] = [];
			const done = await sdk(server.baseUrl).outros.wait("tail", {
				intervalSeconds,
				onProgress: (outro) => told.push(outro.state),
			});
			expect(done.state).toBe(state);
			expect(told).toEqual(["uploading", "encoding", state]);
			expect(server.seen[0]?.url).toBe("/v1/outros/tail");
		}
	});

	it("begins with short pauses", async () => {
		await using server = await scriptedServer(...looks(["encoding", 1], ["available", 100]));
		const started = performance.now();
		await sdk(server.baseUrl).videos.wait(videoId);
		expect(performance.now() - started).toBeLessThan(9000);
	});

	it("ends when aborted, with the signal's reason", async () => {
		await using server = await scriptedServer(...looks(["encoding", 1]));
		const controller = new AbortController();
		const reason = new Error("enough");
		const waiting = sdk(server.baseUrl).videos.wait(videoId, {
			signal: controller.signal,
			onProgress: () => controller.abort(reason),
		});
		await expect(waiting).rejects.toBe(reason);
	});
});
