import type * as z from "zod";
import type { Content } from "./document.ts";
import { textExamples } from "./examples.ts";
import { reference } from "./named-schemas.ts";

/** What a request or an answer carries: JSON of a schema, or something of a media type. */
type Carrier = { readonly body?: z.ZodType; readonly content?: string; readonly alsoMediaTypes?: readonly string[] };

/** Describes the body of a request or of an answer, by media type; undefined if it has none. */
export function contentOf({ body, content, alsoMediaTypes = [] }: Carrier): Content | undefined {
	const types = body === undefined ? [] : ["application/json", ...alsoMediaTypes];
	if (body !== undefined) return Object.fromEntries(types.map((type) => [type, { schema: reference(body) }]));
	return content === undefined ? undefined : { [content]: described(content) };
}

/** Describes what is not JSON of a schema: a text, a document whose form is another standard's, or bytes. */
function described(mediaType: string): Content[string] {
	const example = textExamples[mediaType];
	if (example !== undefined) return { schema: { type: "string" }, example };
	if (mediaType === "application/json")
		return { schema: { type: "object", additionalProperties: true }, example: { openapi: "3.1.0" } };
	// Generators make of `contentMediaType` alone, and of no schema, a JSON body of `{}`.
	return { schema: { type: "string", format: "binary" } };
}
