import { readFile } from "node:fs/promises";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { descriptions } from "../../src/openapi/descriptions.ts";
import type { JsonSchema, OpenApiDocument } from "../../src/openapi/document.ts";
import { createOpenApiDocument } from "../../src/openapi.ts";
import { exampleOf } from "./example.ts";
import { undescribed } from "./undescribed.ts";

const serverUrl = "https://video.acme.test";
const parts = ["tenants", "operators", "workers", "console", "all"] as const;
const documents = Object.fromEntries(parts.map((part) => [part, createOpenApiDocument({ serverUrl, part })]));
const document = documents["all"] as OpenApiDocument;
const { schemas = {} } = document.components;

describe("every schema, field, parameter, header and answer", () => {
	it.each(parts)("has a description and an example in the document of %s", (part) => {
		const missing = undescribed(documents[part] as OpenApiDocument);
		// The last page is the only one.
		expect(missing.filter((place) => place !== "OutroList.next_cursor: no example")).toEqual([]);
	});

	it("is missed if it lacks one", () => {
		const bare = structuredClone(document);
		delete bare.components.schemas?.["Video"]?.properties?.["width"]?.description;
		delete bare.components.schemas?.["Video"]?.properties?.["progress"]?.examples;
		delete bare.components.parameters?.["Cursor"]?.description;
		delete bare.components.headers?.["ETag"]?.example;
		const created = bare.paths["/v1/videos"]?.post?.responses[201];
		if (created !== undefined && "content" in created) created.description = "Success.";
		expect(undescribed(bare).filter((place) => !place.startsWith("OutroList"))).toEqual([
			"Video.progress: no example",
			"Video.width: no description",
			"Cursor: no description",
			"ETag: no example",
			"createVideo 201: no description",
		]);
	});
});

describe("examples", () => {
	const ajv = new Ajv2020({ strict: false });
	ajvFormats.default(ajv);
	ajv.addSchema({ $id: "document", components: document.components });
	const compiled = new Map<string, ValidateFunction>();
	const faultOf = (schema: JsonSchema, value: unknown): string | null => {
		const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
		const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
		compiled.set(text, validate);
		return validate(value) ? null : ajv.errorsText(validate.errors);
	};

	it("match their schemas, each by itself and all of a body together", () => {
		const all = Object.entries(schemas).flatMap(([name, schema]) => [
			...examplesIn(name, schema),
			[name, { $ref: `#/components/schemas/${name}` }, exampleOf(schema, schemas)] as const,
		]);
		const faults = all.flatMap(([place, one, value]) => {
			const fault = faultOf(one, value);
			return fault === null ? [] : [`${place}: ${JSON.stringify(value)} ${fault}`];
		});
		expect(faults).toEqual([]);
	});

	it("of requests and answers match their schemas", () => {
		const items = Object.values({ ...document.paths, ...document.webhooks });
		const own = items
			.flatMap((item) => Object.values(item))
			.flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)]);
		for (const one of [...own, ...Object.values(document.components.responses ?? {})])
			if (one !== undefined && "content" in one)
				for (const { schema, example } of Object.values(one.content ?? {}))
					if (example !== undefined) expect([example, faultOf(schema, example)]).toEqual([example, null]);
	});

	it("of parameters match their schemas", () => {
		const { parameters = {} } = document.components;
		const inline = Object.values(document.paths).flatMap((item) =>
			Object.values(item).flatMap(({ parameters: own = [] }) => own.flatMap((one) => ("$ref" in one ? [] : [one]))),
		);
		for (const { name, schema, example } of [...Object.values(parameters), ...inline])
			if (example !== undefined) expect([name, faultOf(schema, example)]).toEqual([name, null]);
	});
});

/** Every example in a schema, with the place and the schema that it stands in. */
function examplesIn(place: string, schema: JsonSchema): [string, JsonSchema, unknown][] {
	const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], examples = [] } = schema;
	return [
		...examples.map((value): [string, JsonSchema, unknown] => [place, schema, value]),
		...Object.entries(properties).flatMap(([name, field]) => examplesIn(`${place}.${name}`, field)),
		...(items === undefined ? [] : examplesIn(`${place}[]`, items)),
		...[...anyOf, ...oneOf, ...allOf].flatMap((choice) => examplesIn(place, choice)),
	];
}

it("describes each named schema in the words that its docstring begins with", async () => {
	const index = await readFile(new URL("../../src/resources/index.ts", import.meta.url), "utf8");
	const files = [...index.matchAll(/"\.\/(.+)\.ts"/g)].map(([, name]) => `../../src/resources/${name}.ts`);
	const sources = await Promise.all(files.map((file) => readFile(new URL(file, import.meta.url), "utf8")));
	const text = sources.join("\n");
	for (const [name, description] of Object.entries(descriptions)) {
		const [, docstring = ""] =
			new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport const ${name} = `).exec(text) ?? [];
		const words = docstring.replace(/\s*\n\s*\*\s?/g, " ").trim();
		expect(words.startsWith(description) ? "" : `${name}: ${words}`).toBe("");
	}
});

describe("what the document says of itself", () => {
	it("explains authentication, errors, pages, idempotency and webhooks to tenants", () => {
		const { description = "" } = documents["tenants"]?.info ?? {};
		const headings = [...description.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
		expect(headings).toEqual(["Authentication", "Errors", "Pages", "Idempotency", "Webhooks"]);
	});

	it.each(parts)("names a credential to %s before all else", (part) => {
		expect(documents[part]?.info.description).toMatch(/^Reelmill .+\n\n## Authentication\n\n/);
	});
});
