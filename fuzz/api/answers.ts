import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { JsonSchema } from "../../packages/http/test/support/json-schema.ts";
import type { ApiDocument, ApiOperation } from "./document.ts";

export type AnswerSchemas = {
	/**
	 * Returns as a sentence how a JSON body differs from the document's description of this answer; null if it doesn't.
	 */
	differenceIn(operation: ApiOperation, status: number, body: unknown): string | null;
	/** Does the same for the error body that belongs to no operation. */
	differenceInError(body: unknown): string | null;
};

/**
 * Compiles the document's answers. A field that the document doesn't name is a difference: the server must not send
 * more than the document says.
 */
export function createAnswerSchemas(document: ApiDocument): AnswerSchemas {
	const ajv = new Ajv2020({ strict: false, allErrors: false });
	ajvFormats.default(ajv);
	ajv.addSchema({ $id: "document", components: { schemas: closedAll(document.components.schemas) } });
	const compiled = new Map<unknown, ValidateFunction>();
	const differenceBy = (schema: object, body: unknown): string | null => {
		let validate = compiled.get(schema);
		if (validate === undefined) {
			validate = ajv.compile(closed(withBase(schema)) as object);
			compiled.set(schema, validate);
		}
		return validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: "body" });
	};
	const errors = Object.entries(document.components.schemas).filter(
		([name, { properties }]) => properties?.["error"]?.const === name,
	);
	const anyError = { oneOf: errors.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) };
	return {
		differenceIn(operation, status, body) {
			const schema = operation.answer(status)?.content["application/json"]?.schema;
			return schema === undefined ? null : differenceBy(schema, body);
		},
		differenceInError: (body) => differenceBy(anyError, body),
	};
}

const withBase = (schema: unknown): unknown =>
	JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
		key === "$ref" && typeof value === "string" ? value.replace(/^#/, "document#") : value,
	);

const closedAll = (schemas: Readonly<Record<string, JsonSchema>>): object =>
	Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));

/**
 * Returns the same schema, closed for fields that it doesn't name. A schema combined of several parts stays as it is:
 * each names fields that the others don't.
 */
function closed(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(closed);
	if (typeof schema !== "object" || schema === null) return schema;
	const { allOf, ...rest } = schema as Record<string, unknown>;
	const inner = Object.fromEntries(
		Object.entries(rest).map(([key, value]) => [
			key,
			key === "examples" || key === "enum" || key === "const" ? value : closed(value),
		]),
	);
	const isObject = "properties" in inner && inner["type"] === "object" && !("additionalProperties" in inner);
	return { ...inner, ...(allOf !== undefined && { allOf }), ...(isObject && { additionalProperties: false }) };
}
