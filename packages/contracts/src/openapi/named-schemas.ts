import * as z from "zod";
import * as resources from "../resources/index.ts";

type Resources = typeof resources;

/** Parts of bodies that have no component of their own: the document writes them where they stand. */
const inlined = ["Chunk", "DomainLimitsPatch", "ErrorBody", "JobPlan", "OutputFile", "Probe"] as const;

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

/** Types of fields that stand in many bodies, each a component of its own: an id, a time, and every list of choices. */
export type SharedSchemas = {
	readonly [Name in keyof Resources as Name extends "Id" | "Timestamp"
		? Name
		: Resources[Name] extends z.ZodEnum
			? Name
			: never]: Resources[Name];
};
export const shared: Readonly<Record<string, z.ZodType>> = {
	Id: resources.Id,
	Timestamp: resources.Timestamp,
	...Object.fromEntries(
		Object.entries<unknown>(resources).filter((entry): entry is [string, z.ZodEnum] => entry[1] instanceof z.ZodEnum),
	),
};

/** The reference to a component. */
export const uri = (id: string): string => `#/components/schemas/${id}`;
/** The name of each body's schema. */
export const names: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>(
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
