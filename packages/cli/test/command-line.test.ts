import { describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { patchOf } from "../src/commands/config.ts";
import { runCli } from "../src/index.ts";
import { documents, inProcess } from "./support/reelmill.ts";

describe("a command line that is written wrong", () => {
	it.each([
		[["videos", "shw", "x"], "Did you mean show?"],
		[["videos", "get", "x"], "of videos. Did you mean show? It has: list, counts, show,"],
		[["storage", "show"], "Did you mean get?"],
		[["domains", "--url", "http://a", "rm", "x"], "Did you mean delete?"],
		[["config", "edit"], "Did you mean set?"],
		[["webhooks", "tail"], "Did you mean listen?"],
		[["keys", "renew"], "Did you mean rotate?"],
		[["video", "list"], "Did you mean videos?"],
		[["rotate"], "Did you mean keys rotate or service-accounts rotate?"],
		[["videos", "xyzzy"], "of videos. It has: list,"],
		[["xyzzy"], "reelmill --help lists the commands."],
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

	it("tell by which key of which service a refused command asked", async () => {
		await using server = await scriptedServer({ status: 401, body: { error: "unauthorized", message: "No." } });
		const environment = { REELMILL_URL: server.baseUrl, REELMILL_API_KEY: "ek_x" };
		expect((await inProcess(environment, "usage")).stderr).toBe(
			`reelmill: No. (unauthorized)\n  url: ${server.baseUrl}\n  key_from: REELMILL_API_KEY\n`,
		);
		const asJson = await inProcess(environment, "usage", "--key", "ek_y", "--json");
		expect(JSON.parse(asJson.stderr)).toMatchObject({ url: server.baseUrl, key_from: "--key" });
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

/** What steers a terminal, or shows a text otherwise than it is: C0, C1, directions, separators. */
const hostile = "\u001b]0;owned\u0007\u009b2J\r\u202egpj.exe\u2069\u200f\u2028\u200b\nvid-2  available";
const video = {
	id: "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11",
	state: "failed",
	visibility: "private",
	file_size: 1,
	external_ref: hostile,
	uploader_ref: hostile,
	failure_reason: hostile,
	outputs: null,
	created_at: hostile,
};
const steering = /[^\n\t\P{C}]|[\p{Zl}\p{Zp}]/u;
const lines = (text: string): number => text.split("\n").length - 1;

it("no text of a tenant or a visitor steers the terminal, nor begins a line, in tables, fields, notes and failures", async () => {
	const failure = { message: hostile, worker: hostile, domain_slug: hostile, reason: hostile, video_id: hostile };
	const entry = { at: "", actor: { label: hostile }, address: hostile, action: "x", resource: { label: hostile } };
	const found = { kind: "x", place: hostile, reference: hostile, message: hostile, mended: true };
	const step = {
		differences: [found],
		looked_at: { rows: 1, objects: 1 },
		passed_over: { young: 0, look_again_at: null },
		percent: 100,
		cursor: null,
	};
	const cases: [lines: number, body: object, ...args: string[]][] = [
		[2, { data: [video], next_cursor: null }, "videos", "list"],
		[9, video, "videos", "show", video.id],
		[2, { data: [failure], next_cursor: null }, "failures"],
		[2, { data: [entry], next_cursor: null }, "audit"],
		[1, step, "check"],
	];
	for (const [count, body, ...args] of cases) {
		await using server = await scriptedServer({ status: 200, body });
		const environment = { REELMILL_URL: server.baseUrl, REELMILL_API_KEY: "ek_x", REELMILL_ADMIN_KEY: "x" };
		const { stdout, stderr } = await inProcess(environment, ...args);
		expect([args, stdout, lines(stdout)]).toEqual([args, expect.stringContaining("\\u202egpj.exe"), count]);
		expect([args, stdout + stderr]).toEqual([args, expect.not.stringMatching(steering)]);

		if (!args.includes("videos")) continue;
		if (!args.includes("videos")) continue;
		const asJson = await inProcess(environment, ...args, "--json");
		expect([args, asJson.stdout + asJson.stderr]).toEqual([args, expect.not.stringMatching(steering)]);
		expect(JSON.stringify(args.includes("show") ? JSON.parse(asJson.stdout) : documents(asJson.stdout))).toContain(
			JSON.stringify(hostile),
		);
	}
	await using server = await scriptedServer({
		status: 409,
		headers: { "x-more": "\u009b2J" },
		body: { error: "invalid_state", message: hostile, state: hostile },
	});
	const environment = { REELMILL_URL: server.baseUrl, REELMILL_API_KEY: "ek_x" };
	for (const args of [["usage"], ["usage", "--json"], ["api", "GET", "/v1/usage", "--include"], ["usage", hostile]]) {
		const { code, stdout, stderr } = await inProcess(environment, ...args);
		expect([args, code === 0, stdout + stderr]).toEqual([args, false, expect.not.stringMatching(steering)]);
	}
});

it("a terminal still has its progress drawn, by its own means", async () => {
	await using server = await scriptedServer({
		status: 200,
		body: { differences: [], looked_at: { rows: 1, objects: 1 }, percent: 50, cursor: null },
	});
	const done: unknown[] = [];
	const terminal = {
		isTTY: true,
		columns: 40,
		write: (text: string) => done.push(text),
		cursorTo: (column: number) => done.push(["cursorTo", column]),
		clearLine: (direction: 0) => done.push(["clearLine", direction]),
	};
	const environment = { REELMILL_URL: server.baseUrl, REELMILL_ADMIN_KEY: "x" };
	await runCli(["check"], { environment, stdout: terminal, stderr: terminal, signal: AbortSignal.timeout(10_000) });
	const erased = [
		["cursorTo", 0],
		["clearLine", 0],
	];
	expect(done).toEqual([
		...erased,
		expect.stringMatching(/^Checking {2}█/),
		...erased,
		expect.stringContaining("rows"),
	]);
});
