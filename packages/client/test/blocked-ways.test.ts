import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type TransferOptions, terminateTransfer, transfer } from "../src/transfer.ts";
import { type Intercept, tusServer } from "./support/tus-server.ts";

const id = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";
const other = "7f6d3a52-52c1-4f6f-9a0e-0d6a5a1f0b22";
const chunkSize = 1024 ** 2;
const bytes = randomBytes(chunkSize + 100_000);
const quick = { source: new Blob([bytes]), size: bytes.length, chunkSize, backoffSeconds: 0.01 };
const outcome = (options: TransferOptions) =>
	transfer(options).then(
		() => "done",
		(error: unknown) => error,
	);

/** A firewall that answers some requests with a page of its own. */
const firewall =
	(status: number, refuses: (method: string, bytes: number) => boolean): Intercept =>
	(request, response) => {
		const isRefused = refuses(request.method ?? "", Number(request.headers["content-length"] ?? 0));
		if (isRefused) {
			request.resume();
			response.writeHead(status, { server: "wall/1", "content-type": "text/html; charset=utf-8" }).end("<h1>No</h1>");
		}
		return isRefused;
	};

describe("something on the way to the service", () => {
	it.each([403, 405, 501])(
		"refuses PATCH and DELETE with %i: they go as POST, in every later upload of the page too",
		async (status) => {
			const few = bytes.subarray(0, 20_000);
			const quick = { source: new Blob([few]), size: few.length, chunkSize: 10_000, backoffSeconds: 0.01 };
			await using server = await tusServer({ intercept: firewall(status, (method) => /PATCH|DELETE/.test(method)) });
			await transfer({ ...quick, ticket: server.ticket(id) });
			expect(server.requests).toEqual([
				"POST /uploads",
				`PATCH /uploads/${id} @0`,
				`HEAD /uploads/${id}`,
				`POST /uploads/${id} @0`,
				`POST /uploads/${id} @10000`,
			]);
			server.requests.length = 0;
			const stop = new AbortController();
			await outcome({
				...quick,
				ticket: server.ticket(other),
				signal: stop.signal,
				onAcknowledged: () => stop.abort(),
			});
			expect(server.requests).toEqual(["POST /uploads", `POST /uploads/${other} @0`]);
			await terminateTransfer(`${server.endpoint}/${other}`, "upload-token");
			expect(server.requests.slice(2)).toEqual([`DELETE /uploads/${other}`, `POST /uploads/${other}`]);
			await expect(server.bytes(other)).rejects.toMatchObject({ code: "ENOENT" });
			expect((await server.bytes(id)).equals(few)).toBe(true);
		},
	);

	it("refuses POST for PATCH later: PATCH itself is tried again", async () => {
		let refused = "PATCH";
		await using server = await tusServer({
			intercept: (request, response) =>
				firewall(405, (method) => method === refused && request.url !== "/uploads")(request, response),
		});
		await transfer({ ...quick, ticket: server.ticket(id) });
		refused = "POST";
		await transfer({ ...quick, ticket: server.ticket(other) });
		expect((await server.bytes(other)).equals(bytes)).toBe(true);
	});

	it("refuses large bodies with 413: they are halved at once, and are shorter from the start in later uploads", async () => {
		const bodies: number[] = [];
		const most = 300_000;
		await using server = await tusServer({
			intercept(request, response) {
				if (request.method === "PATCH") bodies.push(Number(request.headers["content-length"]));
				return firewall(413, (_, length) => length > most)(request, response);
			},
		});
		const retries: unknown[] = [];
		const onRetry = (retry: unknown) => retries.push(retry);
		await transfer({ ...quick, retries: 0, ticket: server.ticket(id), onRetry });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
		const passed = [...Array.from({ length: 4 }, () => chunkSize / 4), 100_000];
		expect(bodies).toEqual([chunkSize, chunkSize / 2, ...passed]);
		expect(retries).toEqual([]);
		bodies.length = 0;
		await transfer({ ...quick, ticket: server.ticket(other) });
		expect(bodies).toEqual(passed);
	});

	it("refuses 256 KiB too: the error says who, with what, and what to do", async () => {
		await using server = await tusServer({ intercept: firewall(413, (_, length) => length > 100_000) });
		expect(await outcome({ ...quick, ticket: server.ticket(id) })).toMatchObject({
			code: "internal_error",
			rawCode: undefined,
			status: 413,
			message: `${new URL(server.endpoint).host} (wall/1) answered PATCH with 413 and text/html, without an error code: not as Reelmill does. A proxy refuses bodies of 262144 bytes: raise its limit (nginx: client_max_body_size).`,
		});
	});

	it.each([
		["PATCH", (method: string) => method === "PATCH"],
		["large bodies", (_: string, length: number) => length > 300_000],
	])("refuses %s by closing the connection: another way is found all the same", async (_, refuses) => {
		await using server = await tusServer({
			intercept(request) {
				const isRefused = refuses(request.method ?? "", Number(request.headers["content-length"] ?? 0));
				if (isRefused) request.socket.destroy();
				return isRefused;
			},
		});
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
	});

	it("answers in its place: the error says what that means, after tries that could have helped", async () => {
		const advice = {
			200: "wants a sign-in",
			401: "wants a sign-in",
			403: "refuses HEAD: allow it",
			429: "limits requests",
			431: "base URL",
			502: "doesn't reach the service",
			511: "wants a sign-in",
		};
		let status = 0;
		await using server = await tusServer({
			intercept(_, response) {
				response.writeHead(status, { "content-type": "text/html" }).end("<h1>No</h1>");
				return true;
			},
		});
		const uploadUrl = `${server.endpoint}/${id}`;
		for (const [answered, what] of Object.entries(advice)) {
			status = Number(answered);
			server.requests.length = 0;
			const error = (await outcome({ ...quick, ticket: server.ticket(id), uploadUrl, retries: 1 })) as Error;
			expect(error).toMatchObject({ code: "internal_error", rawCode: undefined, status });
			expect(error.message).toContain(what);
			expect(server.requests).toHaveLength(2);
		}
	});
});
