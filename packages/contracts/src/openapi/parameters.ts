import { type Audience, type Operation, takesSession } from "../operation.ts";
import type { Parameter } from "./document.ts";
import { domainHeader, gateHeader } from "./headers.ts";
import type { ConvertedSchemas } from "./schemas.ts";

/** Describes what an operation takes in its path, its query and its headers. */
export function parametersOf(
	operation: Operation,
	audience: Audience | "all",
	{ fieldsOf }: ConvertedSchemas,
): Parameter[] {
	const { method, auth, params, query, headers } = operation;
	const fields = { path: params, query, header: headers } as const;
	const own = Object.entries(fields).flatMap(([place, object]) => {
		const { properties = {}, required = [] } = object === undefined ? {} : fieldsOf(object);
		return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
			name,
			in: place as keyof typeof fields,
			...((place === "path" || (required.includes(name) && schema.default === undefined)) && { required: true }),
			...(description !== undefined && { description }),
			schema,
			...(examples !== undefined && { example: examples[0] }),
		}));
	});
	if (audience !== "console") return own;
	const isGated = method !== "GET" && (auth === "none" || takesSession(operation));
	return [...own, ...(isGated ? [gateHeader] : []), ...(auth === "tenant" ? [domainHeader] : [])];
}
