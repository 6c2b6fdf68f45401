import { asObject, fromBase64Url, objectFromBase64Url } from "./base64url.ts";

/** The service's public keys, with the tokens that were found to be genuine under them. */
export type SigningKeys = {
	readonly byId: ReadonlyMap<string, SigningKey>;
	/** The payload of each token that was verified lately. It goes with its keys. */
	readonly genuine: Map<string, Verdict>;
};
type SigningKey = { readonly algorithm: Algorithm; readonly key: CryptoKey };
type Algorithm = keyof typeof algorithms;

/**
 * Each key is bound to one algorithm: a token that names another one than its key is not genuine. There is no symmetric
 * one, so no public key can be taken for a secret.
 */
const algorithms = {
	ES256: {
		kty: "EC",
		crv: "P-256",
		import: { name: "ECDSA", namedCurve: "P-256" },
		verify: { name: "ECDSA", hash: "SHA-256" },
	},
	EdDSA: { kty: "OKP", crv: "Ed25519", import: { name: "Ed25519" }, verify: { name: "Ed25519" } },
} as const;

/**
 * Imports a JWK set. Keys of other algorithms are left out, and so are keys that this runtime can't import.
 *
 * @throws {TypeError} when the value is no JWK set.
 */
export async function importSigningKeys(set: unknown): Promise<SigningKeys> {
	const listed = asObject(set)?.["keys"];
	if (!Array.isArray(listed)) throw new TypeError("This is no JWK set: it has no list of keys.");
	const imported = await Promise.all(listed.map(importOne));
	return createSigningKeys(imported.filter((entry) => entry !== null));
}

/** Returns the set of these keys (default: none). */
export const createSigningKeys = (entries: readonly [string, SigningKey][] = []): SigningKeys => ({
	byId: new Map(entries),
	genuine: new Map(),
});

async function importOne(value: unknown): Promise<[string, SigningKey] | null> {
	const jwk = asObject(value);
	if (jwk === null || typeof jwk["kid"] !== "string" || (jwk["use"] ?? "sig") !== "sig") return null;
	const algorithm = jwk["alg"];
	if (algorithm !== "ES256" && algorithm !== "EdDSA") return null;
	const { kty, crv, import: parameters } = algorithms[algorithm];
	if (jwk["kty"] !== kty || jwk["crv"] !== crv) return null;
	const { x, y } = jwk as { x: string; y: string };
	// Only the key itself: some runtimes refuse what else a JWK may have, such as `alg` of Ed25519.
	const bare = kty === "EC" ? { kty, crv, x, y } : { kty, crv, x };
	try {
		return [jwk["kid"], { algorithm, key: await crypto.subtle.importKey("jwk", bare, parameters, false, ["verify"]) }];
	} catch {
		return null;
	}
}

/**
 * What a compact JWS is to this set of keys: `genuine` with its payload, `forged` if it is malformed or its signature
 * is not that of the key it names, and `unknown` if only the service can tell, because the set has not this key.
 */
export type Verdict =
	| { readonly kind: "genuine"; readonly payload: Readonly<Record<string, unknown>> }
	| { readonly kind: "forged" | "unknown" };

const encoder = new TextEncoder();
const forged: Verdict = { kind: "forged" };

/** Verifying costs more than the rest of a small request. */
const rememberedTokens = 5000;

/** Verifies a compact JWS, not its claims. */
export async function verifySignature(token: string, keys: SigningKeys): Promise<Verdict> {
	const known = keys.genuine.get(token);
	if (known !== undefined) return known;
	const verdict = await verifyUnknown(token, keys);
	if (verdict.kind !== "genuine") return verdict;
	const [oldest] = keys.genuine.keys();
	if (oldest !== undefined && keys.genuine.size >= rememberedTokens) keys.genuine.delete(oldest);
	keys.genuine.set(token, verdict);
	return verdict;
}

async function verifyUnknown(token: string, keys: SigningKeys): Promise<Verdict> {
	const [head = "", body = "", tail = "", ...more] = token.split(".", 4);
	const header = objectFromBase64Url(head);
	const payload = objectFromBase64Url(body);
	const signature = fromBase64Url(tail);
	if (more.length > 0 || header === null || payload === null || signature === null) return forged;
	// The service's old keys have no kid and are signed with a secret, which only the service has.
	if (typeof header["kid"] !== "string" || header["crit"] !== undefined) return { kind: "unknown" };
	const known = keys.byId.get(header["kid"]);
	if (known === undefined) return { kind: "unknown" };
	if (known.algorithm !== header["alg"] || signature.length !== 64) return forged;
	const { verify } = algorithms[known.algorithm];
	const isGenuine = await crypto.subtle.verify(verify, known.key, signature, encoder.encode(`${head}.${body}`));
	return isGenuine ? { kind: "genuine", payload } : forged;
}
