import { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { ByteReader } from "@reelmill/engine";
import type { SendFile } from "../options.ts";

/** Fewer bytes go out with their head in one piece. */
const leastBytes = 128 * 1024;
/** A segment's size: so much is sent before others have their turn. */
const pieceBytes = 2 * 1024 * 1024;

/**
 * The descriptor of the connection that takes an answer's bytes as they are. Null where there is none: for an answer
 * that waits for the one before it, over TLS, and where something rewrites what is written.
 */
function connectionOf({ socket, write }: ServerResponse): number | null {
	if (socket === null || "encrypted" in socket || write !== ServerResponse.prototype.write) return null;
	// Node tells it nowhere else. Where it should stop to, bytes are written as ever.
	const descriptor = (socket as { _handle?: { fd?: unknown } | null })._handle?.fd;
	return typeof descriptor === "number" && descriptor >= 0 ? descriptor : null;
}

/**
 * Sends the head, and makes what transfers of the reader's bytes as many as the connection takes at once, and answers
 * how many: 0 also where the connection can't be used now, since something written before is still on its way. Nothing
 * where the bytes are few, or can't be transferred.
 */
export function transferTo(
	response: ServerResponse,
	reader: ByteReader,
	sendFile: SendFile,
): (() => Promise<number>) | undefined {
	if (reader.transfer === undefined || reader.left < leastBytes || connectionOf(response) === null) return undefined;
	response.flushHeaders();
	const hand = (file: number, position: number, length: number): number => {
		const connection = connectionOf(response);
		if (connection === null || response.writableLength > 0) return 0;
		return sendFile(connection, file, position, Math.min(length, pieceBytes));
	};
	return async () => {
		let sum = 0;
		while (!response.destroyed) {
			const count = (await reader.transfer?.(hand)) ?? 0;
			sum += count;
			if (count < pieceBytes || reader.left === 0) break;
			restartPause(response);
			await setImmediate();
		}
		return sum;
	};
}

/** The connection's limit of pauses knows of writes alone. */
function restartPause({ socket }: ServerResponse): void {
	if (socket?.timeout !== undefined) socket.setTimeout(socket.timeout);
}
