import type { ByteReader, ServedBytes, Stopwatch } from "@reelmill/engine";
import type { Exchange } from "../node/exchange.ts";
import type { SendBytes } from "../node/send-bytes.ts";
import type { ByteRates } from "./byte-rates.ts";

/**
 * Sends bytes no faster than the rate of the request's client. Bytes that the client may take at once go out as
 * `sendBytes` sends them. An exchange that had to wait is marked as slowed. Our own waits don't count as pauses of the
 * client.
 */
export function createPacedSendBytes(sendBytes: SendBytes, rates: ByteRates, clock: Stopwatch): SendBytes {
	return (exchange, bytes) => {
		const permit = createPermit(exchange, rates, clock);
		const { inMemory, reader } = bytes;
		if (inMemory !== undefined) {
			const { bytes: granted, waitMilliseconds } = rates.take(exchange.clientKey, inMemory.length);
			if (granted === inMemory.length && waitMilliseconds === 0) return sendBytes(exchange, bytes);
			rates.giveBack(exchange.clientKey, granted);
			return sendBytes(exchange, pacedChunks([inMemory], permit));
		}
		if (reader === undefined) return sendBytes(exchange, pacedChunks(bytes, permit));
		return sendBytes(exchange, { ...pacedChunks(bytes, permit), reader: pacedReader(reader, permit) });
	};
}

type Permit = {
	/** Resolves to how many of `wanted` bytes may go out now: 0 if the client left while it waited. */
	take(wanted: number): Promise<number>;
	giveBack(bytes: number): void;
};

function createPermit(exchange: Exchange, rates: ByteRates, clock: Stopwatch): Permit {
	const { response, clientKey } = exchange;
	let left: AbortSignal | undefined;
	const take = async (wanted: number): Promise<number> => {
		const { bytes, waitMilliseconds } = rates.take(clientKey, wanted);
		if (waitMilliseconds === 0) return bytes;
		exchange.slowed = true;
		left ??= closed(response);
		const { socket } = response;
		const pause = socket?.timeout;
		if (pause) socket.setTimeout(pause + waitMilliseconds);
		await clock.sleep(waitMilliseconds, left);
		if (left.aborted || response.destroyed) {
			rates.giveBack(clientKey, bytes);
			return 0;
		}
		if (pause) socket?.setTimeout(pause);
		return bytes;
	};
	return { take, giveBack: (bytes) => rates.giveBack(clientKey, bytes) };
}

function closed(response: Exchange["response"]): AbortSignal {
	const left = new AbortController();
	if (response.destroyed) left.abort();
	else response.once("close", () => left.abort());
	return left.signal;
}

/** Ends early only if the client has left. */
function pacedChunks(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, permit: Permit): ServedBytes {
	return {
		async *[Symbol.asyncIterator]() {
			for await (const chunk of chunks)
				for (let at = 0; at < chunk.length; ) {
					const count = await permit.take(chunk.length - at);
					if (count === 0) return;
					yield chunk.subarray(at, at + count);
					at += count;
				}
		},
	};
}

function pacedReader(reader: ByteReader, permit: Permit): ByteReader {
	/** What was granted for bytes that the connection had no room for. */
	let granted = 0;
	const grant = async (wanted: number): Promise<number> => {
		if (granted === 0) granted = await permit.take(wanted);
		return Math.min(granted, wanted);
	};
	const counted = (count: number): number => {
		granted -= count;
		return count;
	};
	const transfer = reader.transfer?.bind(reader);
	return {
		...(transfer !== undefined && {
			async transfer(hand) {
				const most = await grant(reader.left);
				if (most === 0) return 0;
				return counted(
					await transfer((descriptor, position, length) => hand(descriptor, position, Math.min(length, most))),
				);
			},
		}),
		get left() {
			return reader.left;
		},
		async read(target) {
			const most = await grant(Math.min(target.length, reader.left));
			return most === 0 ? 0 : counted(await reader.read(target.subarray(0, most)));
		},
		close() {
			permit.giveBack(granted);
			granted = 0;
			reader.close();
		},
	};
}
