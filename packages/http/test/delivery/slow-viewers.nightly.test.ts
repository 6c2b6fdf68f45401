import { randomBytes } from "node:crypto";
import { once as event } from "node:events";
import { readdir, readlink } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { playlistOf } from "@reelmill/engine/testing";
import { createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimed, completion, listen, once, openService, type Service } from "../support/open-service.ts";
import { send } from "../support/send.ts";
import { sendingLittle } from "../support/send-file.ts";

const MiB = 1024 * 1024;
/** More than the kernel's buffers of a connection hold, and of a size that is kept in memory. */
const segmentBytes = 4 * MiB;
const segments = 16;
const media = randomBytes(segments * segmentBytes);
const files = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"media/h264_720.mp4": media,
	"og.jpg": Buffer.from("jpg"),
	"web.mp4": media.subarray(0, 100),
};

describe.each([
	["bytes that are read and written", undefined],
	["bytes that are sent from their file", sendingLittle()],
])("with %s", (_name, sendFile) => {
	let service: Service;
	let id: string;
	const sockets: Socket[] = [];
	beforeAll(async () => {
		service = await openService(sendFile !== undefined ? { sendFile } : {});
		({ id } = await publish());
	});
	afterAll(async () => {
		for (const socket of sockets) socket.destroy();
		await service.close();
	});

	/** A public video of a tenant's own, which plays. */
	async function publish(): Promise<{ id: string; auth: Record<string, string> }> {
		const { auth } = await service.tenant();
		const { id, lock } = await claimed(service, auth, { visibility: "public" });
		const entries = async function* () {
			for (const [path, bytes] of Object.entries(files)) yield { path, bytes: once(bytes) };
		};
		await service.engine.jobs.replaceOutputs(id, lock, entries());
		await service.engine.jobs.complete(id, completion(lock, Object.keys(files)));
		return { id, auth };
	}

	/** A viewer who asks, and reads nothing of the answer. */
	async function ask(range?: string, url = service.url): Promise<Socket> {
		const { hostname, port } = new URL(url);
		const socket = connect({ host: hostname, port: Number(port) });
		sockets.push(socket);
		socket.pause();
		await event(socket, "connect");
		socket.write(
			`GET /videos/${id}/media/h264_720.mp4 HTTP/1.1\r\nHost: x\r\n${range ? `Range: ${range}\r\n` : ""}\r\n`,
		);
		return socket;
	}
	/** Another listener of the service, which disconnects viewers after so long. */
	async function listening(idleTimeoutSeconds: number) {
		const server = createServer(createNodeListener(service.engine, { ...service.options, idleTimeoutSeconds }));
		return {
			url: await listen(server),
			close() {
				server.closeAllConnections();
				server.close();
			},
		};
	}
	/** What comes until the server ends the connection. */
	async function rest(socket: Socket): Promise<number> {
		let bytes = 0;
		socket.on("data", (chunk: Buffer) => {
			bytes += chunk.length;
		});
		socket.on("error", () => undefined);
		socket.resume();
		if (!socket.closed) await event(socket, "close");
		return bytes;
	}
	const closedRequests = () => service.logger.entries.filter(({ message }) => message === "request");
	/** How often a video's files are open. */
	async function openFiles(id: string): Promise<number> {
		const descriptors = await readdir("/proc/self/fd");
		const paths = await Promise.all(
			descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => "")),
		);
		return paths.filter((path) => path.includes(id)).length;
	}

	describe("viewers who read nothing", () => {
		it("are disconnected after the idle time, from memory or from the disk, and hold at most one buffer each", async () => {
			const segment = `bytes=0-${segmentBytes - 1}`;
			for (const _ of [1, 2])
				expect(
					(await service.send({ path: `/videos/${id}/media/h264_720.mp4`, headers: { range: segment } })).status,
				).toBe(206);
			const before = process.memoryUsage().arrayBuffers;
			const closed = closedRequests().length;
			const { url, close } = await listening(1);
			const viewers = await Promise.all([
				...Array.from({ length: 20 }, () => ask(segment, url)),
				...Array.from({ length: 20 }, () => ask(undefined, url)),
			]);
			let most = 0;
			const ended = () => {
				most = Math.max(most, process.memoryUsage().arrayBuffers - before);
				return closedRequests().length - closed;
			};
			await expect.poll(ended).toBe(viewers.length);
			expect(most).toBeLessThan(20 * MiB);
			for (const viewer of viewers.slice(20)) expect(await rest(viewer)).toBeLessThan(media.length);
			expect(service.logger.entries.filter(({ level }) => level === "error")).toEqual([]);
			close();
		});

		it("don't keep others waiting, however many they are", async () => {
			const { url, close } = await listening(600);
			await Promise.all(Array.from({ length: 100 }, () => ask(undefined, url)));
			const answer = await send(url, {
				path: `/videos/${id}/media/h264_720.mp4`,
				headers: { range: `bytes=${MiB}-${9 * MiB - 1}` },
			});
			expect(answer.bytes.equals(media.subarray(MiB, 9 * MiB))).toBe(true);
			close();
		});
	});

	describe("files held open", () => {
		it("are one for all viewers, and none once the video is deleted and they have left", async () => {
			const { id, auth } = await publish();
			const read = (start: number) =>
				service.send({
					path: `/videos/${id}/media/h264_720.mp4`,
					headers: { range: `bytes=${start}-${start + MiB - 1}` },
				});
			const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => read(index * 1_234_567)));
			for (const [index, { bytes }] of answers.entries())
				expect(bytes.equals(media.subarray(index * 1_234_567, index * 1_234_567 + MiB))).toBe(true);
			await expect.poll(() => openFiles(id)).toBe(1);
			expect((await service.send({ method: "DELETE", path: `/v1/videos/${id}`, headers: auth })).status).toBe(204);
			await expect.poll(() => openFiles(id)).toBe(0);
		});
	});
});
