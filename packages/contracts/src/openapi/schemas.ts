import * as z from "zod";
import * as resources from "../resources/index.ts";

type Resources = typeof resources;

/** Parts of bodies that have no component of their own: the document writes them where they stand. */
const inlined = [
	"Chunk",
	"DeliveryAttempt",
	"DeliveryExchange",
	"DomainLimitsPatch",
	"JobPlan",
	"OutputFile",
	"Probe",
	"StorageCheck",
] as const;

/** A body of one shape, or of one of several. */
type Body = z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>;
/** Every schema that a resource exports and the document names. */
export type NamedSchemas = {
	readonly [Name in Exclude<keyof Resources, (typeof inlined)[number]> as Resources[Name] extends Body
		? Name
		: never]: Resources[Name];
};

const isStrict = (body: Body): boolean =>
	body instanceof z.ZodUnion ? body.options.every(isStrict) : body.def.catchall instanceof z.ZodNever;
const named = Object.entries<unknown>(resources).filter(
	(entry): entry is [string, Body] =>
		(entry[1] instanceof z.ZodObject || entry[1] instanceof z.ZodUnion) &&
		!(inlined as readonly string[]).includes(entry[0]),
);

/** Schemas of request bodies, by the names that the resources give them. They refuse unknown keys. */
export const requestSchemas = Object.fromEntries(named.filter(([, schema]) => isStrict(schema)));

/** Schemas of response bodies, of their parts and of the webhook's body, by name. */
export const responseSchemas = Object.fromEntries(named.filter(([, schema]) => !isStrict(schema)));

const { FailureReason, Json, Timestamp, TranscriptStatus, VideoState, Visibility } = resources;
/** Types of fields that stand in many bodies, each a component of its own. */
const sharedByRequests = { Json };
const sharedByResponses = { FailureReason, Timestamp, TranscriptStatus, VideoState, Visibility };

type JsonSchema = Record<string, unknown>;
const uri = (id: string): string => `#/components/schemas/${id}`;
const names = new Map<z.ZodType, string>(
	Object.entries({ ...requestSchemas, ...responseSchemas }).map(([name, schema]) => [schema, name]),
);

/**
 * Refers to the component of a body's schema.
 * @throws {Error} when the schema has no name: every body must be exported by a resource
 */
export function reference(schema: z.ZodType): { $ref: string } {
	const name = names.get(schema);
	if (name === undefined) throw new Error("A request or response body is not exported by any file of resources/.");
	return { $ref: uri(name) };
}

/** Removes what zod adds for its own checks and generators of other languages can't read. */
function tidy(schema: JsonSchema): void {
	if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
	if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
	if (schema.format !== undefined) delete schema.pattern;
	delete schema.propertyNames;
}

function convert(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, JsonSchema> {
	const registry = z.registry<{ id: string }>();
	for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
	const converted = z.toJSONSchema(registry, {
		uri,
		io,
		unrepresentable: "throw",
		override: ({ jsonSchema }) => {
			tidy(jsonSchema);
			// A field added to a response must not break a generated client; requests stay closed.
			if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
		},
	}).schemas as Record<string, JsonSchema>;
	return Object.fromEntries(
		Object.entries(converted).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
	);
}

/** Returns all named schemas as JSON Schema 2020-12: requests as a caller writes them, responses as they are sent. */
export function componentSchemas(): Record<string, JsonSchema> {
	return {
		...convert({ ...requestSchemas, ...sharedByRequests }, "input"),
		...convert({ ...responseSchemas, ...sharedByResponses }, "output"),
	};
}
