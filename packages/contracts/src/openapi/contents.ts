import type * as z from "zod";
import type { Content } from "./document.ts";
import { examples, textExamples } from "./examples.ts";
import { nameOf, reference } from "./named-schemas.ts";

/** What a request or an answer carries: JSON of a schema, or something of a media type. */
type Carrier = {
	readonly body?: z.ZodType;
	readonly text?: { readonly mediaTypes: readonly string[] };
	readonly file?: { readonly mediaTypes: readonly string[] };
	readonly content?: string;
	readonly alsoMediaTypes?: readonly string[];
};

/**
 * Describes the body of a request or of an answer, by media type; undefined if it has none. A body of a schema stands
 * there as a whole (default: the example of its schema), since the parts of several states make none that is sent.
 */
export function contentOf(
	{ body, text, file, content, alsoMediaTypes = [] }: Carrier,
	shown?: unknown,
): Content | undefined {
	if (text !== undefined) return Object.fromEntries(text.mediaTypes.map((type) => [type, textOf(type)]));
	if (body !== undefined) {
		const inSchema = { schema: reference(body), example: shown ?? examples[nameOf(body) as keyof typeof examples] };
		return Object.fromEntries([
			...["application/json", ...alsoMediaTypes].map((type) => [type, inSchema]),
			...(file?.mediaTypes ?? []).map((type) => [type, described(type)]),
		]);
	}
	return content === undefined ? undefined : { [content]: described(content) };
}

/** Describes a text that is sent. One of no certain form may be any of the forms. */
const textOf = (mediaType: string): Content[string] => ({
	schema: { type: "string" },
	example: textExamples[mediaType === "text/plain" ? "text/vtt" : mediaType],
});

/** Describes what is not JSON of a schema: a text, a document whose form is another standard's, or bytes. */
function described(mediaType: string): Content[string] {
	const example = textExamples[mediaType];
	if (example !== undefined) return { schema: { type: "string" }, example };
	if (mediaType === "application/json")
		return { schema: { type: "object", additionalProperties: true }, example: { openapi: "3.1.0" } };
	// Generators make of `contentMediaType` alone, and of no schema, a JSON body of `{}`.
	return { schema: { type: "string", format: "binary" } };
}
