import type { WebhookAnswer } from "../ports/index.ts";

export type Header = { readonly name: string; readonly value: string };

/** What is kept of an attempt beside its outcome, as its row is written. `response_body` is base64. */
export type Exchange = {
	readonly url: string;
	readonly request_headers: readonly Header[];
	readonly response_headers: readonly Header[] | null;
	readonly response_body: string | null;
	readonly response_truncated: boolean;
};

const bodyBytes = 2048;
const headerCharacters = 8192;

/**
 * Returns what is kept of an attempt: the request's headers with each signature cut to eight digits, the answer's
 * headers up to 8192 characters in all, and 2048 bytes of its body.
 */
export function exchangeOf(
	{ url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
	answer: WebhookAnswer | null,
): Exchange {
	const isTruncated = answer !== null && (answer.isTruncated || answer.body.length > bodyBytes);
	return {
		url: storable(url),
		request_headers: bounded(
			Object.entries(headers).map(([name, value]) => [name, name === "service-signature" ? cut(value) : value]),
		),
		response_headers: answer && bounded(answer.headers),
		response_body: answer && Buffer.from(answer.body.subarray(0, bodyBytes)).toString("base64"),
		response_truncated: isTruncated,
	};
}

/**
 * Returns a body as text if its bytes are UTF-8, otherwise their base64. A body that was cut off may have lost the rest
 * of its last character, which is left out then.
 */
export function bodyText(bytes: Uint8Array, truncated: boolean): { text: string; encoding: "utf-8" | "base64" } {
	try {
		// A stream's decoder holds back a character that isn't whole yet.
		return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: truncated }), encoding: "utf-8" };
	} catch {
		return { text: Buffer.from(bytes).toString("base64"), encoding: "base64" };
	}
}

const cut = (signature: string): string => signature.replace(/(v1=[0-9a-f]{8})[0-9a-f]+/g, "$1…");

function bounded(headers: readonly (readonly [string, string])[]): Header[] {
	let left = headerCharacters;
	const kept: Header[] = [];
	for (const [name, value] of headers) {
		if (left <= 0) break;
		kept.push({ name: storable(name.slice(0, left)), value: storable(value.slice(0, left)) });
		left -= name.length + value.length;
	}
	return kept;
}

/** PostgreSQL's texts can't hold these characters. */
const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "");
