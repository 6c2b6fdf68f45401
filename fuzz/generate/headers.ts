import fc from "fast-check";
import * as parts from "../../packages/http/test/support/odd-parts.ts";
import type { ApiOperation } from "../api/document.ts";
import type { Body } from "./case.ts";

type Headers = Record<string, string | readonly string[]>;

const { headerText: text, oddNumbers } = parts;
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

/** Unusual values by header: a client need not send them, or should not. */
const odd: Readonly<Record<string, fc.Arbitrary<string>>> = {
	...parts.oddHeaders,
	"x-forwarded-proto": fc.constantFrom("https", "x"),
	"x-forwarded-host": fc.constantFrom("evil.example", "é"),
	"x-service-domain": fc.oneof(fc.constantFrom("{{domain#0}}", "{{foreign.domain#0}}"), text(40)),
	"x-service-console": fc.constantFrom("1", ""),
	"idempotency-key": fc.oneof(fc.constantFrom("", "a", "x".repeat(256), "a b", "é"), text(255)),
	"if-match": parts.oddHeaders["if-none-match"],
	"if-modified-since": fc.constantFrom("Sat, 31 Jan 2026 12:00:00 GMT", "x"),
	expect: fc.constantFrom("200-ok", "x"),
	"access-control-request-method": fc.constantFrom("PATCH", "x"),
	host: fc.constantFrom("evil.example", "127.0.0.1:1", "é", "[", "a b"),
	"tus-resumable": fc.constantFrom("", "0.2.2", "1.0.0, 1.0.0"),
	"upload-length": fc.constantFrom(...oddNumbers),
	"upload-offset": fc.constantFrom(...oddNumbers),
	"upload-defer-length": fc.constantFrom("1", "0", "x"),
	"upload-concat": fc.constantFrom("partial", "final;/uploads/a /uploads/b", "x"),
	"upload-metadata": fc.oneof(
		fc.constantFrom(metadata("foreign.video#0"), "video_id", "video_id eA==", ",", `x ${"A".repeat(4000)}`),
		text(80),
	),
	"x-long": fc.constant("x".repeat(12_000)),
};
/** Values that are long, by header. */
const long: Readonly<Record<string, string>> = {
	"content-type": `application/json${";a=b".repeat(1000)}`,
	cookie: "a=b;".repeat(1000),
	"x-forwarded-for": ",".repeat(500),
	"if-none-match": `"${"a".repeat(3000)}"`,
	"if-match": '"a",'.repeat(500),
	range: `bytes=${"0-0,".repeat(1000)}0-0`,
	"upload-metadata": "a,".repeat(2000),
};

/** Generates one to four of the headers with these names. */
const some = (names: readonly string[]): fc.Arbitrary<Headers> =>
	fc
		.shuffledSubarray([...names], { minLength: 1, maxLength: Math.min(4, names.length) })
		.chain((chosen) => fc.record(Object.fromEntries(chosen.map((name) => [name, oddValue(name)]))));
const oddValue = (name: string): fc.Arbitrary<string> => {
	const values = odd[name] ?? text(40);
	const arbitrary = fc.constant(long[name] ?? "");
	return long[name] === undefined ? values : fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary });
};

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
