import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ByteReader, DeliveredBytes } from "@reelmill/engine";
import type { SendFile } from "../options.ts";
import type { Exchange } from "./exchange.ts";
import { createReadBuffers, type ReadBuffers, smallBytes } from "./read-buffers.ts";
import { transferTo } from "./transfer.ts";

/**
 * Sends `bytes` as fast as the client takes them. Resolves once they are sent, or the client is gone; `bytes` is freed
 * either way. A client that takes nothing for the idle time is disconnected. Bytes that fail midway cut the connection,
 * so that no one takes a part for the whole.
 */
export type SendBytes = (exchange: Exchange, bytes: DeliveredBytes) => Promise<void>;

/**
 * Up to here a body goes out in one piece with its head, as text that stands for the same bytes: Node writes that at
 * once.
 */
const textBytes = 8 * 1024;

export function createSendBytes(idleMilliseconds: number, sendFile?: SendFile): SendBytes {
	const buffers = createReadBuffers();
	return async ({ response }, bytes) => {
		const { inMemory, reader } = bytes;
		if (inMemory !== undefined && inMemory.length <= textBytes) {
			response.end(textOf(inMemory), "latin1");
			if (response.writableLength > 0) limitPauses(response, idleMilliseconds);
			return;
		}
		limitPauses(response, idleMilliseconds);
		if (inMemory !== undefined) return void response.end(inMemory);
		if (reader !== undefined) return sendRead(response, reader, buffers, sendFile);
		await pipeline(bytes, response).catch((error: unknown) => {
			if (!isClientGone(error)) throw error;
		});
	};
}

/** Bytes in memory are shared by many answers and never changed: their text is made once. */
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
 * What can be transferred is; what can't just now is read and written, from a buffer that is read into again once the
 * client's connection has taken what was in it. Where the connection was only full, few bytes are: their write waits
 * until it no longer is.
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
 * True once the bytes were handed to the system; false when the connection closed instead, which ends their use as
 * well.
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
