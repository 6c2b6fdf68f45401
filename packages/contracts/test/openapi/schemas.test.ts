import { describe, expect, it } from "vitest";
import {
	api,
	CreateVideo,
	Domain,
	DomainConfigPatch,
	ErrorBody,
	errorExtras,
	errors,
	type Operation,
	StorageView,
	WebhookEvent,
} from "../../src/index.ts";
import { examples as typedExamples } from "../../src/openapi/examples.ts";
import { errorSchemas, requestSchemas, responseSchemas } from "../../src/openapi/named-schemas.ts";

const examples: Record<string, object> = typedExamples;
const requests = Object.entries(requestSchemas);
const responses = Object.entries(responseSchemas);

it("name every body of the API, requests among those that refuse unknown keys", () => {
	const operations: Operation[] = Object.values(api);
	const bodies = operations.flatMap(({ body, text }) => (body === undefined || text !== undefined ? [] : body));
	const answers = operations.flatMap(({ success }) => ("body" in success ? (success.body ?? []) : []));
	expect(new Set(Object.values(requestSchemas))).toEqual(new Set(bodies));
	expect(Object.values(responseSchemas)).toEqual(expect.arrayContaining([...answers, WebhookEvent]));
});

describe("request schemas", () => {
	it.each(requests)("%s takes its example and refuses an unknown key", (name, schema) => {
		expect(schema.parse(examples[name])).toMatchObject(examples[name] ?? { no: "example" });
		const refused = schema.safeParse({ ...examples[name], surprise: 1 });
		expect(refused.error?.issues).toMatchObject([{ code: "unrecognized_keys", keys: ["surprise"] }]);
	});

	it("refuse unknown keys in every query but the identity provider's", () => {
		const open = Object.entries(api as Record<string, Operation>).filter(
			([, { query }]) => query?.safeParse({ lock: crypto.randomUUID(), surprise: "1" }).success,
		);
		expect(open.map(([name]) => name)).toEqual(["completeOauth"]);
	});

	it("refuse an empty change of configuration, and null where the field is not nullable", () => {
		expect(DomainConfigPatch.safeParse({}).success).toBe(false);
		expect(DomainConfigPatch.safeParse({ transcript: null }).success).toBe(false);
		expect(DomainConfigPatch.safeParse({ webhook_url: null, outputs: { dash: true } }).success).toBe(true);
		expect(DomainConfigPatch.safeParse({ outputs: { smooth: true } }).success).toBe(false);
	});

	it.each([
		[{ file_size: 0 }, false],
		[{ file_size: 209_715_200 }, true],
		[{ file_size: 209_715_201 }, false],
		[{ file_size: 1.5 }, false],
		[{ duration_seconds: 0 }, false],
		[{ external_ref: "" }, false],
		[{ external_ref: "x".repeat(255) }, true],
		[{ external_ref: "x".repeat(256) }, false],
		[{ outro_slug: null }, true],
		[{ outro_slug: "-spring" }, false],
		[{ outro_slug: "s".repeat(64) }, true],
		[{ outro_slug: "s".repeat(65) }, false],
		[{ content_type: "v".repeat(101) }, false],
		[{ visibility: "secret" }, false],
	])("hold CreateVideo to its bounds: %j is taken: %s", (change, taken) => {
		expect(CreateVideo.safeParse({ content_type: "video/mp4", file_size: 1, ...change }).success).toBe(taken);
	});
});

describe("response schemas", () => {
	it.each(responses)("%s takes its example whole and drops what it does not know", (name, schema) => {
		expect(schema.parse({ ...examples[name], internal_note: "not for callers" })).toEqual(examples[name]);
	});

	it("never hold a secret of the webhook or the storage in a view", () => {
		expect(Object.keys(Domain.shape.config.shape)).not.toContain("webhook_secret");
		expect(Object.keys(StorageView.shape)).not.toContain("secret_access_key");
	});

	it("carry the extras of every code that has some, and no other's", () => {
		for (const [code, extras] of Object.entries(errorExtras)) {
			expect(errors).toHaveProperty(code);
			for (const field of Object.keys(extras.shape)) expect(Object.keys(ErrorBody.shape)).toContain(field);
		}
		for (const [code, { shape }] of Object.entries(errorSchemas)) {
			const own = Object.keys(errorExtras[code as keyof typeof errorExtras]?.shape ?? {});
			expect(Object.keys(shape), code).toEqual(["error", "message", ...own]);
		}
	});
});
