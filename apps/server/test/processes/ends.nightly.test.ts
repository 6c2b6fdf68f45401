import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ClientRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo } from "@reelmill/contracts";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Answer, answerOf, bearer, open, send } from "../../../../packages/http/test/support/send.ts";
import { metadata, offsetType } from "../../../../packages/http/test/support/tus.ts";
import { type RunningProcess, runServer } from "../support/running-server.ts";
import { bothAnswered, byProcess, childrenOf, runs } from "../support/several-processes.ts";

const source = randomBytes(3_000_000);
let directory: string;
let database: TestDatabase;
let server: RunningProcess;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-ends-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	server = await runServer(directory, database.url, { PROCESSES: "2", DRAIN_SECONDS: "3600" });
});
afterEach(async () => {
	server?.child.kill("SIGKILL");
	await server?.ended;
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

const readiness = async () => {
	const answer = await fetch(`${server.operations}/ready`);
	return { ...((await answer.json()) as object), status: answer.status };
};
const health = () => send(server.url, { path: "/v1/health" });

async function created() {
	const json = { content_type: "video/mp4", file_size: source.length };
	const answer = await send(server.url, { method: "POST", path: "/v1/videos", headers: server.auth, json });
	const { video, upload } = answer.json as CreatedVideo;
	const path = `/uploads/${video.id}`;
	const tus = { ...bearer(upload.token), "tus-resumable": "1.0.0" };
	const creation = { ...tus, "upload-length": String(source.length), "upload-metadata": metadata(video.id) };
	expect((await send(server.url, { method: "POST", path: "/uploads", headers: creation })).status).toBe(201);
	const patch = (offset: number, end: number) => {
		const length = { "content-length": String(end - offset) };
		const headers = { ...tus, ...offsetType, ...length, "upload-offset": String(offset) };
		return open(server.url, { method: "PATCH", path, headers });
	};
	const sendPiece = async (offset: number, end: number) => {
		const request = patch(offset, end);
		const answer = answerOf(request);
		request.end(source.subarray(offset, end));
		return answer;
	};
	const offset = async () =>
		Number((await send(server.url, { method: "HEAD", path, headers: tus })).headers["upload-offset"]);
	return { id: video.id, patch, sendPiece, offset };
}

it("starts a killed process again, and loses no acknowledged byte and no connection of the other one", async () => {
	const upload = await created();
	expect((await upload.sendPiece(0, 1_000_000)).status).toBe(204);
	let isOver = false;
	const seen: (number | "cut")[] = [];
	const visit = async () => {
		while (!isOver)
			seen.push(
				await send(server.url, { path: "/v1/domain", headers: server.auth }).then(
					({ status }) => status,
					() => "cut" as const,
				),
			);
	};
	const visitors = [visit(), visit(), visit()];
	await bothAnswered(server, "tenant", 200);
	const killed: number[] = [];
	for (const pid of await childrenOf(server.child.pid)) {
		process.kill(pid, "SIGKILL");
		killed.push(pid);
		await expect.poll(() => server.log().filter(({ msg }) => msg.includes("started again")).length).toBe(killed.length);
		await expect.poll(readiness).toMatchObject({ status: 200 });
	}
	isOver = true;
	await Promise.all(visitors);
	// A visitor has one connection at a time, so a death cuts one of each at most.
	expect(seen.filter((one) => one === "cut").length).toBeLessThanOrEqual(killed.length * visitors.length);
	expect(seen.filter((one) => one !== 200 && one !== 429 && one !== "cut")).toEqual([]);
	expect(seen.filter((one) => one === 200).length).toBeGreaterThan(0);

	expect(await upload.offset()).toBe(1_000_000);
	expect((await upload.sendPiece(1_000_000, source.length)).status).toBe(204);
	expect((await readFile(join(directory, "uploads", `${upload.id}.upload`, "bytes"))).equals(source)).toBe(true);
	const told = server.log().filter(({ msg }) => msg.includes("started again")) as unknown as object[];
	expect(told).toMatchObject(killed.map((endedPid) => ({ endedPid, signal: "SIGKILL", level: 50 })));
	const metrics = await (await fetch(`${server.operations}/metrics`)).text();
	expect(metrics).toContain("\nreelmill_processes 2\n");
	expect(metrics).toContain("\nreelmill_processes_ended_total 2\n");
});

it("is not ready while one of the processes doesn't answer", async () => {
	const [first = 0] = await childrenOf(server.child.pid);
	process.kill(first, "SIGSTOP");
	try {
		const away = { serving: false, database: true, storage: true };
		expect(await readiness()).toMatchObject({ status: 503, checks: away });
	} finally {
		process.kill(first, "SIGCONT");
	}
	await expect.poll(readiness).toMatchObject({ status: 200 });
});

it("ends with a sentence if all processes end at each start", async () => {
	await writeFile(join(directory, "master.key"), `${randomBytes(32).toString("base64")}\n`);
	for (const pid of await childrenOf(server.child.pid)) process.kill(pid, "SIGKILL");
	expect(await server.ended).toBe(1);
	expect(server.complaints()).toMatch(
		/\nEach process of the server ended soon after each of its last starts: REELMILL_MASTER_KEY .* has the fingerprint .*\n$/,
	);
	expect(await childrenOf(server.child.pid)).toEqual([]);
});

it("stops in order if Ctrl-C reaches each process, and lets transfers of both end", async () => {
	const uploads: { readonly request: ClientRequest; readonly answer: Promise<Answer> }[] = [];
	const started = async () =>
		(await byProcess(server, "reelmill_http_requests_in_flight", 'plane="upload"')).map((count) => count || 0);
	// Until an upload runs on each of both processes.
	while (uploads.length === 0 || (await started()).includes(0)) {
		const upload = await created();
		const request = upload.patch(0, source.length);
		const answer = answerOf(request);
		await new Promise((resolve) => request.write(source.subarray(0, 1_000_000), resolve));
		uploads.push({ request, answer });
		await expect.poll(async () => (await started()).reduce((sum, count) => sum + count)).toBe(uploads.length);
	}
	const children = await childrenOf(server.child.pid);
	for (const pid of [...children, server.child.pid as number]) process.kill(pid, "SIGINT");
	await expect.poll(readiness).toMatchObject({ status: 503, checks: { serving: false } });
	await expect.poll(() => health().catch(() => "refused")).toBe("refused");
	for (const { request, answer } of uploads) {
		request.end(source.subarray(1_000_000));
		expect((await answer).status).toBe(204);
	}
	expect(await server.ended).toBe(0);
	expect(children.filter(runs)).toEqual([]);
	expect(server.complaints()).toBe("");
});

it.each([
	["at a second signal", ["SIGTERM", "SIGTERM"] as const, 1],
	["if the primary is killed", ["SIGKILL"] as const, null],
])("leaves no process %s", async (_, [first, second], code) => {
	const upload = await created();
	const request = upload.patch(0, source.length);
	request.on("error", () => undefined);
	await new Promise((resolve) => request.write(source.subarray(0, 1_000_000), resolve));
	const children = await childrenOf(server.child.pid);
	expect(children).toHaveLength(2);
	server.child.kill(first);
	if (second !== undefined) {
		await expect.poll(readiness).toMatchObject({ status: 503 });
		await new Promise((resolve) => setTimeout(resolve, 1100));
		expect(server.child.exitCode).toBeNull();
		server.child.kill(second);
	}
	expect(await server.ended).toBe(code);
	await expect.poll(() => children.filter(runs)).toEqual([]);
	expect(await health().catch(() => "refused")).toBe("refused");
});
