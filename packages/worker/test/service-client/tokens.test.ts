import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createWorker, type IssueToken } from "../../src/index.ts";
import { sleep } from "../../src/retry.ts";
import { createTokenFile } from "../../src/service-client/token-file.ts";
import { createTokens } from "../../src/service-client/tokens.ts";
import { recordingLogger } from "../support/fixtures.ts";
import { openInternalPlane } from "../support/internal-plane-server.ts";

it("shows its present token when it asks for another, so that this is a renewal", async () => {
	const workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
	const server = await openInternalPlane({
		source: Buffer.alloc(0),
		offers: 0,
		refuse: (route, nth) => (route.endsWith("/claim") && nth === 1 ? "unauthorized" : undefined),
	});
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	const worker = createWorker({
		apiUrl: server.url,
		name: "w",
		secret: "s",
		workDirectory,
		tools,
		logger: recordingLogger(),
		graceSeconds: 0,
	});
	try {
		worker.start();
		await expect.poll(() => server.of("/token").length).toBe(2);
		const [first, second] = server.of("/token");
		expect([first?.headers.authorization, second?.headers.authorization]).toEqual([undefined, "Bearer service-token"]);
		expect(second?.body).toEqual({ name: "w", secret: "s" });
	} finally {
		const stopped = worker.stop();
		await server.close();
		await stopped;
		await rm(workDirectory, { recursive: true });
	}
});

/** A server whose tokens live an hour, and its clock. */
function tokenServer() {
	let now = Date.parse("2026-01-01T00:00:00Z");
	const shown: (string | undefined)[] = [];
	let failure: Error | undefined;
	const issue = async (last?: string): ReturnType<IssueToken> => {
		shown.push(last);
		await sleep(5);
		if (failure !== undefined) throw failure;
		return { token: `token-${shown.length}`, expires_at: new Date(now + 3_600_000).toISOString() };
	};
	return {
		shown,
		issue,
		clock: {
			until: (moment: string) => Date.parse(moment) - now,
			moment: (milliseconds: number) => new Date(now + milliseconds).toISOString(),
		},
		pass: (minutes: number) => {
			now += minutes * 60_000;
		},
		fail: (error: Error) => {
			failure = error;
		},
	};
}
const account = { apiUrl: "http://127.0.0.1:8787", name: "w", secret: "s" };

it("renews a token from half of its life on, by the present one, and once for all who ask", async () => {
	const server = tokenServer();
	const tokens = createTokens(server);
	const all = await Promise.all(Array.from({ length: 10 }, () => tokens.current()));
	expect(new Set(all)).toEqual(new Set(["token-1"]));
	server.pass(29);
	expect(await tokens.current()).toBe("token-1");
	server.pass(1);
	expect(await tokens.current()).toBe("token-2");
	expect(server.shown).toEqual([undefined, "token-1"]);
});

it("goes on with a valid token that can't be renewed now, and rejects once that has ended", async () => {
	const server = tokenServer();
	const tokens = createTokens(server);
	await tokens.current();
	server.pass(40);
	server.fail(new Error("The server is away."));
	expect([await tokens.current(), await tokens.current()]).toEqual(["token-1", "token-1"]);
	expect(server.shown).toHaveLength(2);
	server.pass(20);
	await expect(tokens.current()).rejects.toThrow("The server is away.");
});

it("is one token for all workers of a machine, which only their user can read", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-tokens-"));
	try {
		const server = tokenServer();
		const open = (secret = "s") =>
			createTokens({ ...server, file: createTokenFile(directory, { ...account, secret }, sleep) });
		const machine = Array.from({ length: 8 }, () => open());
		expect(new Set(await Promise.all(machine.map((tokens) => tokens.current())))).toEqual(new Set(["token-1"]));
		server.pass(31);
		expect(new Set(await Promise.all(machine.map((tokens) => tokens.current())))).toEqual(new Set(["token-2"]));
		expect(server.shown).toEqual([undefined, "token-1"]);
		const [name = "", ...others] = await readdir(directory);
		expect([others, (await stat(join(directory, name))).mode & 0o777]).toEqual([[], 0o600]);
		// A worker that starts later takes the same token; one with another secret asks for its own.
		expect(await open().current()).toBe("token-2");
		expect(await open("another").current()).toBe("token-3");
		// A refused token isn't taken from the file again.
		const refused = open();
		await refused.current();
		refused.forget();
		expect(await refused.current()).toBe("token-4");
		// What others may have written is no token.
		await writeFile(join(directory, name), JSON.stringify({ token: "planted" }));
		await chmod(join(directory, name), 0o666);
		expect(await open().current()).toBe("token-5");
	} finally {
		await rm(directory, { recursive: true });
	}
});

it("waits no longer than 20 seconds for a worker that was killed while it asked", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-tokens-"));
	const elapsed = vi.spyOn(performance, "now");
	try {
		let passed = 0;
		elapsed.mockImplementation(() => passed);
		const wait = async (milliseconds: number) => {
			passed += milliseconds;
		};
		const killed = createTokenFile(directory, account, wait);
		await killed.reserve();
		const { release } = await createTokenFile(directory, account, wait).reserve();
		expect(passed).toBeGreaterThanOrEqual(20_000);
		await release();
		expect(await readdir(directory)).toEqual([]);
	} finally {
		elapsed.mockRestore();
		await rm(directory, { recursive: true });
	}
});

it("says until when the server lets it wait", async () => {
	const workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
	const until = new Date(Date.now() + 3_600_000).toISOString();
	const logger = recordingLogger();
	const fetch: typeof globalThis.fetch = async () =>
		Response.json({ error: "rate_limited", message: "Too many requests.", retryAfter: until }, { status: 429 });
	const waits: number[] = [];
	const worker = createWorker({
		...account,
		workDirectory,
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
		logger,
		fetch,
		sleep: (milliseconds, signal) => {
			waits.push(milliseconds);
			return sleep(milliseconds, signal);
		},
	});
	try {
		worker.start();
		await expect.poll(() => waits.some((wait) => wait > 3_500_000)).toBe(true);
		expect(logger.lines).toContainEqual(
			expect.objectContaining({
				fields: { until },
				message: expect.stringContaining(`this worker waits until ${until}`),
			}),
		);
	} finally {
		await worker.stop();
		await rm(workDirectory, { recursive: true });
	}
});
