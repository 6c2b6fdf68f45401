import fc from "fast-check";
import { authorization, type Headers, requestId, segment, type Written } from "./bad-requests.ts";
import { deliveredFiles } from "./finished.ts";
import { headerText, oddHeaders, oddNumbers, unknownId } from "./odd-parts.ts";
import { metadata } from "./tus.ts";

const mostly = <T>(right: T, ...wrong: T[]) =>
	fc.oneof({ weight: 14, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
/** Mostly one of `ids`. */
const asked = (ids: readonly string[]) =>
	fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: segment({ ids, cursors: [] }) });
const present = (headers: Readonly<Record<string, string | undefined>>): Headers =>
	Object.fromEntries(Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined));

/** What a request of the upload plane is about: the upload of ten bytes that its token is for, and somebody else's. */
export type Uploading = { readonly id: string; readonly token: string; readonly foreign: string };

const encoded = (text: string): string => Buffer.from(text).toString("base64");
/** tus requests, made for whichever upload they are sent to. */
export const tusRequests: fc.Arbitrary<(upload: Uploading) => Written> = fc
	.record({
		method: fc.constantFrom("POST", "POST", "HEAD", "PATCH", "PATCH", "PATCH", "DELETE", "GET", "PUT"),
		override: mostly(undefined, "PATCH", "HEAD", "DELETE", "delete", "GET", "__proto__"),
		path: fc.oneof(
			{ weight: 8, arbitrary: fc.constant("") },
			{
				weight: 2,
				arbitrary: fc.constantFrom(
					"/uploads",
					"/uploads/",
					`/uploads/${unknownId}`,
					"/uploads/x",
					"/uploads/..",
					"/uploads/%2e%2e/x",
					"/uploads/%00",
					"/uploads//",
					"/uploads?a=%zz",
				),
			},
		),
		resumable: mostly("1.0.0", undefined, "", "0.2.2", "1.0.0, 1.0.0"),
		length: mostly("10", undefined, ...oddNumbers),
		offset: mostly("0", undefined, ...oddNumbers),
		about: fc.oneof(
			{ weight: 9, arbitrary: fc.constant("right" as const) },
			{ weight: 1, arbitrary: fc.constantFrom("foreign" as const, undefined) },
			{ weight: 1, arbitrary: headerText(80) },
		),
		more: fc.constantFrom(
			"",
			"",
			`,filename ${encoded("é")}`,
			",empty",
			",__proto__ eA==",
			",video_id eA==",
			`,x ${"A".repeat(4000)}`,
			",",
			", ,",
			",a b c",
		),
		type: mostly(
			"application/offset+octet-stream",
			undefined,
			"",
			"application/octet-stream",
			"application/offset+octet-stream; charset=utf-8",
			"text/plain",
		),
		defer: mostly(undefined, "1", "0", "x"),
		concat: mostly(undefined, "partial", "final;/uploads/a /uploads/b", "x"),
		body: fc.constantFrom(undefined, "", "0", "01234", "01234", "0123456789", "01234567890", "x".repeat(5000)),
		who: authorization("Bearer {token}"),
		id: requestId,
	})
	.map(
		({ method, override, path, about, more, body, who, id, ...rest }) =>
			({ token, foreign, ...upload }: Uploading): Written => {
				const metadatas: Record<string, string> = { right: metadata(upload.id), foreign: metadata(foreign) };
				const isCreation = (method === "POST" && override === undefined) || method === "PUT";
				return {
					method,
					path: path || (isCreation ? "/uploads" : `/uploads/${upload.id}`),
					headers: present({
						authorization: who?.replace("{token}", token),
						"tus-resumable": rest.resumable,
						"upload-length": isCreation ? rest.length : undefined,
						"upload-metadata": isCreation && about !== undefined ? (metadatas[about] ?? about) + more : undefined,
						"upload-offset": isCreation ? undefined : rest.offset,
						"upload-defer-length": rest.defer,
						"upload-concat": rest.concat,
						"content-type": body === undefined ? undefined : rest.type,
						"x-http-method-override": override,
						"x-request-id": id,
					}),
					body,
				};
			},
	);

