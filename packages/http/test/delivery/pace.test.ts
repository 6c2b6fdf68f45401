import { Agent, type IncomingMessage, request as startRequest } from "node:http";
import { playlistOf } from "@reelmill/engine/testing";
import type { EndedRequest, HttpOptions, SendFile } from "@reelmill/http";
import { afterEach, describe, expect, it } from "vitest";
import { claimed, completion, once, openService, type Service } from "../support/open-service.ts";
import { sendingLittle } from "../support/send-file.ts";

const rate = 100_000;
const media = Buffer.from(Array.from({ length: 1_300_000 }, (_, index) => index % 251));
const files = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"media/h264_720.mp4": media,
	"og.jpg": Buffer.from("jpg"),
	"web.mp4": Buffer.from("0123456789"),
};

let service: Service;
const agents: Agent[] = [];
afterEach(async () => {
	for (const agent of agents.splice(0)) agent.destroy();
	await service.close();
});

async function open(options: Partial<HttpOptions>, memory: number): Promise<{ path: string; ends: EndedRequest[] }> {
	const ends: EndedRequest[] = [];
	service = await openService(
		{
			deliveryBytesPerSecond: rate,
			trustedProxies: ["127.0.0.1"],
			observe: () => (ended) => void ends.push(ended),
			...options,
		},
		() => ({ servingCacheBytes: memory }),
	);
	const { auth } = await service.tenant();
	const { id, lock } = await claimed(service, auth, { visibility: "public" });
	const entries = async function* () {
		for (const [name, bytes] of Object.entries(files)) yield { path: name, bytes: once(bytes) };
	};
	await service.engine.jobs.replaceOutputs(id, lock, entries());
	await service.engine.jobs.complete(id, completion(lock, Object.keys(files)));
	ends.length = 0;
	return { path: `/videos/${id}/media/h264_720.mp4`, ends };
}

/** An answer whose bytes are read as they come, through a proxy that names the client. */
async function answered(client: string, path: string, method = "GET") {
	const agent = new Agent({ keepAlive: false });
	agents.push(agent);
	const { hostname, port } = new URL(service.url);
	const response = await new Promise<IncomingMessage>((resolve, reject) => {
		startRequest({ hostname, port, path, method, agent, headers: { "x-forwarded-for": client } }, resolve)
			.on("error", reject)
			.end();
	});
	const parts: Buffer[] = [];
	response.on("data", (part: Buffer) => parts.push(part)).on("error", () => undefined);
	return {
		response,
		received: () => parts.reduce((sum, part) => sum + part.length, 0),
		bytes: () => Buffer.concat(parts),
	};
}
const sleeps = (count: number) => expect.poll(() => service.clock.sleepers()).toBe(count);

const ways: readonly [string, number, SendFile | undefined][] = [
	["in memory", 2 ** 24, undefined],
	["sent from their file, or read where that fails", 0, sendingLittle(60_000)],
];
describe.each(ways)("bytes %s", (_name, memory, sendFile) => {
	it("come at the client's rate over all its connections, nobody else waits, and what a client left behind is given back", async () => {
		const { path, ends } = await open(sendFile === undefined ? {} : { sendFile }, memory);
		const first = await answered("2001:db8::1", path);
		await sleeps(1);
		await expect.poll(first.received).toBe(1_000_000);
		expect((await answered("2001:db8::2", path, "HEAD")).response.headers["content-length"]).toBe("1300000");

		const second = await answered("192.0.2.1", path.replace("media/h264_720.mp4", "web.mp4"));
		await expect.poll(second.received).toBe(10);
		expect(service.clock.sleepers()).toBe(1);

		const neighbour = answered("2001:db8::2", path.replace("media/h264_720.mp4", "web.mp4"));
		await sleeps(2);
		let seconds = 0;
		for (; !first.response.complete && seconds < 20; seconds++) {
			await service.clock.advance(1000);
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		expect(first.bytes().equals(media)).toBe(true);
		await expect.poll((await neighbour).received).toBe(10);
		// A sleeper wakes at whole seconds here, so that a piece may have waited a little longer than its time.
		expect(seconds).toBeGreaterThanOrEqual(3);
		await expect.poll(() => ends.filter(({ slowed }) => slowed).length).toBe(2);
		expect(ends.length).toBe(4);

		// What a client that leaves was granted is given back.
		const gone = await answered("192.0.2.3", path);
		await sleeps(1);
		gone.response.destroy();
		await sleeps(0);
		await service.clock.advance(1000);
		const next = await answered("192.0.2.3", path.replace("media/h264_720.mp4", "web.mp4"));
		await expect.poll(next.received).toBe(10);
		expect(service.clock.sleepers()).toBe(0);
	});
});
