import { type Container, containerOf, otherFileOf, takenContainers } from "@reelmill/contracts/containers";
import type { ImportAnswer } from "../ports/index.ts";
import { ImportFailure } from "./outcome.ts";
import type { ImportInput } from "./row.ts";

/** What is declared of a container if the origin says nothing better. */
const typeOfContainer: Readonly<Record<Container, string>> = {
	mov: "video/mp4",
	matroska: "video/x-matroska",
	avi: "video/x-msvideo",
	flv: "video/x-flv",
	ogg: "video/ogg",
	gif: "video/gif",
	asf: "video/x-ms-asf",
	mxf: "video/mxf",
	dv: "video/x-dv",
	mpeg: "video/mpeg",
	mpegts: "video/mp2t",
};

/**
 * Decides size and type of a file by what its origin says and by its first bytes; what the tenant said of them counts if
 * neither tells.
 *
 * @throws {ImportFailure} in this order: `source_refused` for an empty file; `invalid_content_type` for what is no video;
 * `size_unknown`.
 */
export function whatItIs(
	answer: Pick<ImportAnswer, "size" | "contentType">,
	head: Uint8Array,
	input: ImportInput,
): { readonly content_type: string; readonly file_size: number } {
	const size = answer.size ?? input.file_size;
	if (size === 0) throw new ImportFailure("source_refused", "The file is empty.");
	// A page of an error often has no size either, and that would be no help to know.
	const content_type = typeOf(answer, head, input);
	if (size === undefined)
		throw new ImportFailure(
			"size_unknown",
			"The origin doesn't say how large the file is. Create the import anew with file_size.",
		);
	return { content_type, file_size: size };
}

function typeOf({ contentType }: Pick<ImportAnswer, "contentType">, head: Uint8Array, input: ImportInput): string {
	const container = containerOf(head);
	const other = otherFileOf(head);
	if (other !== null)
		throw new ImportFailure(
			"invalid_content_type",
			`The file is ${other}, which can't be taken. These can be taken: ${takenContainers}.`,
		);
	if (contentType?.startsWith("video/")) return contentType;
	if (container !== null) return typeOfContainer[container];
	const saysOtherwise = /^(text|image|audio)\//.test(contentType ?? "");
	if (input.content_type === undefined || saysOtherwise)
		throw new ImportFailure(
			"invalid_content_type",
			`The address gives ${contentType ?? "a file without a type"}, and its first bytes show no video. These can be taken: ${takenContainers}.`,
		);
	return input.content_type;
}
