import { describe, expect, it } from "vitest";
import { scriptedServer } from "../../../client/test/support/scripted-server.ts";
import { inProcess } from "../support/reelmill.ts";

const environment = (url: string) => ({ REELMILL_URL: url, REELMILL_API_KEY: "ek_a", REELMILL_ADMIN_KEY: "admin" });

describe("api", () => {
	it("sends what it is given, once, with the key of the path's plane", async () => {
		await using server = await scriptedServer({ status: 200, headers: { "x-request-id": "r" }, body: { data: [] } });
		const listed = await inProcess(environment(server.baseUrl), "api", "GET", "/v1/videos?state=failed", "--include");
		expect(listed).toMatchObject({ code: 0, stdout: '{\n  "data": []\n}\n' });
		expect(listed.stderr).toMatch(/^200 OK\n(?:.*\n)*x-request-id: r\n/);
		const args = ["api", "POST", "/admin/v1/domains", "--data", '{"slug":"a"}', "--header", "x-more: 1"];
		await inProcess(environment(server.baseUrl), ...args);
		expect(server.seen.map(({ method, url, headers, body }) => [method, url, headers.authorization, body])).toEqual([
			["GET", "/v1/videos?state=failed", "Bearer ek_a", ""],
			["POST", "/admin/v1/domains", "Bearer admin", '{"slug":"a"}'],
		]);
		expect(server.seen[1]?.headers).toMatchObject({ "content-type": "application/json", "x-more": "1" });
	});

	it("takes a method in small letters, and says which methods there are", async () => {
		await using server = await scriptedServer({ status: 200, body: {} });
		expect((await inProcess(environment(server.baseUrl), "api", "get", "/v1/videos")).code).toBe(0);
		expect(server.seen.map(({ method }) => method)).toEqual(["GET"]);
		const wrong = await inProcess(environment(server.baseUrl), "api", "FETCH", "/v1/videos");
		expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("GET, POST, PATCH, PUT, DELETE") });
	});

	it("prints a refusal and ends with 1, without a second request", async () => {
		await using server = await scriptedServer({ status: 503, body: { error: "internal_error" } });
		const refused = await inProcess(environment(server.baseUrl), "api", "GET", "/v1/domain");
		expect(refused).toEqual({
			code: 1,
			stdout: '{\n  "error": "internal_error"\n}\n',
			stderr: "reelmill: GET /v1/domain was answered 503. (status_503)\n",
		});
		expect(server.seen).toHaveLength(1);
	});

	it.each(["@evil.example/v1", "//evil.example/v1", "https://evil.example/v1", "v1/videos"])(
		"sends the key nowhere but to the service: %s",
		async (path) => {
			await using server = await scriptedServer({ status: 200, body: {} });
			const { code } = await inProcess(environment(server.baseUrl), "api", "GET", path);
			expect([code, server.seen.length]).toEqual(path.startsWith("//") ? [0, 1] : [2, 0]);
		},
	);

	it("says that nothing answers", async () => {
		expect(await inProcess(environment("http://127.0.0.1:1"), "api", "GET", "/v1/videos")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("(unreachable)"),
		});
	});
});
