import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { matchesNone } from "../headers/conditional.ts";
import type { Reply } from "../reply.ts";

/** Lets a copy live for five minutes, because the next version of the server may have another text. */
const cacheControl = "public, max-age=300";

export type Coding = "br" | "gzip" | "identity";
type Made = { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string };

/** Answers a request for a page by its Accept-Encoding and its If-None-Match. */
export type Page = (acceptEncoding: string | undefined, ifNoneMatch: string | undefined) => Promise<Reply>;

/**
 * Creates a page: a text that is the same for everybody. It is made and compressed once, when it is first asked for.
 * Each coding has its own ETag, and If-None-Match with that tag is answered 304. If `make` throws, every call rejects.
 */
export function createPage(headers: Readonly<Record<string, string>>, make: () => string): Page {
	const texts = new Map<Coding, Promise<Uint8Array>>();
	const encoded = (coding: Coding): Promise<Uint8Array> => {
		const known = texts.get(coding) ?? encode(coding);
		texts.set(coding, known);
		return known;
	};
	const encode = async (coding: Coding): Promise<Uint8Array> =>
		coding === "identity" ? Buffer.from(make()) : encoders[coding](await encoded("identity"));
	return createFilePage(headers, {
		br: () => encoded("br"),
		gzip: () => encoded("gzip"),
		identity: () => encoded("identity"),
	});
}

/** The bytes of a file in each coding that there is. */
export type CodedFile = { readonly identity: () => Promise<Uint8Array> } & {
	readonly [C in Coding]?: () => Promise<Uint8Array>;
};

/** Creates a page as {@link createPage} does, of bytes that are there in some codings. */
export function createFilePage(headers: Readonly<Record<string, string>>, file: CodedFile): Page {
	const codings = (["br", "gzip"] as const).filter((coding) => file[coding] !== undefined);
	const made = new Map<Coding, Promise<Made>>();
	const get = (coding: Coding): Promise<Made> => {
		const known = made.get(coding) ?? make(coding);
		made.set(coding, known);
		return known;
	};
	const make = async (coding: Coding): Promise<Made> => {
		const bytes = Uint8Array.from(await (file[coding] ?? file.identity)());
		return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
	};

	return async (acceptEncoding, ifNoneMatch) => {
		const coding = codingFor(codings, acceptEncoding);
		const { bytes, etag } = await get(coding);
		const shared = {
			"cache-control": cacheControl,
			etag,
			vary: "Accept-Encoding",
			"x-content-type-options": "nosniff",
			...headers,
		};
		if (matchesNone(ifNoneMatch, etag)) return { status: 304, headers: shared, body: null };
		const coded = coding === "identity" ? {} : { "content-encoding": coding };
		return { status: 200, headers: { ...shared, ...coded, "content-length": String(bytes.byteLength) }, body: bytes };
	};
}

/** Brotli's best quality takes six times as long and saves another tenth. */
const brotliQuality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } };
const encoders = {
	br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, brotliQuality),
	gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
} as const;

/**
 * Returns the coding that Accept-Encoding prefers (RFC 9110, section 12.5.3), and the first of `codings` if it prefers
 * none of those that it takes.
 */
function codingFor(codings: readonly ("br" | "gzip")[], acceptEncoding = ""): Coding {
	const accepted = parseAccept(acceptEncoding);
	const weight = (coding: Coding): number =>
		(accepted.find(({ type }) => type.toLowerCase() === coding) ?? accepted.find(({ type }) => type === "*"))?.q ?? 0;
	const [best] = codings.filter((coding) => weight(coding) > 0).sort((a, b) => weight(b) - weight(a));
	return best ?? "identity";
}
