import { firstBytes, otherFileOf, takenContainers } from "@reelmill/contracts/containers";
import { ReelmillError } from "@reelmill/contracts/errors";

/**
 * Reads a file's first bytes before anything is created for it. Resolves if they are a video's that the service takes,
 * and also if nobody knows them. A file that can't be read resolves too: the upload will tell why.
 * @throws {ReelmillError} `invalid_content_type` when they show something else, such as a picture; the message says
 * what, and what is taken
 * @example
 * ```ts
 * import { refuseOtherFiles } from "@reelmill/client/transfer";
 *
 * const file = new Blob(["%PDF-1.7"]);
 * await refuseOtherFiles(file).catch((error) => console.log(error.code)); // => invalid_content_type
 * ```
 */
export async function refuseOtherFiles(file: Blob): Promise<void> {
	const begin = await file
		.slice(0, firstBytes)
		.arrayBuffer()
		.catch(() => new ArrayBuffer(0));
	const other = otherFileOf(new Uint8Array(begin));
	if (other !== null)
		throw new ReelmillError("invalid_content_type", {
			message: `The file is ${other}, which can't be taken. These can be taken: ${takenContainers}.`,
		});
}
