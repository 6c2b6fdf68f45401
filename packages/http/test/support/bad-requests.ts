import fc from "fast-check";
import type { Named } from "./contract.ts";
import { pathOf } from "./contract.ts";
import { faultsOf, jsonSchemaOf, matching, type Path, replacedAt } from "./json-schema.ts";

export type Headers = Record<string, string>;
export type Written = {
	readonly method: string;
	readonly path: string;
	readonly headers: Headers;
	readonly body: string | Uint8Array | undefined;
};
/**
 * What is there to be asked for: ids of everything, those that are the operation's own more than once, and cursors of
 * lists.
 */
export type Known = { readonly ids: readonly string[]; readonly cursors: readonly string[] };

const unknown = "00000000-0000-4000-8000-000000000000";
/** As a header may hold: what Node lets a client send. */
export const headerText = (maxLength: number) =>
	fc.string({
		unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x7e : code)),
		maxLength,
	});

const oddSegments = [
	"",
	".",
	"..",
	"%2e%2e",
	"..%2f..%2fetc%2fpasswd",
	"%00",
	"%",
	"%zz",
	"%ff",
	"%ed%a0%80",
	"%F0%9F%98%80",
	"a%2Fb",
	"a;b",
	"a?b",
	"~",
	"null",
	"__proto__",
	"constructor",
	"*",
	":id",
	"{id}",
];
const longSegments = [
	"a".repeat(36),
	"a".repeat(4000),
	`${unknown}0`,
	unknown.slice(1),
	unknown.toUpperCase().replace("8000", "A000"),
	unknown.replace("-4000-", "-1000-"),
	`%20${unknown}`,
];

/** One part of a path: something that is there, something that could be, or what no client should send. */
export const segment = ({ ids }: Known): fc.Arbitrary<string> =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom(...ids) },
		{ weight: 1, arbitrary: fc.constantFrom(unknown, ...longSegments) },
		{ weight: 2, arbitrary: fc.constantFrom(...oddSegments) },
		{
			weight: 1,
			arbitrary: fc.string({ maxLength: 60, unit: "binary" }).map((text) => encodeURIComponent(text.toWellFormed())),
		},
	);

export const requestId = fc.option(
	fc.oneof(
		fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
		fc.constantFrom("x".repeat(129), "a b", "a,b", "é"),
		headerText(200),
	),
	{ nil: undefined, freq: 2 },
);

/** Mostly the credential that the operation takes, now and then its text in another form, or something else. */
export const authorization = (right: string | undefined): fc.Arbitrary<string | undefined> => {
	const odd = fc.constantFrom(
		undefined,
		"",
		"Bearer",
		"Bearer ",
		"bearer x",
		"Basic dTpw",
		"Bearer a b",
		`Bearer ${"x".repeat(5000)}`,
		"Bearer eyJhbGciOiJub25lIn0.e30.",
		"Bearer ek_",
		"Bearer \u00e9",
	);
	const forms =
		right === undefined
			? []
			: [
					right,
					right.toUpperCase(),
					right.replace(" ", "  "),
					`${right} `,
					right.slice(0, -1),
					`${right}x`,
					`${right}, ${right}`,
				];
	return fc.oneof(
		{ weight: 9, arbitrary: fc.constant(right) },
		{ weight: 1, arbitrary: fc.oneof(odd, fc.constantFrom(right, ...forms), headerText(80)) },
	);
};

const contentType = fc.oneof(
	{ weight: 9, arbitrary: fc.constant("application/json") },
	{
		weight: 1,
		arbitrary: fc.oneof(
			fc.constantFrom(
				undefined,
				"",
				"text/plain",
				"application/json; charset=latin1",
				"APPLICATION/JSON",
				"application/jsonx",
				"application/xml",
				"multipart/form-data",
				";",
			),
			headerText(60),
		),
	},
);

const others = fc.record(
	{
		accept: fc.constantFrom("text/html", "*/*;q=0", ""),
		origin: fc.constantFrom("null", "https://evil.example", "é"),
		cookie: headerText(60),
		"content-encoding": fc.constantFrom("gzip", "br", "identity"),
		"x-forwarded-for": headerText(40),
		"x-http-method-override": fc.constantFrom("DELETE", "é", "__proto__"),
		"x-service-domain": headerText(40),
		"if-none-match": fc.constantFrom("*", '"x"'),
		"accept-encoding": fc.constantFrom("gzip", "*"),
		range: fc.constantFrom("bytes=0-0", "bytes=-1"),
	},
	{ requiredKeys: [] },
);

