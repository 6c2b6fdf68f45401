import type { OpenApiDocument } from "@reelmill/contracts/openapi";
import { place } from "./place.ts";

type Components = Required<OpenApiDocument["components"]>;
type Parameter = Components["parameters"][string];
type JsonSchema = Components["schemas"][string];

/**
 * Returns what the page shows of a document.
 *
 * - A server may be opened at another address than that of its base URL, which this page may not ask. So the one that
 *   sent the page is tried.
 * - The examples of optional parameters are shown, and left out of what is tried until the reader ticks them.
 */
export function shown(document: OpenApiDocument): object {
	const { parameters = {}, schemas = {} } = document.components;
	const optional = (one: Parameter) => {
		const { example: given, ...rest } = one;
		const value = given ?? exampleOf(one.schema, schemas);
		const isShown = one.required !== true && value !== undefined;
		return isShown ? { ...rest, examples: { example: { value, "x-disabled": true } } } : one;
	};
	const all = (of: Readonly<Record<string, Parameter>>) =>
		Object.fromEntries(Object.entries(of).map(([name, one]) => [name, optional(one)]));
	const paths = Object.entries(document.paths).map(([path, item]) => [
		path,
		Object.fromEntries(
			Object.entries(item).map(([method, operation]) => [
				method,
				{ ...operation, parameters: operation.parameters?.map((one) => ("$ref" in one ? one : optional(one))) },
			]),
		),
	]);
	return {
		...document,
		...(!place.isElsewhere && { servers: [{ url: place.server }] }),
		components: { ...document.components, parameters: all(parameters) },
		paths: Object.fromEntries(paths),
	};
}

const exampleOf = ({ $ref, examples }: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): unknown =>
	$ref === undefined ? examples?.[0] : schemas[$ref.slice($ref.lastIndexOf("/") + 1)]?.examples?.[0];
