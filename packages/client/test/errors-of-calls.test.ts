import { describe, expect, it } from "vitest";
import { ConnectionError, createClient, isReelmillError, ReelmillError } from "../src/index.ts";
import { type Answer, scriptedServer } from "./support/scripted-server.ts";

const create = { body: { content_type: "video/mp4", file_size: 1 } };

async function failure(...answers: Answer[]): Promise<unknown> {
	await using server = await scriptedServer(...answers);
	return await createClient({
		baseUrl: server.baseUrl,
		retry: { limit: 0 },
		timeoutSeconds: answers[0] === "hang" ? 0.2 : 20,
	})
		.call("createVideo", create)
		.catch((error: unknown) => error);
}

describe("an error answer", () => {
	it("becomes an error with code, extras, status and request id", async () => {
		const existing = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";
		const error = await failure({
			status: 409,
			headers: { "x-request-id": "r-1" },
			body: { error: "concurrent_upload_exists", message: "Busy.", existing_video_id: existing },
		});
		expect(isReelmillError(error, "concurrent_upload_exists") && error.extras.existing_video_id).toBe(existing);
		expect(error).toMatchObject({
			rawCode: "concurrent_upload_exists",
			status: 409,
			requestId: "r-1",
			message: "Busy.",
		});
	});

	it("keeps a status that is not the catalogue's", async () => {
		expect(await failure({ status: 415, body: { error: "bad_request" } })).toMatchObject({
			code: "bad_request",
			status: 415,
		});
	});

	it("becomes internal_error with its status for an unknown code and for a body that is not the service's", async () => {
		expect(
			await failure({ status: 418, headers: { "x-request-id": "r-2" }, body: { error: "teapot", spout: "short" } }),
		).toMatchObject({
			code: "internal_error",
			rawCode: "teapot",
			status: 418,
			requestId: "r-2",
			extras: { spout: "short" },
			message: expect.stringContaining("teapot"),
		});
		expect(await failure({ status: 403, body: { error: "toString" } })).toMatchObject({
			code: "internal_error",
			rawCode: "toString",
			status: 403,
		});
		expect(
			await failure({ status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" }),
		).toMatchObject({
			code: "internal_error",
			rawCode: undefined,
			status: 502,
		});
		expect(await failure({ status: 404, body: "[1]" })).toMatchObject({ code: "internal_error", status: 404 });
		expect(await failure({ status: 400, body: "null" })).toMatchObject({ code: "internal_error", status: 400 });
	});

	it("of something before the service says who answered, with what, and what to do", async () => {
		const advice = {
			401: "wants a sign-in",
			403: "refuses POST: allow it",
			404: "Does the base URL lead to Reelmill",
			405: "refuses POST: allow it",
			413: "client_max_body_size",
			429: "limits requests",
			431: "Does the base URL lead to Reelmill",
			501: "refuses POST: allow it",
			503: "doesn't reach the service",
			511: "wants a sign-in",
		};
		const headers = { server: "wall/1", "content-type": "text/html; charset=utf-8" };
		const statuses = Object.keys(advice).map(Number);
		await using server = await scriptedServer(...statuses.map((status) => ({ status, headers, body: "<h1>No</h1>" })));
		const client = createClient({ baseUrl: server.baseUrl, retry: { limit: 0 } });
		const who = `${new URL(server.baseUrl).host} (wall/1)`;
		for (const [status, what] of Object.entries(advice)) {
			const error = (await client.call("createVideo", create).catch((error: unknown) => error)) as ReelmillError;
			expect(error).toMatchObject({ code: "internal_error", rawCode: undefined, status: Number(status) });
			expect(error.message).toContain(`${who} answered POST with ${status} and text/html, without an error code`);
			expect(error.message).toContain(what);
		}
	});

	it("is also the sign-in page to which something before the service leads, and the message has its host", async () => {
		await using page = await scriptedServer({ status: 200, headers: { "content-type": "text/html" }, body: "<form>" });
		await using server = await scriptedServer({ status: 302, headers: { location: `${page.baseUrl}/sign-in` } });
		const client = createClient({ baseUrl: server.baseUrl, retry: { limit: 0 } });
		await expect(client.call("getHealth", {})).rejects.toThrow(
			`${new URL(page.baseUrl).host} answered GET with 200 and text/html`,
		);
	});

	it("is also a success that is not JSON, and the message says where to look", async () => {
		const error = await failure({ status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html>" });
		expect(error).toBeInstanceOf(ReelmillError);
		expect(error).toMatchObject({ code: "internal_error", message: expect.stringContaining("base URL") });
	});
});

describe("no answer", () => {
	it("is told apart from an answer: the connection broke", async () => {
		const error = await failure("reset");
		expect(error).toBeInstanceOf(ConnectionError);
		expect(error).toMatchObject({ reason: "unreachable", message: expect.stringContaining("POST") });
	});

	it("is told apart from an answer: it took too long", async () => {
		expect(await failure("hang")).toMatchObject({ name: "ConnectionError", reason: "timeout" });
	});
});
