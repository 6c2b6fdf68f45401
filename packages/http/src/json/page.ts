import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { matchesNone } from "../headers/conditional.ts";
import type { Reply } from "./reply.ts";

/** Lets a copy live for five minutes, because the next version of the server may have another text. */
const cacheControl = "public, max-age=300";

type Coding = "br" | "gzip" | "identity";
type Made = { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string };

/**
 * Creates a page: a text that is the same for everybody. It is made and compressed once, when it is first asked for.
 * Each coding has its own ETag, and If-None-Match with that tag is answered 304. If `make` throws, every call rejects.
 */
export function createPage(
	headers: Readonly<Record<string, string>>,
	make: () => string,
): (acceptEncoding: string | undefined, ifNoneMatch: string | undefined) => Promise<Reply> {
	const made = new Map<Coding, Promise<Made>>();
	const get = (coding: Coding): Promise<Made> => {
		const known = made.get(coding) ?? encoded(coding);
		made.set(coding, known);
		return known;
	};
	const encoded = async (coding: Coding): Promise<Made> => {
		const text = coding === "identity" ? Buffer.from(make()) : (await get("identity")).bytes;
		const bytes = Uint8Array.from(await encoders[coding](text));
		return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
	};

	return async (acceptEncoding, ifNoneMatch) => {
		const coding = codingFor(acceptEncoding);
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
const encoders: { readonly [C in Coding]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
	br: (bytes) => promisify(brotliCompress)(bytes, brotliQuality),
	gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
	identity: async (bytes) => bytes,
};

/**
 * Returns the coding that Accept-Encoding prefers (RFC 9110, section 12.5.3), and the smallest one if it prefers none.
 */
function codingFor(acceptEncoding = ""): Coding {
	const accepted = parseAccept(acceptEncoding);
	const weight = (coding: Coding): number =>
		(accepted.find(({ type }) => type.toLowerCase() === coding) ?? accepted.find(({ type }) => type === "*"))?.q ?? 0;
	const [best] = (["br", "gzip"] as const).filter((coding) => weight(coding) > 0).sort((a, b) => weight(b) - weight(a));
	return best ?? "identity";
}
