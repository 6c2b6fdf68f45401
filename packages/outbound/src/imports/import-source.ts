import {
	type Bytes,
	type ImportAnswer,
	type ImportRequest,
	type ImportSource,
	ImportSourceError,
} from "@reelmill/engine/ports";
import { Agent, type Dispatcher } from "undici";
import { createAddressRules } from "../guard/address-rules.ts";
import { BlockedAddressError } from "../guard/checked-addresses.ts";
import { createGuardedConnector } from "../guard/guarded-connector.ts";
import { hasBlockedAddress, parseHttpUrl } from "../guard/http-url.ts";
import type { Lookup } from "../names/lookup.ts";
import { rangeOf } from "./content-range.ts";

/** Which addresses are allowed beside public ones, and how the origin is spoken to. */
export type ImportSourceOptions = {
	/** Address ranges, each like `10.0.0.0/8`, that may be reached in addition to public addresses. */
	readonly allow: readonly string[];
	/** How many redirects are followed (default: 5). */
	readonly maxRedirects?: number;
	/** The `user-agent` of requests (default: `Reelmill-Imports/1`). */
	readonly userAgent?: string;
	/** Resolves names to addresses. */
	readonly lookup?: Lookup;
};

type Answer = Dispatcher.ResponseData;

const redirects = new Set([301, 302, 303, 307, 308]);
/** Of these, a later attempt may come to something else. */
const passing = new Set([408, 425, 429]);

/**
 * Makes the engine's ImportSource over undici, behind the guarded connector: each connection of each redirect is
 * checked. A user name and a password of the address go to its own origin alone.
 *
 * @throws {TypeError} when an entry of `allow` isn't a range; the message names it.
 *
 * @example
 * ```ts
 * import { createImportSource } from "@reelmill/outbound";
 *
 * const source = createImportSource({ allow: [] });
 * const request = { url: "http://10.0.0.1/clip.mp4", offset: 0, validator: null };
 * const error = await source.open(request, AbortSignal.timeout(5000)).catch((reason) => reason);
 * await source.close();
 * console.log(error.code); // => address_refused
 * ```
 */
export function createImportSource(options: ImportSourceOptions): ImportSource {
	const { maxRedirects = 5, userAgent = "Reelmill-Imports/1", lookup } = options;
	const rules = createAddressRules(options.allow);
	// The caller ends what is silent, by its signal.
	const agent = new Agent({
		connect: createGuardedConnector({ rules, ...(lookup && { lookup }) }),
		headersTimeout: 0,
		bodyTimeout: 0,
		allowH2: false,
	});

	const ask = async (url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> => {
		if (hasBlockedAddress(url, rules)) throw refused(url);
		try {
			return await agent.request({
				origin: url.origin,
				path: url.pathname + url.search,
				method: "GET",
				headers,
				signal,
			});
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof BlockedAddressError) throw refused(url, error);
			throw new ImportSourceError("address_unreachable", `${url.host} can't be reached: ${reasonOf(error)}.`, {
				cause: error,
			});
		}
	};

	/** Follows redirects by hand. What a redirect sends to is checked as the first address was. */
	const follow = async (first: URL, { offset, validator }: ImportRequest, signal: AbortSignal) => {
		const user = userOf(first);
		let url = first;
		for (let hop = 0; ; hop++) {
			const answer = await ask(
				url,
				{
					accept: "*/*",
					"accept-encoding": "identity",
					"user-agent": userAgent,
					range: `bytes=${offset}-`,
					...(validator !== null && { "if-range": validator }),
					...(user !== null && url.origin === first.origin && { authorization: user }),
				},
				signal,
			);
			if (!redirects.has(answer.statusCode)) return { url, answer };
			discard(answer);
			if (hop === maxRedirects)
				throw new ImportSourceError("too_many_redirects", `The address redirects more than ${maxRedirects} times.`, {
					isFinal: true,
				});
			const location = one(answer.headers.location);
			const next = location === null ? null : parseHttpUrl(location, url);
			if (next === null) throw refusedBy(url, "redirects to what is no address of http or https");
			url = next;
		}
	};

	return {
		async open(request, signal) {
			const first = parseHttpUrl(request.url);
			if (first === null) throw new ImportSourceError("address_unreachable", "This is no address.", { isFinal: true });
			const { url, answer } = await follow(first, request, signal);
			try {
				return read(url, answer, request.offset);
			} catch (error) {
				discard(answer);
				throw error;
			}
		},
		refusal(text) {
			const url = parseHttpUrl(text);
			if (!url) return "must be a URL of http or https";
			return hasBlockedAddress(url, rules) ? "must not be a private, loopback, link-local or reserved address" : null;
		},
		async close() {
			await agent.destroy();
		},
	};
}

