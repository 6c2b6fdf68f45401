import { type Api, api, type Operation } from "../../packages/contracts/src/index.ts";
import type { JsonSchema } from "../../packages/contracts/src/openapi/document.ts";
import { reference } from "../../packages/contracts/src/openapi/named-schemas.ts";
import { convertSchemas } from "../../packages/contracts/src/openapi/schemas.ts";
import { isJsonOperation } from "../../packages/contracts/src/operation.ts";

/** What a type's schema says of it and of its parts. */
export type Words = {
	readonly description: string | undefined;
	field(name: string): Words;
	/** The words about what a list holds. */
	element(): Words;
};
export const noWords: Words = { description: undefined, field: () => noWords, element: () => noWords };

/** Reads the words of the contract's schemas, by the names of the types that are inferred from these. */
export function readWords(): { of(name: string): Words; said(name: string): string | undefined } {
	const { components, fieldsOf } = convertSchemas();
	const target = (schema: JsonSchema): JsonSchema =>
		schema.$ref === undefined ? schema : (components[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] ?? {});
	/** The schema itself, and those of which it is made or may be one. */
	const parts = (schema: JsonSchema): JsonSchema[] => {
		const { anyOf = [], oneOf = [], allOf = [], ...own } = target(schema);
		return [own, ...[...allOf, ...anyOf, ...oneOf].flatMap(parts)];
	};
	const wordsOf = (schema: JsonSchema): Words => ({
		description: schema.description ?? (schema.$ref === undefined ? undefined : target(schema).description),
		field(name) {
			const field = parts(schema).findLast(({ properties }) => properties?.[name] !== undefined)?.properties?.[name];
			return field === undefined ? noWords : wordsOf(field);
		},
		element() {
			const items = parts(schema).find((part) => part.items !== undefined)?.items;
			return items === undefined ? noWords : wordsOf(items);
		},
	});
	const callOf = ({ summary, params, query, body, text, success }: Operation): JsonSchema => ({
		description: `${summary}.`,
		properties: {
			input: {
				properties: {
					...(params && { params: fieldsOf(params) }),
					...(query && { query: fieldsOf(query) }),
					...(body && !text && { body: reference(body) }),
				},
			},
			...("body" in success && success.body && { result: reference(success.body) }),
		},
	});
	const calls: JsonSchema = {
		properties: Object.fromEntries(
			(Object.entries(api) as [keyof Api, Operation][])
				.filter(([, operation]) => isJsonOperation(operation))
				.map(([name, operation]) => [name, callOf(operation)]),
		),
	};
	return {
		of: (name) => (name === "Calls" ? wordsOf(calls) : wordsOf(components[name] ?? {})),
		said: (name) => components[name]?.description,
	};
}
