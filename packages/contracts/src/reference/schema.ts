import type { JsonSchema } from "../openapi/document.ts";
import { escapeHtml, prose } from "./text.ts";

/** The name of the component that a reference leads to. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** Says the type of a schema in words, with links to named schemas. */
export function typeText(schema: JsonSchema): string {
	if (schema.$ref !== undefined) return `<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
	const choices = schema.anyOf ?? schema.oneOf;
	if (choices !== undefined) return [...new Set(choices.map(typeText))].join(" or ");
	if (schema.allOf !== undefined) return schema.allOf.map(typeText).join(" and ");
	if (schema.enum !== undefined)
		return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(" ");
	if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`;
	if (schema.items !== undefined) return `array of ${typeText(schema.items)}`;
	if (typeof schema.additionalProperties === "object") return `object of ${typeText(schema.additionalProperties)}`;
	const types = [schema.type ?? "any"].flat().join(" or ");
	return schema.format === undefined ? types : `${types} (${schema.format})`;
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
	if (from === undefined) return to === undefined ? undefined : `at most ${to}${unit}`;
	return to === undefined ? `at least ${from}${unit}` : `${from}..${to}${unit}`;
}

/** Says the bounds of a schema, with those of its non-null choice. */
function bounds(schema: JsonSchema): string {
	const bounded = [schema, ...(schema.anyOf ?? [])];
	const said = bounded.flatMap((one) => [
		range(one.minimum, one.maximum, ""),
		range(one.minLength, one.maxLength, " characters"),
		range(one.minItems, one.maxItems, " items"),
		one.uniqueItems ? "unique" : undefined,
		one.pattern === undefined ? undefined : `<code>${escapeHtml(one.pattern)}</code>`,
	]);
	if (schema.default !== undefined) said.push(`default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`);
	return said.filter((text) => text !== undefined).join(", ");
}

/** Makes the row of a field: name, type, bounds and meaning. */
export function fieldRow(
	name: string,
	required: boolean,
	schema: JsonSchema,
	description = schema.description,
): string {
	const detail = [bounds(schema), description === undefined ? "" : prose(description)]
		.filter((text) => text !== "")
		.join("<br>");
	return `<tr><td><code>${escapeHtml(name)}</code>${required ? '<span class="required">required</span>' : ""}</td><td>${typeText(schema)}</td><td>${detail}</td></tr>`;
}

/** Makes a table of an object's fields. Fields of nested objects without a schema of their own get dotted names. */
export function fieldTable(schema: JsonSchema): string {
	const rows = fieldRows(schema, "");
	return rows === ""
		? `<p>${typeText(schema)}</p>`
		: `<table><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${rows}</tbody></table>`;
}

function fieldRows(schema: JsonSchema, prefix: string): string {
	const own = Object.entries(schema.properties ?? {}).map(([name, field]) => {
		const path = `${prefix}${name}`;
		const nested = field.items === undefined ? fieldRows(field, `${path}.`) : fieldRows(field.items, `${path}[].`);
		return fieldRow(path, schema.required?.includes(name) ?? false, field) + nested;
	});
	return [...own, ...(schema.allOf ?? []).map((part) => fieldRows(part, prefix))].join("");
}
