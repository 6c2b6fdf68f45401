const encoder = new TextEncoder();

/**
 * Computes the HMAC-SHA256 of `<timestamp>.<payload>` as lower-case hex. The key is the secret as it is written, in
 * UTF-8. Node computes it in place: Web Crypto takes ten times as long, for a thread and a key of its own.
 */
export async function digest(secret: string, timestamp: string, payload: string | Uint8Array): Promise<string> {
	const node = globalThis.process?.getBuiltinModule?.("node:crypto");
	if (node !== undefined)
		return node.createHmac("sha256", secret).update(`${timestamp}.`).update(payload).digest("hex");
	const prefix = encoder.encode(`${timestamp}.`);
	const body = typeof payload === "string" ? encoder.encode(payload) : payload;
	const signed = new Uint8Array(prefix.length + body.length);
	signed.set(prefix);
	signed.set(body, prefix.length);
	const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
		"sign",
	]);
	const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
