import { ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import { bearer, hashSecret, mintSecret } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";

/**
 * The domain or sandbox session that a tenant's request speaks for. A sandbox session is one of many in its domain and
 * sees only what has its `sessionId`. A domain key has no `sessionId` and sees everything of its domain. So does a
 * person at the console, who has no key: the `keyId` is `null`.
 */
export type TenantPrincipal = {
	readonly kind: "domain" | "sandbox";
	readonly domainId: string;
	readonly keyId: string | null;
	readonly sessionId: string | null;
};

/** The part of a domain that a principal sees. */
export type Scope = Pick<TenantPrincipal, "domainId" | "sessionId">;

/** A new key: its text, which is shown once, and the values that are stored. */
export type MintedKey = {
	readonly apiKey: string;
	readonly id: string;
	readonly hash: Uint8Array;
	readonly last4: string;
};

/** Authenticates API keys. */
export type Keys = {
	/** Creates a key without storing it. */
	mint(): MintedKey;
	/**
	 * Returns the principal of a domain key, or of a sandbox session's key if the installation has a sandbox. A key that
	 * ended may still pass for up to 2 s.
	 *
	 * @throws {ReelmillError} `unauthorized`.
	 */
	authenticate(authorization: string | null): Promise<TenantPrincipal>;
	/** Returns what `authenticate` would resolve to without a statement; undefined if it needs one, or would reject. */
	peek(authorization: string | null): TenantPrincipal | undefined;
	/** Forgets all keys, so that keys which were just ended here no longer pass on this server. */
	forgetAll(): void;
};

type Entry = { readonly principal: TenantPrincipal | null; readonly expiresAt: number };
const stalenessMilliseconds = 2000;

/**
 * Room for `Bearer`, a space and a key. A header may hold 16 KiB of spaces before a key; 10,000 such headers must not
 * fill the memory.
 */
const longestHeader = 64;
const rememberedAs = (authorization: string): string =>
	authorization.length <= longestHeader ? authorization : Buffer.from(hashSecret(authorization)).toString("base64");

export function createKeys(
	{ database, clock, random }: Parts,
	{
		hasSandbox,
	}: {
		/** Whether keys of sandbox sessions are accepted. */
		hasSandbox: boolean;
	},
): Keys {
	const cache = createBriefCache<Entry>({ clock, max: 10_000, milliseconds: stalenessMilliseconds });

	const look = async (hash: Uint8Array): Promise<Entry> => {
		const [row] = await database.query<{
			id: string;
			domain_id: string;
			session_id: string | null;
			expires_at: Date | null;
		}>(sql`
			select k.id, k.domain_id, k.session_id, k.expires_at from reelmill.domain_keys k join reelmill.domains d on d.id = k.domain_id
			where k.hash = ${hash} and d.deleted_at is null and (k.session_id is null or ${hasSandbox})`);
		if (row === undefined) return { principal: null, expiresAt: 0 };
		const principal = {
			kind: row.session_id === null ? ("domain" as const) : ("sandbox" as const),
			domainId: row.domain_id,
			keyId: row.id,
			sessionId: row.session_id,
		};
		return { principal, expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY };
	};

	const read = async (authorization: string | null): Promise<Entry> => {
		const key = bearer(authorization);
		if (key === null || !/^ek_[0-9A-Za-z]{43}$/.test(key)) throw new ReelmillError("unauthorized");
		return look(hashSecret(key));
	};

	const principalOf = ({ principal, expiresAt }: Entry): TenantPrincipal | null =>
		principal !== null && expiresAt > clock.now() ? principal : null;

	return {
		peek(authorization) {
			const entry = cache.peek(rememberedAs(authorization ?? ""));
			return entry === undefined ? undefined : (principalOf(entry) ?? undefined);
		},
		mint() {
			const apiKey = mintSecret("ek_", random);
			return { apiKey, id: random.uuid(), hash: hashSecret(apiKey), last4: apiKey.slice(-4) };
		},
		async authenticate(authorization) {
			const name = rememberedAs(authorization ?? "");
			const principal = principalOf(await cache.get(name, () => read(authorization)));
			if (principal === null) throw new ReelmillError("unauthorized");
			return principal;
		},
		forgetAll: cache.forgetAll,
	};
}
