import type * as z from "zod";
import type { Operation } from "../operation.ts";
import type { Content, JsonSchema, RequestBody } from "./document.ts";
import { reference } from "./named-schemas.ts";

/** The start of each kind of text that the service sends. */
const texts: Readonly<Record<string, string>> = {
	"text/html": "<!doctype html>\n",
	"text/plain": "# TYPE reelmill_jobs_waiting gauge\nreelmill_jobs_waiting 0\n",
	"text/vtt": "WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nWelcome to the mill.\n",
};
/** Bytes. Generators make of `contentMediaType` alone, and of no schema, a JSON body of `{}`. */
const bytes: JsonSchema = { type: "string", format: "binary" };

/** Describes what is not JSON of a schema: a text, a document whose form is another standard's, or bytes. */
export function contentOf(mediaType: string): Content {
	const text = texts[mediaType];
	if (text !== undefined) return { [mediaType]: { schema: { type: "string" }, example: text } };
	if (mediaType === "application/json")
		return { [mediaType]: { schema: { type: "object", additionalProperties: true }, example: { openapi: "3.1.0" } } };
	return { [mediaType]: { schema: bytes } };
}

export const jsonOf = (schema: z.ZodType): Content => ({ "application/json": { schema: reference(schema) } });

/** Describes the body of an operation's request; undefined if it takes none. */
export function requestBody({ body, bodyOptional, alsoMediaTypes = [], content }: Operation): RequestBody | undefined {
	if (body !== undefined) {
		const types = ["application/json", ...alsoMediaTypes].map((type) => [type, { schema: reference(body) }] as const);
		return { required: !bodyOptional, content: Object.fromEntries(types) };
	}
	return content === undefined ? undefined : { required: !bodyOptional, content: contentOf(content) };
}
