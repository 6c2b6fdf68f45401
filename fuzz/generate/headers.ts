import fc from "fast-check";
import type { ApiOperation } from "../api/document.ts";
import type { Body } from "./case.ts";

type Headers = Record<string, string | readonly string[]>;

/** A header's text as Node lets a client send it. */
const text = (maxLength: number) =>
	fc.string({
		unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x7e : code)),
		maxLength,
	});

const numbers = [
	"",
	"0",
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
const metadata = (id: string) => `video_id {{${id}|base64}}`;

/** The headers of tus that the operation needs. */
function tus({ name, media }: ApiOperation): Headers {
	const offset: Headers =
		name === "createUpload" ? { "upload-length": "10", "upload-metadata": metadata("new.video#p") } : {};
	return { "tus-resumable": "1.0.0", ...offset, ...(media !== undefined && { "upload-offset": "0" }) };
}

/** Returns the headers that the operation needs besides the credential. */
export function rightHeaders(operation: ApiOperation, body: Body | null): Headers {
	const type =
		body === null
			? undefined
			: (operation.media ?? (operation.auth === "upload" ? "application/offset+octet-stream" : "application/json"));
	return {
		...(operation.auth === "upload" && tus(operation)),
		...(type !== undefined && { "content-type": type }),
		...(operation.auth === "console" && { "x-service-console": "1" }),
	};
}

const ranges = [
	"bytes=0-3",
	"bytes=2-",
	"bytes=-3",
	"bytes=0-0",
	"bytes=5-2",
	"bytes=99-",
	"bytes=-0",
	"bytes=0-1,3-4",
	`bytes=${"0-0,".repeat(1000)}0-0`,
	"bytes=",
	"bytes=a-b",
	"items=0-1",
	"bytes=0-99999999999999999999",
	"bytes=-99999999999999999999",
	"BYTES= 0-1 ",
	"=",
];
const tags = [
	"*",
	'"x"',
	'W/"x"',
	'"',
	'"a", "b"',
	",,",
	"W/",
	"Sat, 31 Jan 2026 12:00:00 GMT",
	`"${"a".repeat(3000)}"`,
	'"a",'.repeat(500),
];
const types = [
	"",
	"text/plain",
	"application/json; charset=latin1",
	"APPLICATION/JSON",
	"application/merge-patch+json",
	"application/jsonx",
	"application/xml",
	"multipart/form-data",
	";",
	"application/zip",
	"application/offset+octet-stream; charset=utf-8",
	`application/json${";a=b".repeat(1000)}`,
];
const addresses = [
	"127.0.0.1",
	"::1",
	"1.2.3.4, 5.6.7.8",
	"x",
	",".repeat(500),
	"unknown",
	"[::1]:80",
	"1.2.3.4:99999",
];

/** Unusual values by header: a client need not send them, or should not. */
const odd: Readonly<Record<string, fc.Arbitrary<string>>> = {
	"content-type": fc.oneof(fc.constantFrom(...types), text(60)),
	"x-request-id": fc.oneof(
		fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
		fc.constantFrom("x".repeat(129), "a b", "a,b", "é", ""),
		text(200),
	),
	accept: fc.constantFrom("text/html", "*/*;q=0", "", "application/json;q=x"),
	"accept-encoding": fc.constantFrom("gzip", "*", "br;q=1, gzip;q=0", "identity;q=0"),
	origin: fc.constantFrom("null", "https://evil.example", "é", "https://a.example"),
	cookie: fc.oneof(text(60), fc.constant("reelmill_session=x; reelmill_session=y"), fc.constant("a=b;".repeat(1000))),
	"content-encoding": fc.constantFrom("gzip", "br", "identity", "x"),
	"x-forwarded-for": fc.oneof(fc.constantFrom(...addresses), text(40)),
	"x-forwarded-proto": fc.constantFrom("https", "x"),
	"x-forwarded-host": fc.constantFrom("evil.example", "é"),
	"x-http-method-override": fc.constantFrom("PATCH", "HEAD", "DELETE", "delete", "GET", "__proto__", "é"),
	"x-service-domain": fc.oneof(fc.constantFrom("{{domain#0}}", "{{foreign.domain#0}}"), text(40)),
	"x-service-console": fc.constantFrom("1", ""),
	"idempotency-key": fc.oneof(fc.constantFrom("", "a", "x".repeat(256), "a b", "é"), text(255)),
	"if-none-match": fc.oneof(fc.constantFrom(...tags), text(40)),
	"if-match": fc.constantFrom(...tags),
	"if-range": fc.oneof(fc.constantFrom(...tags), text(40)),
	"if-modified-since": fc.constantFrom("Sat, 31 Jan 2026 12:00:00 GMT", "x"),
	range: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ranges) }, { weight: 1, arbitrary: text(40) }),
	expect: fc.constantFrom("200-ok", "x"),
	"access-control-request-method": fc.constantFrom("PATCH", "x"),
	host: fc.constantFrom("evil.example", "127.0.0.1:1", "é", "[", "a b"),
	"tus-resumable": fc.constantFrom("", "0.2.2", "1.0.0, 1.0.0"),
	"upload-length": fc.constantFrom(...numbers),
	"upload-offset": fc.constantFrom(...numbers),
	"upload-defer-length": fc.constantFrom("1", "0", "x"),
	"upload-concat": fc.constantFrom("partial", "final;/uploads/a /uploads/b", "x"),
	"upload-metadata": fc.oneof(
		fc.constantFrom(
			metadata("foreign.video#0"),
			"video_id",
			"video_id eA==",
			",",
			`x ${"A".repeat(4000)}`,
			"a,".repeat(2000),
		),
		text(80),
	),
	"x-long": fc.constant("x".repeat(12_000)),
};

/** Generates one to four of the headers with these names. */
const some = (names: readonly string[]): fc.Arbitrary<Headers> =>
	fc
		.shuffledSubarray([...names], { minLength: 1, maxLength: Math.min(4, names.length) })
		.chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, odd[name] ?? text(40)]))));

export const oddHeaders: fc.Arbitrary<Headers> = some(Object.keys(odd));

const ofPlane: Readonly<Record<string, readonly string[]>> = {
	upload: [
		"tus-resumable",
		"upload-length",
		"upload-offset",
		"upload-metadata",
		"upload-defer-length",
		"upload-concat",
		"x-http-method-override",
		"content-type",
	],
	playback: ["range", "if-none-match", "if-range", "origin"],
};
/** Generates headers that the operation reads, with values that it may not expect. */
export function ownOddHeaders({ auth, headers, body }: ApiOperation): fc.Arbitrary<Headers> {
	const own = new Set([
		...(ofPlane[auth] ?? []),
		...headers,
		...(body === undefined ? [] : ["content-type", "content-encoding"]),
		"x-request-id",
	]);
	return some([...own]);
}
