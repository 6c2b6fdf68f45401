import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { adminKey, halfUploaded, serversToStop, source } from "./support/draining.ts";
import { publish, type RunningProcess } from "./support/running-server.ts";

const { run, place } = serversToStop();
const answerTo = async (sent: ClientRequest): Promise<IncomingMessage> =>
	(await once(sent, "response"))[0] as IncomingMessage;
const ready = async ({ operations }: RunningProcess) => {
	const answer = await fetch(`${operations}/ready`);
	return { status: answer.status, body: await answer.json() };
};

/**
 * The headers of a worker's requests. Issuing its token is a request of its plane, too, so this comes before any that
 * is counted there.
 */
async function workerHeaders({ url }: RunningProcess): Promise<Record<string, string>> {
	const json = { "content-type": "application/json" };
	const account = {
		method: "POST",
		headers: { authorization: `Bearer ${adminKey}`, ...json },
		body: '{"name":"worker"}',
	};
	const { secret } = (await (await fetch(`${url}/admin/v1/service-accounts`, account)).json()) as { secret: string };
	const issued = await fetch(`${url}/internal/v1/token`, {
		method: "POST",
		headers: json,
		body: JSON.stringify({ name: "worker", secret }),
	});
	const { token } = (await issued.json()) as { token: string };
	return { authorization: `Bearer ${token}`, ...json };
}

it("lets transfers end, answers waiting claims, is unready at once, takes no connection, and ends with 0", async () => {
	const server = await run({ DRAIN_SECONDS: "3600" });
	const film = randomBytes(48 * 1024 * 1024);
	const filmId = await publish(place().directory, place().databaseUrl, film);
	expect(await ready(server)).toEqual({
		status: 200,
		body: { status: "ok", checks: { serving: true, database: true, storage: true } },
	});
	const { patch } = await halfUploaded(server);
	const viewer = await answerTo(get(`${server.url}/videos/${filmId}/web.mp4`, { agent: false }));
	const headers = await workerHeaders(server);
	const claim = fetch(`${server.url}/internal/v1/jobs/claim`, {
		method: "POST",
		headers,
		body: '{"worker":"w","wait_seconds":30}',
	});
	await expect
		.poll(
			async () =>
				(await (await fetch(`${server.operations}/metrics`)).text()).match(/in_flight\{plane="internal"\} (\d)/)?.[1],
		)
		.toBe("1");

	server.child.kill("SIGTERM");
	await expect
		.poll(() => ready(server))
		.toMatchObject({ status: 503, body: { status: "unavailable", checks: { serving: false } } });
	expect((await claim).status).toBe(204);
	await expect.poll(() => fetch(`${server.url}/v1/health`).catch(() => "refused")).toBe("refused");

	const uploaded = answerTo(patch);
	patch.end(source.subarray(source.length / 2));
	expect(await uploaded).toMatchObject({ statusCode: 204, headers: { "upload-offset": String(source.length) } });
	const parts: Buffer[] = [];
	for await (const part of viewer) parts.push(part as Buffer);
	expect(Buffer.concat(parts).equals(film)).toBe(true);
	expect(await server.ended).toBe(0);
});

it("ends at once at the second signal", async () => {
	const server = await run({ DRAIN_SECONDS: "3600" });
	await halfUploaded(server);
	server.child.kill("SIGTERM");
	await expect.poll(() => ready(server)).toMatchObject({ status: 503 });
	await new Promise((resolve) => setTimeout(resolve, 1100));
	expect(server.child.exitCode).toBeNull();
	server.child.kill("SIGTERM");
	expect(await server.ended).toBe(1);
});