const one = (value: string | string[] | undefined): string | null => [value].flat()[0] ?? null;

/** Closes the connection: what comes may be long. */
const discard = ({ body }: Answer): void => void body.on("error", () => undefined).destroy();

const refused = (url: URL, cause?: unknown): ImportSourceError =>
	new ImportSourceError("address_refused", `${url.hostname} is at a private or reserved address.`, {
		isFinal: true,
		cause,
	});
const refusedBy = (url: URL, what: string): ImportSourceError =>
	new ImportSourceError("source_refused", `${url.host} ${what}.`, { isFinal: true });

/** Storage also keeps and tells encodings that change nothing, such as `aws-chunked`, `utf-8` or none. */
const compressed = /\b(?:gzip|deflate|br|zstd|compress)\b/i;

/** Reads what an answer says of the file. */
function read(url: URL, answer: Answer, offset: number): ImportAnswer {
	const { statusCode: status, headers } = answer;
	const range = rangeOf(one(headers["content-range"]));
	const about = { contentType: typeOf(one(headers["content-type"])), validator: validatorOf(headers) };
	if (status === 416 && range !== null) {
		discard(answer);
		return { ...about, size: range.size, offset, bytes: nothing };
	}
	if ((status === 200 || status === 206) && compressed.test(one(headers["content-encoding"]) ?? ""))
		throw refusedBy(url, "sends the file compressed, though it was asked for its own bytes");
	if (status === 206) {
		if (range?.start !== offset)
			throw new ImportSourceError(
				"source_unavailable",
				`${url.host} gives another part of the file than was asked for.`,
			);
		return { ...about, size: range.size, offset, bytes: bytesOf(url, answer) };
	}
	if (status === 200) {
		const length = one(headers["content-length"]);
		return {
			...about,
			size: length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null,
			offset: 0,
			bytes: bytesOf(url, answer),
		};
	}
	if (status >= 500 || passing.has(status))
		throw new ImportSourceError("source_unavailable", `${url.host} answers ${status}.`, {
			retryAfterSeconds: secondsOf(one(headers["retry-after"])),
		});
	throw refusedBy(url, `answers ${status}`);
}

const nothing: Bytes = (async function* () {})();

async function* bytesOf(url: URL, { body }: Answer): AsyncGenerator<Uint8Array> {
	try {
		yield* body;
	} catch (error) {
		throw new ImportSourceError("source_unavailable", `${url.host} broke off: ${reasonOf(error)}.`, { cause: error });
	}
}

function typeOf(header: string | null): string | null {
	const type = header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
	return type === "" || type.length > 100 ? null : type;
}

function validatorOf(headers: Answer["headers"]): string | null {
	const tag = one(headers.etag);
	const found = tag?.startsWith('"') ? tag : one(headers["last-modified"]);
	return found !== null && found.length <= 255 ? found : null;
}

const secondsOf = (text: string | null): number | null =>
	text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;

function userOf({ username, password }: URL): string | null {
	if (username === "" && password === "") return null;
	return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}`;
}
function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Names of errors alone: a message may have the address. */
function reasonOf(error: unknown): string {
	const code = (error as { code?: unknown }).code;
	return typeof code === "string" ? code : "the connection failed";
}
