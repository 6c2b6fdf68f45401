import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { matchesNone } from "../headers/conditional.ts";
import type { Reply } from "./reply.ts";

/** A new version of the server may say something else: a copy is asked about again after five minutes. */
const cacheControl = "public, max-age=300";

type Coding = "br" | "gzip" | "identity";
type Made = { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string };

/**
 * A text that is the same for everybody: made and compressed once, when it is first asked for, and then sent as the
 * request takes it. Each coding has an ETag of its own; If-None-Match with it is answered 304. Rejects, as often as it
 * is asked, where `make` throws.
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

/** Brotli's best would take six times as long, for a tenth less. */
const brotliQuality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } };
const encoders: { readonly [C in Coding]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
	br: (bytes) => promisify(brotliCompress)(bytes, brotliQuality),
	gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
	identity: async (bytes) => bytes,
};

/**
 * The smallest coding that Accept-Encoding takes (RFC 9110, section 12.5.3); of two that it takes, the one that it
 * likes better.
 */
function codingFor(acceptEncoding = ""): Coding {
	const accepted = parseAccept(acceptEncoding);
	const weight = (coding: Coding): number =>
		(accepted.find(({ type }) => type.toLowerCase() === coding) ?? accepted.find(({ type }) => type === "*"))?.q ?? 0;
	const [best] = (["br", "gzip"] as const).filter((coding) => weight(coding) > 0).sort((a, b) => weight(b) - weight(a));
	return best ?? "identity";
}
