import type { Header, JsonSchema, OpenApiDocument, Parameter, Response } from "../../src/openapi/document.ts";

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

/**
 * Names every place of a document that lacks a description or an example: schemas with all their fields, parameters,
 * headers and answers. Bytes have no example; an object's is made of those of its fields.
 */
export function undescribed({ paths, components }: OpenApiDocument): string[] {
	const { schemas = {}, parameters = {}, headers = {}, responses = {} } = components;
	const missing: string[] = [];
	const lacks = (place: string, what: "description" | "example") => missing.push(`${place}: no ${what}`);

	const hasDescription = (schema: JsonSchema): boolean =>
		isSaid(schema.description) ||
		(schema.$ref !== undefined && hasDescription(schemas[nameOf(schema.$ref)] ?? {})) ||
		(schema.anyOf ?? []).some((choice) => choice.$ref !== undefined && hasDescription(choice));
	const hasExample = (schema: JsonSchema): boolean =>
		(schema.examples ?? []).some((example) => example !== null) ||
		schema.const !== undefined ||
		schema.format === "binary" ||
		schema.properties !== undefined ||
		(schema.$ref !== undefined && hasExample(schemas[nameOf(schema.$ref)] ?? {})) ||
		(schema.items !== undefined && hasExample(schema.items)) ||
		[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].some(hasExample);
	const fields = (place: string, schema: JsonSchema): void => {
		for (const [name, field] of Object.entries(schema.properties ?? {})) {
			if (!hasDescription(field)) lacks(`${place}.${name}`, "description");
			if (!hasExample(field)) lacks(`${place}.${name}`, "example");
			fields(`${place}.${name}`, field);
		}
		if (schema.items !== undefined) fields(`${place}[]`, schema.items);
		for (const choice of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
			fields(place, choice);
	};
	const part = (place: string, one: Parameter | Header | { $ref: string }): void => {
		if ("$ref" in one) return;
		if (!isSaid(one.description)) lacks(place, "description");
		if (one.example === undefined && !hasExample(one.schema)) lacks(place, "example");
	};
	const answer = (place: string, one: Response | { $ref: string }): void => {
		if ("$ref" in one) return;
		if (!isSaid(one.description)) lacks(place, "description");
		for (const [name, header] of Object.entries(one.headers ?? {})) part(`${place} ${name}`, header);
		for (const [type, { schema, example }] of Object.entries(one.content ?? {}))
			if (example === undefined && !hasExample(schema)) lacks(`${place} ${type}`, "example");
	};

	for (const [name, schema] of Object.entries(schemas)) {
		if (!isSaid(schema.description)) lacks(name, "description");
		if (!hasExample(schema)) lacks(name, "example");
		fields(name, schema);
	}
	for (const [name, one] of Object.entries(parameters)) part(name, one);
	for (const [name, one] of Object.entries(headers)) part(name, one);
	for (const [name, one] of Object.entries(responses)) answer(name, one);
	for (const item of Object.values(paths)) {
		for (const { operationId, description, parameters: own = [], responses: answers } of Object.values(item)) {
			if (!isSaid(description)) lacks(operationId, "description");
			for (const one of own) part(`${operationId} ${"name" in one ? one.name : ""}`, one as Parameter);
			for (const [status, one] of Object.entries(answers)) answer(`${operationId} ${status}`, one);
		}
	}
	return missing;
}

/** A description says something: "Success." does not. */
const isSaid = (description: string | undefined): boolean =>
	description !== undefined && description.trim() !== "" && description !== "Success.";
