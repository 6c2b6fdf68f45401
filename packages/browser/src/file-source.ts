import type { Demand } from "./demand.ts";
import { PlayerError } from "./player-error.ts";

/** A source that the element loads itself, by its address. */
export type FileSource = { demand(demand: Demand): void };

/** Hands an element an address to load, as far as the demand goes. How much that is, the browser decides. */
export function createFileSource(element: HTMLMediaElement, url: string): FileSource {
	element.preload = "none";
	element.src = url;
	return {
		demand(demand) {
			element.preload = demand === "all" ? "auto" : demand === "metadata" ? demand : "none";
		},
	};
}

/**
 * Reads a whole answer into memory: the one way to play a private file without Media Source, since an element sends no
 * key. Stops at the size that is too large, whether the answer has said it or not.
 * @throws {PlayerError} with the reason `too_large` if it is larger than `mostBytes`
 */
export async function readWhole(response: Response, mostBytes: number): Promise<Blob> {
	const reader = response.body?.getReader();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	let size = Number(response.headers.get("content-length"));
	for (let read = 0; size <= mostBytes; size = Math.max(size, read)) {
		const part = await reader?.read();
		if (!part?.value) return new Blob(parts, { type: "video/mp4" });
		read += part.value.length;
		parts.push(part.value);
	}
	reader?.cancel().catch(() => {});
	throw new PlayerError("unsupported", `The file has more than ${mostBytes} bytes.`, {
		reason: "too_large",
	});
}
