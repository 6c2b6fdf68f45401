import * as z from "zod";
import { errors } from "../errors.ts";
import { errorCodes, errorExtras } from "../resources/error.ts";
import * as resources from "../resources/index.ts";

type Resources = typeof resources;
/** Parts of bodies that have no component of their own: the document writes them where they stand. */
const inlined = ["Chapter", "Chunk", "DomainLimitsPatch", "ErrorBody", "JobPlan", "OutputFile", "Probe"] as const;
/** A body of one shape, or of one of several. */
type Body = z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>;
type Exported<Schema> = {
	readonly [Name in keyof Omit<Resources, (typeof inlined)[number]> as Resources[Name] extends Schema
		? Name
		: never]: Resources[Name];
};
/** Every schema that a resource exports and the document names. */
export type NamedSchemas = Exported<Body>;
/** Types of fields that stand in many bodies, each a component of its own: an id, a time, and every list of choices. */
export type SharedSchemas = Exported<z.ZodEnum> & Pick<Resources, "Id" | "Timestamp">;

/** A sentence about an error, for people: a component that every error has. */
const ErrorMessage = z.string();

const isStrict = (body: Body): boolean =>
	body instanceof z.ZodUnion ? body.options.every(isStrict) : body.def.catchall instanceof z.ZodNever;
const exported = Object.entries<unknown>(resources).filter(([name]) => !(inlined as readonly string[]).includes(name));
const bodies = exported.filter(
	(entry): entry is [string, Body] => entry[1] instanceof z.ZodObject || entry[1] instanceof z.ZodUnion,
);
const names: ReadonlyMap<z.ZodType, string> = new Map(bodies.map(([name, schema]) => [schema, name]));

/** Schemas of request bodies, by the names that the resources give them. They refuse unknown keys. */
export const requestSchemas = Object.fromEntries(bodies.filter(([, schema]) => isStrict(schema)));
/** Schemas of response bodies, of their parts and of the webhook's body, by name. */
export const responseSchemas = Object.fromEntries(bodies.filter(([, schema]) => !isStrict(schema)));
/** Schemas of fields that stand in many bodies, by name. */
export const shared: Readonly<Record<string, z.ZodType>> = {
	...Object.fromEntries(exported.filter((entry): entry is [string, z.ZodEnum] => entry[1] instanceof z.ZodEnum)),
	Id: resources.Id,
	Timestamp: resources.Timestamp,
	ErrorMessage,
};
const extras: Readonly<Record<string, z.ZodObject>> = errorExtras;

/**
 * The schema of each code's body, under the code itself, so that a union of errors needs no mapping: the code, a
 * message, and the code's own fields.
 */
export const errorSchemas: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
	errorCodes.map((code) => {
		const error = z.literal(code).meta({ description: "The code." });
		const body = z.object({ error, message: ErrorMessage, ...extras[code]?.shape });
		return [code, body.meta({ description: errors[code].message })];
	}),
);

/**
 * Returns the name of a body's schema.
 * @throws {Error} when it has none: every body must be exported by a resource
 */
export function nameOf(schema: z.ZodType): string {
	const name = names.get(schema);
	if (name === undefined) throw new Error("A request or response body is not exported by any file of resources/.");
	return name;
}
/** The reference to a component, by its name. */
export const uri = (name: string): string => `#/components/schemas/${name}`;
/** Refers to the component of a body's schema. */
export const reference = (schema: z.ZodType): { $ref: string } => ({ $ref: uri(nameOf(schema)) });
