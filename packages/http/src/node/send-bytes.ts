import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ByteReader, ServedBytes } from "@reelmill/engine";
import type { SendFile } from "../options.ts";
import type { Exchange } from "./exchange.ts";
import { createReadBuffers, type ReadBuffers, smallBytes } from "./read-buffers.ts";
import { transferTo } from "./transfer.ts";

/**
 * Sends `bytes` as fast as the client takes them. Resolves once they are sent or the client has left; `bytes` is freed
 * in both cases. Returns undefined if all of them were handed over at once. A client that takes nothing for the idle
 * time is disconnected. If reading fails midway, the connection is cut, so that nobody takes a part for the whole.
 */
export type SendBytes = (exchange: Exchange, bytes: ServedBytes) => Promise<void> | undefined;

/**
 * The largest body that is sent as text, which stands for the same bytes: Node writes it in one piece with the head.
 */
const textBytes = 8 * 1024;

export function createSendBytes(idleMilliseconds: number, sendFile?: SendFile): SendBytes {
	const buffers = createReadBuffers();
	return ({ response }, bytes) => {
		const { inMemory, reader } = bytes;
		if (inMemory !== undefined && inMemory.length <= textBytes) {
			response.end(textOf(inMemory), "latin1");
			if (response.writableLength > 0) limitPauses(response, idleMilliseconds);
			return undefined;
		}
		limitPauses(response, idleMilliseconds);
		if (inMemory !== undefined) {
			response.end(inMemory);
			return undefined;
		}
		if (reader !== undefined) return sendRead(response, reader, buffers, sendFile);
		return pipeline(bytes, response).catch((error: unknown) => {
			if (!isClientGone(error)) throw error;
		});
	};
}

/** Texts of bytes in memory. Many answers share these bytes and none changes them, so their text is made once. */
const texts = new WeakMap<Uint8Array, string>();

function textOf(bytes: Uint8Array): string {
	let text = texts.get(bytes);
	if (text === undefined) {
		text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
		texts.set(bytes, text);
	}
	return text;
}

function limitPauses(response: ServerResponse, idleMilliseconds: number): void {
	const { socket } = response;
	response.setTimeout(idleMilliseconds, () => response.destroy());
	response.once("close", () => {
		if (socket?.timeout === idleMilliseconds) socket.setTimeout(0);
	});
}

/**
 * Transfers what can be transferred, and reads and writes the rest. The buffer is used again once the connection has
 * taken its bytes. If a transfer stopped because the connection was full, the next write is small: it only waits until
 * there is room again.
 */
async function sendRead(
	response: ServerResponse,
	reader: ByteReader,
	buffers: ReadBuffers,
	sendFile: SendFile | undefined,
): Promise<void> {
	const transfer = sendFile && transferTo(response, reader, sendFile);
	let large: Buffer | undefined;
	let small: Buffer | undefined;
	try {
		while (reader.left > 0) {
			const sent = (await transfer?.()) ?? 0;
			if (reader.left === 0) break;
			if (response.destroyed) return;
			let buffer: Buffer;
			if (sent > 0) buffer = small ??= Buffer.allocUnsafeSlow(smallBytes);
			else buffer = large ??= buffers.take();
			const count = await reader.read(buffer);
			if (!(await isWritten(response, buffer.subarray(0, count)))) return;
		}
		if (!response.destroyed) response.end();
	} finally {
		if (large !== undefined) buffers.give(large);
		reader.close();
	}
}

/**
 * Resolves to true once the system has the bytes, and to false if the connection closed first. In both cases nothing
 * reads the bytes any more.
 */
const isWritten = (response: ServerResponse, bytes: Uint8Array): Promise<boolean> =>
	new Promise((resolve) => {
		if (response.destroyed) return resolve(false);
		const leave = () => resolve(false);
		response.once("close", leave);
		response.write(bytes, (error) => {
			response.off("close", leave);
			resolve(!error);
		});
	});

const isClientGone = (error: unknown): boolean =>
	error instanceof Error &&
	"code" in error &&
	["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED", "ERR_STREAM_UNABLE_TO_PIPE", "ECONNRESET", "EPIPE"].includes(
		String(error.code),
	);
