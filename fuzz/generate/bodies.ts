import fc from "fast-check";
import { type JsonSchema, matching } from "../../packages/http/test/support/json-schema.ts";
import {
	malformedBytes,
	malformedTexts,
	oddQueries,
	oddSizes,
	wrongQueries,
	wrongValues,
} from "../../packages/http/test/support/odd-parts.ts";
import type { ApiOperation } from "../api/document.ts";
import { deliveredPaths } from "../world/files.ts";
import type { Body } from "./case.ts";

const mostly = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: other });
const word = fc.stringMatching(/^[a-z0-9]{1,20}$/);
const host = fc.constantFrom(
	"hooks.fuzz.invalid",
	"127.0.0.1:9",
	"[::1]:9",
	"169.254.169.254",
	"10.0.0.1",
	"0x7f.1",
	"localhost",
	"a..b",
	"x".repeat(64),
	"é.invalid",
);

/** Useful values by a field's name. Few of the other values that the schema allows would reach anything. */
const useful: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
	content_type: mostly(
		fc.constantFrom("video/mp4", "video/webm", "VIDEO/MP4"),
		fc.constantFrom("image/png", "video/", "video/mp4; codecs=a", "x"),
	),
	file_size: mostly(fc.constant(10), fc.integer({ min: 1, max: 209_715_200 })),
	duration_seconds: mostly(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2 ** 31 })),
	uploader_ref: fc.integer({ min: 0, max: 5000 }).map((number) => `uploader-${number}`),
	outro_slug: fc.constantFrom(null, "{{outro#p}}", "nothing"),
	default_outro_slug: fc.constantFrom(null, "{{outro#p}}", "nothing"),
	slug: word.map((text) => `made-${text}`),
	name: word.map((text) => `made-${text}`),
	lock: mostly(fc.constant("{{lock#p}}"), fc.constantFrom("{{foreign.lock#0}}", "{{lock#99}}")),
	video_ids: fc.constantFrom(["{{private#p}}"], ["{{private#p}}"], ["{{foreign.private#0}}"], ["x"], [""]),
	webhook_url: fc.oneof(
		fc.constant(null),
		fc.tuple(fc.constantFrom("https://", "http://", "ftp://", "//"), host).map((parts) => `${parts.join("")}/hook`),
	),
	webhook_secret: fc.constantFrom(null, "whsec_canary-{{owner#0}}-webhook", "whsec_"),
	endpoint: fc.tuple(fc.constantFrom("https://", "http://"), host).map((parts) => parts.join("")),
	backend: fc.constantFrom("local", "local", "s3_tenant", "s3_platform"),
	wait_seconds: fc.constantFrom(0, 0, 0, 1),
	domain_ids: fc.constantFrom([], ["{{spare.domain#p}}"]),
	files: fc.constantFrom(
		[...deliveredPaths],
		deliveredPaths.slice(1),
		[{ path: "web.mp4", size: 10 }],
		["../x"],
		["nothing"],
	),
	daily_upload_bytes: mostly(fc.constant(2 ** 50), fc.integer({ min: 0, max: 1000 })),
	storage_bytes_limit: mostly(fc.constant(2 ** 50), fc.integer({ min: 0, max: 1000 })),
	grace_seconds: fc.integer({ min: 0, max: 3600 }),
	first_frame: fc.integer({ min: 0, max: 20 }).map((number) => number * 60),
	end_frame: fc.integer({ min: 1, max: 20 }).map((number) => number * 60),
};
/** More useful values for single operations, by the operation's name. */
const usefulFor: Readonly<Record<string, object>> = {
	issueServiceToken: { name: "{{account.name#p}}", secret: "{{account.secret#p}}" },
};

function withUseful(value: unknown, drawn: Readonly<Record<string, unknown>>): unknown {
	if (Array.isArray(value)) return value.map((one) => withUseful(one, drawn));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) => [key, Object.hasOwn(drawn, key) ? drawn[key] : withUseful(one, drawn)]),
	);
}

const namesIn = ({ properties = {}, items, anyOf = [] }: JsonSchema): string[] => [
	...Object.entries(properties).flatMap(([name, one]) => [name, ...namesIn(one)]),
	...(items ? namesIn(items) : []),
	...anyOf.flatMap(namesIn),
];

/** Generates a value that the schema allows and that fits the world. */
function rightValue(operation: ApiOperation, schema: JsonSchema): fc.Arbitrary<unknown> {
	const fields = [...new Set(namesIn(schema))].flatMap((name) =>
		useful[name] === undefined ? [] : [[name, useful[name]] as const],
	);
	const right = fc
		.tuple(matching(schema, { ids: ["{{private#0}}", "{{video#0}}"] }), fc.record(Object.fromEntries(fields)))
		.map(([value, drawn]) => ({ ...(withUseful(value, drawn) as object), ...usefulFor[operation.name] }));
	return operation.path.startsWith("/v1/domain/storage") ? fc.oneof(fc.constant({ backend: "local" }), right) : right;
}