const encode = (values: unknown): string =>
	Object.entries(values as object)
		.map(
			([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(String(value).toWellFormed())}`,
		)
		.join("&");

function query({ query: declared }: Named, { cursors }: Known): fc.Arbitrary<string> {
	const odd = fc.constantFrom(
		"x=1",
		"__proto__=1",
		"constructor=",
		"limit=1&limit=2",
		"limit[]=1",
		"cursor=%00",
		"cursor=%zz",
		"cursor=%ff",
		"&&",
		"=",
		"%",
		"a=b=c",
		"limit=0x10",
		"limit=1e1",
		"limit=%201",
		"limit=",
		"state=",
		`cursor=${"a".repeat(4000)}`,
	);
	if (declared === undefined) return fc.oneof({ weight: 9, arbitrary: fc.constant("") }, { weight: 1, arbitrary: odd });
	const schema = jsonSchemaOf(declared);
	const base = matching(schema);
	const fault = fc
		.tuple(base, fc.constantFrom(...faultsOf(schema).filter(({ path }) => path.length > 0)))
		.map(([value, { path, value: wrong }]) => replacedAt(value, path, wrong));
	const tampered = fc
		.constantFrom(...cursors)
		.chain((cursor) =>
			fc.constantFrom(cursor, `${cursor}x`, cursor.slice(1), cursor.toUpperCase(), `${cursor.slice(0, -2)}AA`),
		);
	const paged = fc.tuple(base, tampered).map(([value, cursor]) => ({ ...(value as object), cursor }));
	return fc.oneof(
		fc.constant(""),
		base.map(encode),
		fault.map(encode),
		...(schema.properties?.["cursor"] ? [paged.map(encode)] : []),
		odd,
	);
}

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
const malformed = [
	"",
	" ",
	"{",
	"nul",
	"NaN",
	"{'a':1}",
	'{"a":NaN}',
	'{"a":Infinity}',
	'{"a":1e999}',
	'{"a":-0}',
	'{"a":01}',
	'{"a":1,}',
	'{"a":"\\ud800"}',
	'{"\\u0000":1}',
	'"text"',
	"[]",
	"1",
	"true",
	"null",
];
const bytes = [
	Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
	Buffer.from("\ufeff{}"),
	Buffer.from([0x22, 0xc0, 0x80, 0x22]),
	Buffer.alloc(200),
	Buffer.from("[".repeat(60_000)),
	Buffer.from(nested(30_000, "[", "]")),
	Buffer.from(nested(5000, '{"a":', "}").replace(":}", ":1}")),
];
const sizes = [65_535, 65_536, 65_537, 300_000];

function body({ body: declared }: Named, known: Known): fc.Arbitrary<string | Uint8Array | undefined> {
	const raw = fc.oneof(
		fc.constantFrom(...malformed, ...bytes),
		fc.uint8Array({ maxLength: 200 }),
		fc.constantFrom(...sizes).map((size) => JSON.stringify("x".repeat(size - 2))),
	);
	if (declared === undefined)
		return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: raw });
	const schema = jsonSchemaOf(declared);
	const right = matching(schema, known);
	const fault = fc.constantFrom(...faultsOf(schema));
	const faulty = fc.tuple(right, fault).map(([value, one]) => replacedAt(value, one.path, one.value));
	const twice = fc.tuple(faulty, fault).map(([value, one]) => replacedAt(value, one.path, one.value));
	const places: Path[] = [[], ...Object.keys(schema.properties ?? {}).map((key) => [key])];
	const key = fc.oneof(
		fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "", "a.b", "$where"),
		fc.string({ unit: "binary", maxLength: 20 }),
	);
	const more = fc
		.tuple(right, fc.constantFrom(...places), key, fc.jsonValue())
		.map(([value, place, name, extra]) => replacedAt(value, [...place, name], extra));
	const less = fc.tuple(right, fc.constantFrom(...places)).map(([value, place]) => replacedAt(value, place, undefined));
	const padded = fc.tuple(right, fc.constantFrom(...sizes)).map(([value, size]) => {
		const text = JSON.stringify(value);
		return text + " ".repeat(Math.max(0, size - Buffer.byteLength(text)));
	});
	const written = fc
		.oneof(right, right, faulty, faulty, twice, more, less, fc.jsonValue())
		.map((value) => JSON.stringify(value) ?? "");
	return fc.oneof({ weight: 12, arbitrary: written }, { weight: 2, arbitrary: raw }, { weight: 1, arbitrary: padded });
}

/** For each thing that can be wrong with the operation's body, a request in which nothing else is. */
export function faultyBodies(
	operation: Named,
	credential: string | undefined,
	{ ids: [id = unknown, lock = unknown] }: Known,
): Written[] {
	if (operation.body === undefined) return [];
	const schema = jsonSchemaOf(operation.body);
	const [right] = fc.sample(matching(schema, { minimal: true }), { numRuns: 1, seed: 1 });
	const base = typeof right === "object" && right !== null && "lock" in right ? { ...right, lock } : right;
	const headers = {
		...(credential !== undefined && { authorization: credential }),
		"content-type": "application/json",
	};
	return faultsOf(schema).map(({ path, value }) => ({
		method: operation.method,
		path: pathOf(operation, () => id),
		headers,
		body: JSON.stringify(replacedAt(base, path, value)),
	}));
}

/**
 * Requests for an operation, from well-formed ones to what only an attacker sends. `credential` is the Authorization
 * header that opens it.
 */
export function requestsFor(operation: Named, credential: string | undefined, known: Known): fc.Arbitrary<Written> {
	const parts = fc.array(segment(known), { minLength: 3, maxLength: 3 });
	return fc
		.record({
			parts,
			query: query(operation, known),
			body: body(operation, known),
			type: contentType,
			authorization: authorization(credential),
			id: requestId,
			others,
		})
		.map(({ parts: [...left], query: search, body: sent, type, authorization: who, id, others: more }) => {
			const path = pathOf(operation, () => left.pop() ?? unknown);
			const headers = Object.entries({
				...more,
				authorization: who,
				"content-type": sent === undefined ? undefined : type,
				"x-request-id": id,
			});
			return {
				method: operation.method,
				path: search === "" ? path : `${path}?${search}`,
				headers: Object.fromEntries(headers.filter((header): header is [string, string] => header[1] !== undefined)),
				body: sent,
			};
		});
}
