import { describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { patchOf } from "../src/commands/config.ts";
import { inProcess, reelmill } from "./support/reelmill.ts";

describe("a command line that is written wrong", () => {
	it.each([
		[["videos", "shw", "x"], "Did you mean show?"],
		[["videos", "show"], "missing required argument 'id'"],
		[["videos", "show", "x", "--publik"], "unknown option '--publik'"],
		[["videos", "visibility", "x", "secret"], "Allowed choices are private, public"],
		[["videos", "list", "--limit", "many"], "whole number"],
		[["videos", "list", "--limit", "3", "--all"], "cannot be used with"],
		[["config", "set", "transcript"], "field=value"],
		[["domains", "update", "x"], "--slug"],
		[["domains", "delete", "x"], "--yes"],
		[["webhooks", "listen", "--forward", "nowhere"], "http://localhost:3000/hooks"],
		[["webhooks", "listen"], "--forward"],
		[["usage", "--url", "nowhere"], "not an address"],
		[["usage", "--url", "localhost:8787"], "with https:// or http://"],
		[["usage", "--url", "https://video.example.com/v1"], "without /v1"],
	])("%j ends with 2 and says what is wrong", async (args, said) => {
		const { code, stdout, stderr } = await inProcess(
			{ REELMILL_URL: "http://127.0.0.1:1", REELMILL_API_KEY: "ek_x" },
			...args,
		);
		expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
		expect(stderr).toContain(said);
	});

	it("names the setting that is missing, by option and by variable", async () => {
		expect(await inProcess({}, "usage")).toEqual({
			code: 2,
			stdout: "",
			stderr: expect.stringContaining("--url, or in the environment as REELMILL_URL"),
		});
		expect((await inProcess({ REELMILL_BASE_URL: "https://video.example" }, "usage")).stderr).toContain(
			"REELMILL_BASE_URL is the server's own setting",
		);
		expect((await inProcess({}, "usage", "--url", "http://127.0.0.1:1")).stderr).toContain("REELMILL_API_KEY");
		expect((await inProcess({ REELMILL_API_KEY: "ek_x" }, "stats", "--url", "http://127.0.0.1:1")).stderr).toContain(
			"REELMILL_ADMIN_KEY",
		);
	});

	it("ends the process with 2", async () => {
		expect(await reelmill({}, "videos", "show")).toEqual({
			code: 2,
			stdout: "",
			stderr: "reelmill: missing required argument 'id'\n",
		});
	});

	it("is told as JSON where JSON is asked for", async () => {
		const { code, stderr } = await inProcess({}, "videos", "shw", "--json");
		expect({ code, body: JSON.parse(stderr) }).toMatchObject({
			code: 2,
			body: { error: "usage", message: expect.stringContaining("shw") },
		});
	});
});

describe("help", () => {
	it.each([[[]], [["videos"]], [["videos", "list"]], [["webhooks", "listen"]], [["domains", "create"]]])(
		"is there at %j, with exit code 0",
		async (command) => {
			const { code, stdout } = await inProcess({}, ...command, "--help");
			expect(code).toBe(0);
			expect(stdout).toContain(["Usage: reelmill", ...command].join(" "));
			expect(stdout).toContain("--json");
		},
	);

	it("comes by itself, with exit code 2, where a command is missing", async () => {
		expect(await inProcess({}, "videos")).toEqual({
			code: 2,
			stdout: "",
			stderr: expect.stringContaining("Usage: reelmill videos"),
		});
	});

	it("names the version", async () => {
		expect(await inProcess({}, "--version")).toEqual({
			code: 0,
			stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
			stderr: "",
		});
	});
});

describe("settings", () => {
	it("of options win over those of the environment", async () => {
		await using server = await scriptedServer({ status: 200, body: { max_file_bytes: 1 } });
		const environment = { REELMILL_URL: "http://127.0.0.1:1", REELMILL_API_KEY: "ek_environment" };
		expect((await inProcess(environment, "limits", "--url", server.baseUrl, "--key", "ek_option")).code).toBe(0);
		expect((await inProcess({ ...environment, REELMILL_URL: server.baseUrl }, "limits")).code).toBe(0);
		expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
			"Bearer ek_option",
			"Bearer ek_environment",
		]);
	});
});

describe("failures", () => {
	it("end with 1, their code, extras and request id on stderr, as text and as JSON", async () => {
		await using server = await scriptedServer({
			status: 429,
			headers: { "x-request-id": "r-1" },
			body: {
				error: "upload_quota_exceeded",
				message: "The daily upload quota is used up.",
				retryAfter: "2026-11-02T00:00:00.000Z",
			},
		});
		const environment = { REELMILL_URL: server.baseUrl, REELMILL_API_KEY: "ek_x" };
		const asText = await inProcess(environment, "usage");
		expect(asText).toEqual({
			code: 1,
			stdout: "",
			stderr:
				"reelmill: The daily upload quota is used up. (upload_quota_exceeded)\n  retryAfter: 2026-11-02T00:00:00.000Z\n  request_id: r-1\n",
		});
		const asJson = await inProcess(environment, "usage", "--json");
		expect({ ...asJson, stderr: JSON.parse(asJson.stderr) }).toEqual({
			code: 1,
			stdout: "",
			stderr: {
				error: "upload_quota_exceeded",
				message: "The daily upload quota is used up.",
				retryAfter: "2026-11-02T00:00:00.000Z",
				request_id: "r-1",
			},
		});
	});

	it("tell an address that does not answer, and a file that is not there", async () => {
		const environment = { REELMILL_URL: "http://127.0.0.1:1", REELMILL_API_KEY: "ek_x" };
		expect(await inProcess(environment, "keys", "rotate")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("(unreachable)"),
		});
		expect(await inProcess(environment, "upload", "/no/such/file.mp4")).toMatchObject({
			code: 1,
			stderr: expect.stringContaining("(ENOENT)"),
		});
	});
});

describe("config set", () => {
	it("reads fields as what they look like, and text fields as they stand", () => {
		expect(
			patchOf([
				"transcript=true",
				"outputs.dash=true",
				"outputs.hls=false",
				"max_duration_seconds=60",
				"renditions=h264_720,av1_720",
				'cors_origins=["https://a.example"]',
				"webhook_url=https://a.example/?a=b",
				"default_outro_slug=123",
				"webhook_secret=null",
			]),
		).toEqual({
			transcript: true,
			outputs: { dash: true, hls: false },
			max_duration_seconds: 60,
			renditions: ["h264_720", "av1_720"],
			cors_origins: ["https://a.example"],
			webhook_url: "https://a.example/?a=b",
			default_outro_slug: "123",
			webhook_secret: null,
		});
	});
});