/** Generates bodies that are not JSON, are nested very deeply, or are too large. */
const wildBody: fc.Arbitrary<Body> = fc.oneof(
	fc.constantFrom(...malformedTexts).map((text) => ({ text })),
	fc
		.oneof(fc.constantFrom(...malformedBytes), fc.uint8Array({ maxLength: 200 }))
		.map((some) => ({ base64: Buffer.from(some).toString("base64") })),
	fc.constantFrom(...oddSizes, 2_000_000).map((size) => ({ text: JSON.stringify("x".repeat(size - 2)) })),
);

const archives = [
	"whole.zip",
	"whole.zip",
	"part.zip",
	"traversal.zip",
	"absolute.zip",
	"twice.zip",
	"link.zip",
	"bomb.zip",
	"many.zip",
	"cut.zip",
	"none.zip",
];

/** Generates a body as the operation takes it; null if it takes none. */
export function rightBody(operation: ApiOperation): fc.Arbitrary<Body | null> {
	if (operation.media === "application/zip")
		return fc.constantFrom(...archives.slice(0, 2)).map((fixture) => ({ fixture }));
	if (operation.media !== undefined) return fc.constantFrom("", "0", "01234", "0123456789").map((text) => ({ text }));
	if (operation.body === undefined)
		return operation.method === "GET" || operation.auth === "upload"
			? fc.constant(null)
			: fc.constantFrom(null, null, null, { text: "{}" });
	return rightValue(operation, operation.body).map((value) => ({ text: JSON.stringify(value) }));
}

/** Generates a body with one or two errors, or one that is wrong as a whole. */
export function wrongBody(operation: ApiOperation): fc.Arbitrary<Body | null> {
	if (operation.media === "application/zip")
		return fc.oneof(
			fc.constantFrom(...archives).map((fixture) => ({ fixture })),
			wildBody,
		);
	if (operation.media !== undefined)
		return fc.oneof(
			fc.integer({ min: 0, max: 5000 }).map((size) => ({ text: "x".repeat(size) })),
			wildBody,
		);
	const { body: schema } = operation;
	if (schema === undefined)
		return fc.oneof(fc.constantFrom({ text: '{"foo":1}' }, { text: "[]" }, { text: "null" }), wildBody);
	const value = rightValue(operation, schema);
	const written = wrongValues(value, schema).map((one) => ({ text: JSON.stringify(one) ?? "" }));
	const doubled = value.map((whole) => ({
		text: JSON.stringify(whole).replace(/^\{("[^"]*":)/, (_, first: string) => `{${first}null,${first}`),
	}));
	return fc.oneof(
		{ weight: 8, arbitrary: written },
		{ weight: 1, arbitrary: doubled },
		{ weight: 3, arbitrary: wildBody },
	);
}

/** Generates the query's text without the question mark: a right one, or one with an error. */
export function queryOf({ query: schema, name }: ApiOperation, isRight: boolean): fc.Arbitrary<string> {
	const cursors = [
		`{{cursor.${name}#p}}`,
		`{{cursor.${name}#p|flip}}`,
		"{{foreign.cursor.listVideos#0}}",
		"{{cursor.listDomains#0}}",
	];
	const isPaged = schema?.properties?.["cursor"] !== undefined;
	if (schema === undefined) return isRight ? fc.constant("") : fc.constantFrom(...oddQueries);
	const base = matching(schema).map((value) => ({ ...(value as Record<string, unknown>) }));
	const fixed = base.map((value) => {
		if ("lock" in value) value["lock"] = name === "getJobPart" ? "{{part.lock#0}}" : "{{lock#p}}";
		if ("path" in value) value["path"] = "web.mp4";
		if ("part" in value && name !== "getJobPart") delete value["part"];
		if ("cursor" in value) delete value["cursor"];
		return value;
	});
	const paged = fc.tuple(fixed, fc.constantFrom(...cursors)).map(([value, cursor]) => ({ ...value, cursor }));
	if (isRight)
		return fc
			.oneof(
				{ weight: 4, arbitrary: fixed },
				...(isPaged ? [{ weight: 1, arbitrary: paged.map((value) => ({ ...value, cursor: cursors[0] })) }] : []),
			)
			.map(encode);
	return fc.oneof(
		wrongQueries(base, schema).map(encode),
		...(isPaged ? [paged.map(encode)] : []),
		fc.constantFrom(...oddQueries),
	);
}

/** Placeholders stay readable: what replaces them needs no encoding. */
const encode = (values: unknown): string =>
	Object.entries(values as object)
		.filter(([, value]) => value !== undefined)
		.map(([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${encoded(String(value).toWellFormed())}`)
		.join("&");
const encoded = (text: string): string => (/^\{\{[^}]*\}\}$/.test(text) ? text : encodeURIComponent(text));
