import { ReelmillError } from "@reelmill/contracts";
import { firstBytes, otherFileOf, takenContainers } from "@reelmill/contracts/containers";
import type { Bytes } from "../ports/index.ts";

/** Puts chunks that were read already in front of those that come. Each chunk is handed on as it is. */
const inFront = (held: Uint8Array[], rest: AsyncIterator<Uint8Array>): Bytes => ({
	[Symbol.asyncIterator]: () => ({
		next() {
			const value = held.shift();
			return value === undefined ? rest.next() : Promise.resolve({ done: false, value });
		},
		return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
	}),
});

/**
 * Reads the beginning of an upload, and returns all its bytes. If fewer come than are needed to judge, and they are not
 * the whole file, they pass: a worker decides. Rejects as the bytes do.
 *
 * @param length the size of the whole file
 * @throws {ReelmillError} `invalid_content_type` when the first bytes show something that can't be taken, such as a
 * picture. Nothing further is read then.
 */
export async function refuseOtherFiles(bytes: Bytes, length: number): Promise<Bytes> {
	const { head, all, end } = await readHead(bytes);
	const other = head.length >= Math.min(firstBytes, length) ? otherFileOf(head) : null;
	if (other === null) return all;
	await end();
	throw new ReelmillError("invalid_content_type", {
		message: `The file is ${other}, which can't be taken. These can be taken: ${takenContainers}.`,
	});
}

/**
 * Reads the first bytes, by which a file is known; fewer if fewer come. Returns them, and all bytes with them. Whoever
 * doesn't read `all` calls `end`.
 */
export async function readHead(bytes: Bytes) {
	const rest = bytes[Symbol.asyncIterator]();
	const held: Uint8Array[] = [];
	let read = 0;
	while (read < firstBytes) {
		const { done, value } = await rest.next();
		if (done) break;
		held.push(value);
		read += value.length;
	}
	return {
		head: Buffer.concat(held, Math.min(read, firstBytes)) as Uint8Array,
		all: inFront(held, rest),
		end: async (): Promise<void> => void (await rest.return?.()),
	};
}
