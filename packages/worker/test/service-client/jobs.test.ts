import { expect, it } from "vitest";
import { createServiceClient } from "../../src/service-client/service-client.ts";
import { jobId, lock } from "../support/internal-plane-server.ts";

it("says what programs said so that the server can store it, also if it was cut within a character", async () => {
	const said: string[] = [];
	const service = createServiceClient({
		apiUrl: "http://server.example",
		name: "w",
		secret: "s",
		fetch: async (input, init) => {
			const request = new Request(input, init);
			const isToken = request.url.endsWith("/token");
			if (!isToken) said.push(await request.text());
			const expires_at = new Date(Date.now() + 3_600_000).toISOString();
			return Response.json(isToken ? { token: "t", token_type: "Bearer", expires_at } : { id: jobId, state: "queued" });
		},
	});
	const job = { id: jobId, lock } as never;
	const { signal } = new AbortController();
	const cut = "a clapper 🎬".slice(0, -1);
	await service.fail(job, { reason: "storage_error", retryable: true, message: `${cut}\0` }, signal);
	await service.complete(job, { outputs: { files: [], renditions: [] }, report: { why: [cut] } } as never, signal);
	expect(said.map((body) => JSON.parse(body))).toMatchObject([
		{ lock, retryable: true, message: "a clapper \ufffd\ufffd" },
		{ lock, outputs: { files: [] }, report: { why: ["a clapper \ufffd"] } },
	]);
});

it("tells a server of an earlier version, which refuses to hear of encodes, how far the job is without them", async () => {
	const heard: object[] = [];
	const service = createServiceClient({
		apiUrl: "http://server.example",
		name: "w",
		secret: "s",
		fetch: async (input, init) => {
			const request = new Request(input, init);
			const expires_at = new Date(Date.now() + 3_600_000).toISOString();
			if (request.url.endsWith("/token")) return Response.json({ token: "t", token_type: "Bearer", expires_at });
			const body = (await request.json()) as object;
			heard.push(body);
			if (!("encodes" in body)) return Response.json({ lock_expires_at: expires_at });
			return Response.json({ error: "validation_error", message: "Unrecognized key: encodes" }, { status: 400 });
		},
	});
	const encodes = [{ renditions: ["h264_90"], started_seconds: 1, progress: 4 }];
	const { remaining } = await service.heartbeat(
		{ id: jobId, lock } as never,
		{ progress: 5, encodes },
		new AbortController().signal,
	);
	expect(remaining).toBeGreaterThan(0);
	expect(heard).toEqual([
		{ lock, progress: 5, encodes },
		{ lock, progress: 5 },
	]);
});

it("asks a server of an earlier version for jobs without what that doesn't know, and keeps what it knows", async () => {
	const heard: string[][] = [];
	const known = (keys: readonly string[]) => async (input: RequestInfo | URL, init?: RequestInit) => {
		const request = new Request(input, init);
		const expires_at = new Date(Date.now() + 3_600_000).toISOString();
		if (request.url.endsWith("/token")) return Response.json({ token: "t", token_type: "Bearer", expires_at });
		const told = Object.keys((await request.json()) as object);
		heard.push(told.filter((key) => key.startsWith("takes_")));
		if (told.every((key) => keys.includes(key))) return new Response(null, { status: 204 });
		return Response.json({ error: "validation_error", message: "Unrecognized key" }, { status: 400 });
	};
	const claim = { waitSeconds: 0, takesChunks: true, takesTranscripts: true, takesSandbox: false, machine: "m" };
	const plain = ["worker", "wait_seconds"];
	const before = [...plain, "machine", "takes_chunks", "takes_transcripts", "takes_sandbox"];
	for (const keys of [before, plain]) {
		const service = createServiceClient({
			apiUrl: "http://server.example",
			name: "w",
			secret: "s",
			fetch: known(keys),
		});
		expect(await service.claim("w", claim, new AbortController().signal)).toBeNull();
	}
	const all = ["takes_chunks", "takes_transcripts", "takes_sandbox"];
	const newest = [...all, "takes_clips", "takes_posters"];
	expect(heard).toEqual([newest, all, newest, all, []]);
});