const { range, "if-none-match": noneMatch, "if-range": ifRange, origin, accept } = oddHeaders;
const conditions = fc.record(
	{ range, "if-none-match": noneMatch, "if-range": ifRange, origin, accept },
	{ requiredKeys: [] },
);

/** Requests for files of the delivery plane. */
export function deliveryRequests(ids: readonly string[], key: string): fc.Arbitrary<Written> {
	const odd = fc.constantFrom(
		"",
		"frames/00001.jpg",
		"hls/../web.mp4",
		"hls/%2e%2e/web.mp4",
		"hls%2fmaster.m3u8",
		"web.mp4/",
		"/web.mp4",
		"web.mp4%00",
		"WEB.MP4",
		"./web.mp4",
		"constructor",
		"__proto__",
		"a".repeat(600),
		"hls/a/b/c/d",
		"%",
		"..\\web.mp4",
		".hidden",
	);
	const file = fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom(...Object.keys(deliveredFiles)) },
		{ weight: 2, arbitrary: odd },
		{ weight: 1, arbitrary: segment({ ids, cursors: [] }) },
	);
	return fc
		.record({
			method: mostly("GET", "HEAD", "POST", "DELETE", "PUT"),
			video: asked(ids),
			file,
			query: fc.constantFrom("", "", "?v=1", "?%zz", "?__proto__=1"),
			who: fc.oneof({ weight: 4, arbitrary: authorization(key) }, { weight: 1, arbitrary: fc.constant(undefined) }),
			conditions,
			id: requestId,
		})
		.map(({ method, video, file: name, query, who, conditions: more, id }) => ({
			method,
			path: `/videos/${video}/${name}${query}`,
			headers: present({ ...more, authorization: who, "x-request-id": id }),
			body: undefined,
		}));
}

/**
 * Requests for a job's source, and archives for its outputs: whole, cut off, with bytes changed, or no archives at all.
 */
export function workerRequests(
	job: { readonly ids: readonly string[]; readonly locks: readonly string[] },
	worker: string,
	archive: Uint8Array,
): fc.Arbitrary<Written> {
	const bytes = fc.oneof(
		fc.constant(archive),
		fc.nat({ max: archive.length }).map((end) => archive.subarray(0, end)),
		fc
			.array(fc.tuple(fc.nat({ max: archive.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 })
			.map((changes) => {
				const copy = Uint8Array.from(archive);
				for (const [at, value] of changes) copy[at] = value;
				return copy;
			}),
		fc.uint8Array({ maxLength: 300 }),
	);
	const lock = fc.oneof(
		{ weight: 8, arbitrary: fc.constantFrom(...job.locks) },
		{ weight: 1, arbitrary: fc.constantFrom("", "x", "%00", "%zz", unknownId.toUpperCase()) },
	);
	const common = { video: asked(job.ids), who: authorization(worker), id: requestId };
	const outputs = fc
		.record({
			...common,
			lock,
			bytes,
			type: mostly("application/zip", undefined, "", "application/json", "APPLICATION/ZIP; x=y"),
			rest: mostly("", "&x=1", "&lock=x", "&"),
		})
		.map(({ video, who, id, lock: one, bytes: body, type, rest }) => ({
			method: "PUT",
			path: `/internal/v1/jobs/${video}/outputs?lock=${one}${rest}`,
			headers: present({ authorization: who, "content-type": type, "x-request-id": id }),
			body,
		}));
	const source = fc
		.record({
			...common,
			method: fc.constantFrom("GET", "HEAD"),
			range: fc.option(oddHeaders.range, { nil: undefined }),
			query: mostly("", "?x=1", "?range=0"),
		})
		.map(({ method, video, who, id, range, query }) => ({
			method,
			path: `/internal/v1/jobs/${video}/source${query}`,
			headers: present({ authorization: who, range, "x-request-id": id }),
			body: undefined,
		}));
	return fc.oneof({ weight: 2, arbitrary: outputs }, { weight: 1, arbitrary: source });
}
