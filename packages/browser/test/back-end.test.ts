import { ConnectionError, isReelmillError } from "@reelmill/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fromBackEnd } from "../src/back-end.ts";

type Answer = { status: number; body: object | string };
const file = new File(["the bytes of a video"], "clip.mkv");

/** A back end that gives these answers, one after another, and keeps what it was asked. */
function scripted(...answers: (Answer | "nothing")[]) {
	const asked: { body: Record<string, unknown>; headers: Headers; credentials: unknown }[] = [];
	const send = async (_url: unknown, { body, headers, credentials }: RequestInit = {}) => {
		asked.push({ body: JSON.parse(String(body)), headers: new Headers(headers), credentials });
		const answer = answers[Math.min(asked.length, answers.length) - 1];
		if (answer === undefined || answer === "nothing") throw new TypeError("Failed to fetch");
		const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
		return new Response(text, { status: answer.status, headers: { "x-request-id": "r1" } });
	};
	return { asked, fetch: send as typeof fetch };
}
const thrownBy = (call: Promise<unknown>) =>
	call.then(
		() => expect.unreachable(),
		(error: unknown) => error,
	);

afterEach(() => vi.useRealTimers());

describe("a page's back end", () => {
	it("is asked for an upload with what the file tells, and for videos and keys", async () => {
		const { asked, fetch } = scripted({ status: 201, body: { resumed: false } });
		const backEnd = fromBackEnd("/video", { fetch, headers: async () => ({ authorization: "Bearer session" }) });
		expect(await backEnd.initiate(file, { about: { lesson: 7 } })).toEqual({ resumed: false });
		await backEnd.video("v1");
		await backEnd.key("v1");
		expect(asked.map(({ body }) => body)).toEqual([
			{
				action: "upload",
				file_name: "clip.mkv",
				content_type: "video/x-matroska",
				file_size: 20,
				fingerprint: expect.stringMatching(/^20-/),
				call: expect.stringMatching(/^[\w-]{36}$/),
				replace: false,
				about: { lesson: 7 },
			},
			{ action: "video", video_id: "v1" },
			{ action: "playback_key", video_id: "v1" },
		]);
		expect(asked[0]).toMatchObject({ credentials: "same-origin" });
		expect(asked[0]?.headers.get("authorization")).toBe("Bearer session");
		expect(asked[0]?.headers.get("content-type")).toBe("application/json");
	});

	it("tells the service's errors as they are", async () => {
		const retryAfter = new Date(Date.now() + 3_600_000).toISOString();
		for (const [status, code, extras] of [
			[409, "concurrent_upload_exists", { existing_video_id: "v0" }],
			[429, "rate_limited", { retryAfter }],
			[429, "upload_quota_exceeded", { retryAfter }],
			[401, "unauthorized", {}],
		] as const) {
			const { asked, fetch } = scripted({ status, body: { error: code, message: "So it is.", ...extras } });
			const error = await thrownBy(fromBackEnd("/video", { fetch }).initiate(file));
			expect(isReelmillError(error, code) && error).toMatchObject({
				status,
				extras,
				message: "So it is.",
				requestId: "r1",
			});
			expect(asked).toHaveLength(1);
		}
	});

	it("tells when to try again by this device's clock, which may be hours off the service's", async () => {
		const answer = { error: "rate_limited", message: "", retryAfter: "2001-01-01T00:00:00.000Z" };
		const fetch = async () => Response.json(answer, { status: 429, headers: { "retry-after": "600" } });
		const error = await thrownBy(fromBackEnd("/video", { fetch }).key("v1"));
		if (!isReelmillError(error, "rate_limited")) throw error;
		const seconds = (Date.parse(error.extras.retryAfter) - Date.now()) / 1000;
		expect(Math.round(seconds / 10) * 10).toBe(600);
	});

	it("asks again after what passes soon, and gives up after three times", async () => {
		const soon = { error: "rate_limited", message: "", retryAfter: new Date().toISOString() };
		vi.useFakeTimers({ toFake: ["setTimeout"] });
		const passing = scripted("nothing", { status: 429, body: soon }, { status: 201, body: { playback_key: "k" } });
		const key = fromBackEnd("/video", { fetch: passing.fetch }).key("v1");
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await key).toEqual({ playback_key: "k" });
		const away = scripted("nothing");
		const error = thrownBy(fromBackEnd("/video", { fetch: away.fetch }).key("v1"));
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await error).toBeInstanceOf(ConnectionError);
		expect(away.asked).toHaveLength(3);
	});

	it("says which address gave no answer of the back end's route", async () => {
		vi.useFakeTimers({ toFake: ["setTimeout"] });
		for (const [status, body] of [
			[200, "<p>Sign in to this network"],
			[500, "oops"],
			[404, { message: "no such page" }],
		] as const) {
			const thrown = thrownBy(fromBackEnd("/video", { fetch: scripted({ status, body }).fetch }).key("v1"));
			await vi.advanceTimersByTimeAsync(10_000);
			const error = await thrown;
			expect(error).toMatchObject({ code: "internal_error", rawCode: undefined, status });
			expect((error as Error).message).toMatch(/^\/video answered POST with .* Is uploadRoutes mounted there\?$/);
		}
	});
});
