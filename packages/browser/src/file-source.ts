import type { Demand } from "./demand.ts";
import { PlayerError } from "./player-error.ts";

/** A source that the element loads itself, by its address. */
export type FileSource = { demand(demand: Demand): void };

const preloads = { nothing: "none", poster: "none", metadata: "metadata", all: "auto" } as const;

/** Hands an element an address to load, as far as the demand goes. How much that is, the browser decides. */
export function createFileSource(element: HTMLMediaElement, url: string, startAt: number): FileSource {
	element.preload = "none";
	element.src = url;
	if (startAt > 0) element.currentTime = startAt;
	return {
		demand(demand) {
			element.preload = preloads[demand];
		},
	};
}

/**
 * Reads a whole answer into memory: the one way to play a private file without Media Source, since an element sends no
 * key.
 * @throws {PlayerError} with the reason `too_large` if it is larger than `mostBytes`; its body is not read then
 */
export async function readWhole(response: Response, mostBytes: number): Promise<Blob> {
	if (Number(response.headers.get("content-length")) <= mostBytes) return await response.blob();
	await response.body?.cancel();
	throw new PlayerError(
		"unsupported",
		`This browser must load the whole file, and it has more than ${mostBytes} bytes.`,
		{
			reason: "too_large",
		},
	);
}
