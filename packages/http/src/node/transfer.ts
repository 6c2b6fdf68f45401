import { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { ByteReader } from "@reelmill/engine";
import type { SendFile } from "../options.ts";

/** Fewer bytes are not transferred: they are sent in one piece with their head. */
const leastBytes = 128 * 1024;
/** How much is sent before other requests have their turn: about a segment. */
const pieceBytes = 2 * 1024 * 1024;

/**
 * Returns the descriptor of the connection if it takes an answer's bytes unchanged. Returns `null` if the answer waits
 * for another one before it, if the connection uses TLS, or if something rewrites what is written.
 */
function connectionOf({ socket, write }: ServerResponse): number | null {
	if (socket === null || "encrypted" in socket || write !== ServerResponse.prototype.write) return null;
	// Node shows the descriptor nowhere else. If this property ever disappears, bytes are written the ordinary way.
	const descriptor = (socket as { _handle?: { fd?: unknown } | null })._handle?.fd;
	return typeof descriptor === "number" && descriptor >= 0 ? descriptor : null;
}

/**
 * Sends the head, and returns a function that transfers as many of the reader's bytes as the connection takes at once.
 * The function resolves to their number: 0 also if something written earlier is still on its way. Returns undefined if
 * the bytes are few or can't be transferred.
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

/** Restarts the limit on pauses, which only notices writes. */
function restartPause({ socket }: ServerResponse): void {
	if (socket?.timeout !== undefined) socket.setTimeout(socket.timeout);
}
