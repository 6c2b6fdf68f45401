import { createReelmill } from "@reelmill/node";
import { expect, it } from "vitest";
import { type Answer, scriptedServer } from "../../client/test/support/scripted-server.ts";
import { heardEvents } from "../src/heard-events.ts";

const event = (id: string) => ({ id, type: "video.ready", video_id: id, created_at: "", body: "{}", headers: [] });
const heard = (is_new: boolean, ...ids: string[]): Answer => ({
	status: 200,
	body: { secret: "whsec_a", is_new, expires_at: "", data: ids.map(event) },
});
const outage: Answer = { status: 500, body: { error: "internal_error", message: "Away." } };

it("confirms what was handled, goes on after an outage, and tells of a gap", async () => {
	await using server = await scriptedServer(
		heard(true),
		heard(false, "a", "b"),
		outage,
		heard(false),
		heard(true, "c"),
		heard(false),
	);
	const stop = new AbortController();
	const notes: string[] = [];
	const { webhookListeners } = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_a", retry: { limit: 0 } });
	const events = heardEvents(webhookListeners, {
		intervalSeconds: 0.01,
		signal: stop.signal,
		onReady: (secret) => notes.push(secret),
		onGap: () => notes.push("gap"),
		onOutage: ({ message }) => notes.push(message),
	});
	const yielded: string[] = [];
	const listening = (async () => {
		for await (const { id } of events) yielded.push(id);
	})();
	await expect.poll(() => server.seen.length).toBeGreaterThan(6);
	stop.abort(new Error("enough"));
	await expect(listening).rejects.toThrow("enough");
	expect(yielded).toEqual(["a", "b", "c"]);
	expect(notes).toEqual(["whsec_a", "Away.", "gap"]);
	const asked = server.seen.slice(0, 6);
	expect(new Set(asked.map(({ url }) => url)).size).toBe(1);
	expect(asked.map(({ body }) => JSON.parse(body).received)).toEqual([[], [], ["a", "b"], ["a", "b"], [], ["c"]]);
	expect(JSON.parse(server.seen.at(-1)?.body ?? "")).toEqual({ received: [], ends: true });
});

it("ends with a refusal of its first request, and of a later one that is final", async () => {
	const refused: Answer = { status: 401, body: { error: "unauthorized", message: "No." } };
	for (const answers of [[outage], [heard(true), refused]]) {
		await using server = await scriptedServer(...answers);
		const { webhookListeners } = createReelmill({ baseUrl: server.baseUrl, apiKey: "ek_a", retry: { limit: 0 } });
		const events = heardEvents(webhookListeners, {
			intervalSeconds: 0.01,
			signal: new AbortController().signal,
			onReady() {},
			onGap() {},
			onOutage() {},
		});
		await expect(events.next()).rejects.toMatchObject({ name: "ReelmillError" });
	}
});
