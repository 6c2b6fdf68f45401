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
	const rest = bytes[Symbol.asyncIterator]();
	const held: Uint8Array[] = [];
	let read = 0;
	while (read < firstBytes) {
		const { done, value } = await rest.next();
		if (done) break;
		held.push(value);
		read += value.length;
	}
	const other =
		read >= Math.min(firstBytes, length) ? otherFileOf(Buffer.concat(held, Math.min(read, firstBytes))) : null;
	if (other === null) return inFront(held, rest);
	await rest.return?.();
	throw new ReelmillError("invalid_content_type", {
		message: `The file is ${other}, which can't be taken. These can be taken: ${takenContainers}.`,
	});
}
