const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Returns the bytes that a base64url text without padding names; null for any other text. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
	if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
	return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** Returns the object that a base64url text of JSON holds; null for any other text. */
export function objectFromBase64Url(text: string): Readonly<Record<string, unknown>> | null {
	const bytes = fromBase64Url(text);
	if (bytes === null) return null;
	try {
		return asObject(JSON.parse(decoder.decode(bytes)));
	} catch {
		return null;
	}
}

/** Returns the value if it is an object and no list; null otherwise. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> | null =>
	typeof value === "object" && value !== null && !Array.isArray(value)
		? (value as Readonly<Record<string, unknown>>)
		: null;

/** Returns the SHA-256 of a text in UTF-8, as base64url without padding: 43 characters. */
export async function sha256(text: string): Promise<string> {
	const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
	return btoa(String.fromCharCode(...sum))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replace(/=+$/, "");
}

/** How the feed names a video, and an answer its domain: the first 12 bytes of the SHA-256 of the id, 16 characters. */
export const digestOf = async (id: string): Promise<string> => (await sha256(id)).slice(0, 16);
