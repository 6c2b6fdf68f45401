import type { Stopwatch } from "@reelmill/engine";

/** How many bytes may be sent, and how long to wait before they are. */
export type Grant = { readonly bytes: number; readonly waitMilliseconds: number };

/**
 * Counts the bytes that go to each client. A client may take `bytesPerSecond` in the long run, and ten seconds' worth
 * of it at once if it has taken nothing for ten seconds. All its connections share this.
 */
export type ByteRates = {
	/**
	 * Grants a client at least one of `wanted` bytes, and at most all. If the client has used up its rate, the grant is a
	 * small piece and waits its turn behind the pieces that were granted before.
	 */
	take(client: string, wanted: number): Grant;
	/** Takes back granted bytes that were not sent. Does nothing if the client is forgotten. */
	giveBack(client: string, bytes: number): void;
};

const burstSeconds = 10;
/** A client beyond this number of others is forgotten, the one first that has taken nothing for the longest time. */
const keptClients = 20_000;
const leastPieceBytes = 16 * 1024;
const mostPieceBytes = 256 * 1024;

export function createByteRates(bytesPerSecond: number, clock: Stopwatch, kept = keptClients): ByteRates {
	const burst = bytesPerSecond * burstSeconds;
	const piece = Math.min(mostPieceBytes, Math.max(leastPieceBytes, Math.floor(bytesPerSecond / 8)));
	/** What each client may still take at that time: below 0 if it must wait. The last one has taken bytes last. */
	const clients = new Map<string, { left: number; at: number }>();
	const refilled = (client: string): { left: number; at: number } => {
		const now = clock.elapsed();
		const known = clients.get(client);
		if (known === undefined) return { left: burst, at: now };
		known.left = Math.min(burst, known.left + ((now - known.at) / 1000) * bytesPerSecond);
		known.at = now;
		clients.delete(client);
		return known;
	};
	return {
		take(client, wanted) {
			const state = refilled(client);
			clients.set(client, state);
			if (clients.size > kept) clients.delete(clients.keys().next().value as string);
			const bytes = Math.min(wanted, Math.max(piece, Math.floor(state.left)));
			state.left -= bytes;
			return { bytes, waitMilliseconds: Math.max(0, (-state.left / bytesPerSecond) * 1000) };
		},
		giveBack(client, bytes) {
			const state = clients.get(client);
			if (state !== undefined) state.left += bytes;
		},
	};
}
