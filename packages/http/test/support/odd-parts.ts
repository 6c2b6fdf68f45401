/** Parts of requests that no client should send. The tests here and the fuzz make their requests of them. */
import fc from "fast-check";
import { faultsOf, type JsonSchema, type Path, replacedAt } from "./json-schema.ts";

export const unknownId = "00000000-0000-4000-8000-000000000000";

/** A header's text as Node lets a client send it. */
export const headerText = (maxLength: number): fc.Arbitrary<string> =>
	fc.string({
		unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x7e : code)),
		maxLength,
	});

export const oddSegments = [
	"",
	".",
	"..",
	"%2e%2e",
	"..%2f..%2fetc%2fpasswd",
	"%252e%252e",
	"..%5c..%5cx",
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
	"a".repeat(36),
	"a".repeat(4000),
	"%41".repeat(1000),
	unknownId,
	unknownId.slice(1),
	unknownId.toUpperCase().replace("8000", "A000"),
	unknownId.replace("-4000-", "-1000-"),
	`${unknownId}0`,
	`%20${unknownId}`,
	`${unknownId}%00`,
];
export const anySegment = fc
	.string({ maxLength: 60, unit: "binary" })
	.map((text) => encodeURIComponent(text.toWellFormed()));

export const oddQueries = [
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
	"?",
	`cursor=${"a".repeat(4000)}`,
	"a&".repeat(2000),
];

export const oddAuthorizations = [
	"",
	"Bearer",
	"Bearer ",
	"bearer x",
	"Basic dTpw",
	"Digest username=x",
	"Bearer a b",
	`Bearer ${"x".repeat(7000)}`,
	`Bearer a${" ".repeat(6000)}b`,
	`Bearer ${" ".repeat(6000)}`,
	"Bearer eyJhbGciOiJub25lIn0.e30.",
	"Bearer eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJhdWQiOiJzZXJ2aWNlLXBsYXliYWNrIn0.",
	`Bearer ${"a.".repeat(3000)}`,
	"Bearer ek_",
	"Bearer \u00e9",
];

const ranges = [
	"bytes=0-3",
	"bytes=2-",
	"bytes=-3",
	"bytes=0-0",
	"bytes=5-2",
	"bytes=99-",
	"bytes=10-",
	"bytes=11-12",
	"bytes=-0",
	"bytes=0-1,3-4",
	"bytes=",
	"bytes=a-b",
	"items=0-1",
	"bytes=0-99999999999999999999",
	"bytes=-99999999999999999999",
	"BYTES= 0-1 ",
	"=",
];
const tags = ["*", '"x"', 'W/"x"', '"', '"a", "b"', ",,", "W/", "Sat, 31 Jan 2026 12:00:00 GMT"];
/** What upload-length and upload-offset say of an upload of ten bytes. */
export const oddNumbers = [
	"",
	"0",
	"00",
	"-1",
	"5",
	"9",
	"10",
	"11",
	"10.0",
	"1e1",
	"0x0a",
	"010",
	"abc",
	"9007199254740993",
	"9".repeat(30),
];
const or = (values: readonly string[], maxLength: number) =>
	fc.oneof(fc.constantFrom(...values), headerText(maxLength));

/** Odd values by header. Each has less than 300 characters, so that a request may have them all. */
export const oddHeaders = {
	"content-type": or(
		[
			"",
			"text/plain",
			"application/json; charset=latin1",
			"APPLICATION/JSON",
			"application/merge-patch+json",
			"application/jsonx",
			"application/xml",
			"multipart/form-data",
			";",
		],
		60,
	),
	"x-request-id": fc.oneof(
		fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
		or(["x".repeat(129), "a b", "a,b", "é", ""], 200),
	),
	accept: or(["text/html", "*/*;q=0", "", "application/json;q=x"], 20),
	"accept-encoding": fc.constantFrom("gzip", "*", "br;q=1, gzip;q=0", "identity;q=0"),
	origin: fc.constantFrom("null", "https://evil.example", "é", "https://a.example"),
	cookie: or(["reelmill_session=x; reelmill_session=y"], 60),
	"content-encoding": fc.constantFrom("gzip", "br", "identity", "x"),
	"x-forwarded-for": or(["127.0.0.1", "::1", "1.2.3.4, 5.6.7.8", "x", "unknown", "[::1]:80", "1.2.3.4:99999"], 40),
	"x-http-method-override": fc.constantFrom("PATCH", "HEAD", "DELETE", "delete", "GET", "__proto__", "é"),
	"if-none-match": or(tags, 40),
	"if-range": or(tags, 40),
	range: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ranges) }, { weight: 1, arbitrary: headerText(40) }),
} satisfies Readonly<Record<string, fc.Arbitrary<string>>>;

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
export const malformedTexts = [
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
	"\ufeff{}",
	"[".repeat(60_000),
	nested(30_000, "[", "]"),
	nested(5000, '{"a":', "}").replace(":}", ":1}"),
	`{"a":${"9".repeat(20_000)}}`,
	`{${'"a":1,'.repeat(8000)}"a":2}`,
];
export const malformedBytes = [
	Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
	Buffer.from([0x22, 0xc0, 0x80, 0x22]),
	Buffer.alloc(200),
	Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
];
/** Around the largest body. */
export const oddSizes = [65_535, 65_536, 65_537, 300_000];

const oddKeys = fc.oneof(
	fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "", "a.b", "$where", "id"),
	fc.string({ unit: "binary", maxLength: 20 }),
);
/** Generates values with one or two errors, made of what the schema allows, or any other value. */
export function wrongValues(right: fc.Arbitrary<unknown>, schema: JsonSchema): fc.Arbitrary<unknown> {
	const fault = fc.constantFrom(...faultsOf(schema));
	const faulty = fc.tuple(right, fault).map(([value, one]) => replacedAt(value, one.path, one.value));
	const twice = fc.tuple(faulty, fault).map(([value, one]) => replacedAt(value, one.path, one.value));
	const places: Path[] = [[], ...Object.keys(schema.properties ?? {}).map((key) => [key])];
	const more = fc
		.tuple(right, fc.constantFrom(...places), oddKeys, fc.jsonValue())
		.map(([value, place, key, extra]) => replacedAt(value, [...place, key], extra));
	const less = fc.tuple(right, fc.constantFrom(...places)).map(([value, place]) => replacedAt(value, place, undefined));
	return fc.oneof({ weight: 4, arbitrary: faulty }, twice, more, less, fc.jsonValue());
}

/** Generates queries of what the schema allows with one error. */
export const wrongQueries = (right: fc.Arbitrary<unknown>, schema: JsonSchema): fc.Arbitrary<unknown> =>
	fc
		.tuple(right, fc.constantFrom(...faultsOf(schema).filter(({ path }) => path.length > 0)))
		.map(([value, { path, value: wrong }]) => replacedAt(value, path, wrong));
