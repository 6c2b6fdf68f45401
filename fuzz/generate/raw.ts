import fc from "fast-check";
import type { RawStep } from "./case.ts";

type Raw = Omit<RawStep, "kind">;
const raw = (parts: readonly (string | number)[], more: Partial<Raw> = {}): RawStep => ({
	kind: "raw",
	parts,
	end: "wait",
	mostAnswers: 1,
	...more,
});
const host = "Host: fuzz\r\n";
const auth = "Authorization: Bearer {{key#0}}\r\n";
const close = "Connection: close\r\n";
const json = "Content-Type: application/json\r\n";
const get = (target: string, headers = "") => `GET ${target} HTTP/1.1\r\n${host}${headers}\r\n`;
const post = (target: string, headers: string, body = "") =>
	`POST ${target} HTTP/1.1\r\n${host}${auth}${json}${headers}\r\n${body}`;
const smuggled = get("/v1/domain", auth);
const video = '{"content_type":"video/mp4","file_size":10}';

const brokenLines = [
	"\r\n\r\n",
	"GET\r\n\r\n",
	"GET /\r\n\r\n",
	"GET / HTTP/0.9\r\n\r\n",
	"GET / HTTP/1.2\r\nHost: a\r\n\r\n",
	"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
	"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
	"GET / FTP/1.1\r\n\r\n",
	"get /v1/health HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET  /v1/health  HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET\t/v1/health\tHTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /v1/he alth HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /v1/he\u0000alth HTTP/1.1\r\nHost: a\r\n\r\n",
	"GET /\u00ff\u00fe HTTP/1.1\r\nHost: a\r\n\r\n",
	"FOO /v1/health HTTP/1.1\r\nHost: a\r\n\r\n",
	`${"A".repeat(300)} / HTTP/1.1\r\nHost: a\r\n\r\n`,
	`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
	"GET /v1/health HTTP/1.1\nHost: a\n\n",
	"GET /v1/health HTTP/1.1\r\n\r\n",
	"GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
	"GET /v1/health HTTP/1.0\r\n\r\n",
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000",
	"\u0016\u0003\u0001\u0000\u00c8\u0001\u0000\u0000\u00c4\u0003\u0003".padEnd(205, "\u0007"),
	"\u0005\u0001\u0000",
	"SSH-2.0-fuzz\r\n",
	"* OK IMAP\r\n",
	"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n",
];
const targets = [
	"*",
	"http://evil.example/v1/health",
	"http://evil.example",
	"https://a:b@c/v1/domain",
	"evil.example:80",
	"//evil.example/v1/health",
	"///v1/health",
	"/v1/health#x",
	"/v1//health",
	"/./v1/health",
	"/x/../v1/health",
	"/%76%31/health",
	"/v1/health%00",
	"/v1/%2e%2e/health",
	"/v1/health?%",
	"/v1\\health",
	"?",
	"/?",
	"/videos/%2e%2e/%2e%2e/etc/passwd",
	"/videos/{{private#0}}/%2e%2e/{{private#0}}/web.mp4",
	"/videos//web.mp4",
	"/uploads/../v1/domain",
	"/internal/v1/jobs/../../../v1/domain",
	"file:///etc/passwd",
	"javascript:0",
	`/${"%41".repeat(3000)}`,
	`/${"../".repeat(2000)}`,
];
const methods = ["GET", "POST", "CONNECT", "OPTIONS", "TRACE", "M-SEARCH", "PURGE", "QUERY", "HEAD", "LOCK", "DELETE"];
const brokenHeaders = [
	"No colon\r\n",
	": no name\r\n",
	"A B: space\r\n",
	"A: \u0000\r\n",
	"A: b\rc\r\n",
	" folded: at once\r\n",
	"A: b\r\n c: folded\r\n",
	"A\u00ff: b\r\n",
	`${"a".repeat(20_000)}: b\r\n`,
	`A: ${"b".repeat(20_000)}\r\n`,
	"a:b\r\n".repeat(3000),
	"Content-Length: x\r\n",
	"Content-Length: -1\r\n",
	"Content-Length: 1, 2\r\n",
	"Content-Length: 1\r\nContent-Length: 2\r\n",
	"Content-Length: 99999999999999999999\r\n",
	"Content-Length: +5\r\n",
	"Transfer-Encoding: x\r\n",
	"Transfer-Encoding: chunked, chunked\r\n",
	"Transfer-Encoding: gzip, chunked\r\n",
	"Transfer-Encoding: \u000bchunked\r\n",
	"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
	"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
	"Expect: 100-continue\r\n",
	"Expect: 42-nonsense\r\n",
	"Connection: x, close\r\n",
	"Connection: keep-alive, Authorization\r\nKeep-Alive: timeout=x\r\n",
	"TE: trailers\r\nTrailer: Authorization\r\n",
	`Cookie: ${"a=b; ".repeat(2000)}\r\n`,
	`Authorization: Bearer ${"a".repeat(10_000)}\r\n`,
	"Authorization: Bearer {{key#0}}\r\nAuthorization: Bearer {{foreign.key#0}}\r\n",
];
const brokenChunks = [
	"zz\r\n",
	"-1\r\n",
	"ffffffffffffffffff\r\n",
	"5\r\nabc\r\n0\r\n\r\n",
	"3\r\nabcdef\r\n0\r\n\r\n",
	'3;ext="a\r\nabc\r\n0\r\n\r\n',
	`3;${"x".repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
	"3\nabc\n0\n\n",
	"0\r\nAuthorization: x\r\n\r\n",
	`0\r\n${"a:b\r\n".repeat(3000)}\r\n`,
	"0x3\r\nabc\r\n0\r\n\r\n",
	"3\r\nabc0\r\n\r\n",
	"\r\n",
];
/** The server and a proxy before it would disagree about where the first request ends. */
const smuggling = [
	post("/v1/videos", "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`),
	post("/v1/videos", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", `1\r\nZ\r\n0\r\n\r\n${smuggled}`),
	post("/v1/videos", "Transfer-Encoding : chunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${smuggled}`),
	post("/v1/videos", "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${smuggled}`),
	post("/v1/videos", "Transfer-Encoding:\tchunked\r\nTransfer-Encoding: identity\r\n", `0\r\n\r\n${smuggled}`),
	post("/v1/videos", "Content-Length: 0\r\nContent-Length: 44\r\n", smuggled),
	post("/v1/videos", `Content-Length: ${smuggled.length}\r\nConnection: Content-Length\r\n`, smuggled),
	get("/v1/health", "X: y\rContent-Length: 5\r\n") + smuggled,
];

/**
 * A header that never ends, a body that ends too early, a client that leaves: nothing is to be answered, and nothing
 * may stay behind.
 */
const unfinished = [
	"G",
	"GET /v1/health",
	`GET /v1/health HTTP/1.1\r\n${host}`,
	post("/v1/videos", "Content-Length: 43\r\n", video.slice(0, 20)),
	post("/v1/videos", "Transfer-Encoding: chunked\r\n", '5\r\n{"con'),
	`PUT /internal/v1/jobs/{{job#0}}/outputs?lock={{lock#0}} HTTP/1.1\r\n${host}Authorization: Bearer {{service#0}}\r\nContent-Type: application/zip\r\nContent-Length: 1000\r\n\r\nPK`,
	`PATCH /uploads/{{upload.video#0}} HTTP/1.1\r\n${host}Authorization: Bearer {{upload.token#0}}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 10\r\n\r\n012`,
	post("/v1/videos", "Expect: 100-continue\r\nContent-Length: 43\r\n"),
	`GET /videos/{{public#0}}/web.mp4 HTTP/1.1\r\n${host}\r\n`,
];

const ids = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{12}$/), { minLength: 2, maxLength: 20 });
const pipelined = ids.map((all) =>
	raw(
		[
			all
				.map((id, index) =>
					get(
						["/v1/health", "/v1/domain", "/videos/{{public#0}}/web.mp4", "/nothing"][index % 4] ?? "/",
						`${auth}x-request-id: ${id}\r\n${index === all.length - 1 ? close : ""}`,
					),
				)
				.join(""),
		],
		{
			mostAnswers: all.length,
			ids: all,
		},
	),
);
/** Generates the bytes of a well-formed request, sent piece by piece. */
const inPieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }).map((cuts) => {
	const whole = post("/v1/videos", `${close}Content-Length: ${video.length}\r\n`, video);
	const parts: (string | number)[] = [];
	let at = 0;
	for (const cut of cuts) {
		parts.push(whole.slice(at, at + cut), 5);
		at += cut;
	}
	return raw([...parts, whole.slice(at)]);
});
const mutated = fc
	.tuple(
		fc.constantFrom(
			get("/v1/domain", auth + close),
			post("/v1/videos", `${close}Content-Length: ${video.length}\r\n`, video),
		),
		fc.nat(200),
		fc.constantFrom("\u0000", "\r", "\n", " ", ":", "\u00ff", "", "\r\n\r\n"),
		fc.nat(3),
	)
	.map(([whole, at, put, dropped]) =>
		raw([whole.slice(0, at % whole.length) + put + whole.slice((at % whole.length) + dropped)], {
			end: "half",
			mostAnswers: 3,
		}),
	);

const kinds: Readonly<Record<string, fc.Arbitrary<RawStep>>> = {
	"broken request line": fc.constantFrom(...brokenLines).map((line) => raw([line], { end: "half", mostAnswers: 2 })),
	"odd target": fc
		.tuple(fc.constantFrom(...methods), fc.constantFrom(...targets))
		.map(([method, target]) => raw([`${method} ${target} HTTP/1.1\r\n${host}${close}\r\n`])),
	"broken header": fc
		.constantFrom(...brokenHeaders)
		.map((headers) => raw([get("/v1/domain", headers)], { end: "half", mostAnswers: 2 })),
	"broken header of a body": fc
		.constantFrom(...brokenHeaders)
		.map((headers) => raw([post("/v1/videos", headers, video)], { end: "half", mostAnswers: 2 })),
	"broken chunks": fc
		.constantFrom(...brokenChunks)
		.map((chunk) => raw([post("/v1/videos", "Transfer-Encoding: chunked\r\n", chunk)], { end: "half" })),
	smuggling: fc.constantFrom(...smuggling).map((bytes) => raw([bytes], { end: "half" })),
	pipelined,
	"in pieces": inPieces,
	mutated,
	unfinished: fc.constantFrom(...unfinished).map((bytes) => raw([bytes, 20], { end: "leave" })),
	"half closed": fc
		.constantFrom(get("/v1/domain", auth), post("/v1/videos", `Content-Length: ${video.length}\r\n`, video))
		.map((bytes) => raw([bytes], { end: "half" })),
	noise: fc
		.uint8Array({ minLength: 1, maxLength: 400 })
		.map((bytes) => raw([Buffer.from(bytes).toString("latin1")], { end: "half", mostAnswers: 3 })),
};

/** Bytes that are not HTTP, or HTTP as no client writes it, by kind. */
export const rawKinds: readonly { readonly name: string; readonly steps: fc.Arbitrary<RawStep[]> }[] = Object.entries(
	kinds,
).map(([name, arbitrary]) => ({
	name,
	steps: arbitrary.map((one) => [one]),
}));
