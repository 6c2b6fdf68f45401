import { type AuditAction, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import { createBriefCache } from "../caches/index.ts";
import { operatorScope, type PageRequest, type Pages } from "../cursors/index.ts";
import { DatabaseError } from "../ports/index.ts";
import { bearer, hashSecret, mintSecret, sameHash, type TokenFamily } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { createKeepAccount } from "./keep-account.ts";

/** The worker that a request speaks for. */
export type ServicePrincipal = { readonly accountId: string; readonly name: string };
export type ServiceClaims = {
	readonly sub: string;
	readonly name: string;
	readonly permissions: readonly string[];
	/** When the token ends, as Unix time in seconds. The token itself says so. */
	readonly exp?: number;
};
/** A worker's account, as the engine knows it. */
export type ServiceAccount = {
	readonly id: string;
	readonly name: string;
	readonly created_at: string;
	readonly revoked_at: string | null;
};

export type ServiceToken = { readonly token: string; readonly token_type: "Bearer"; readonly expires_at: string };

export type ServiceAccountPage = { data: ServiceAccount[]; next_cursor: string | null };

/** The accounts of workers. */
export type Accounts = {
	/**
	 * Creates a service account, and returns it with its secret, which is shown once.
	 *
	 * @throws {ReelmillError} `name_already_exists`.
	 */
	create(input: { name: string }, by?: Actor): Promise<{ service_account: ServiceAccount; secret: string }>;
	/**
	 * Creates the account if there is none with that name, and gives it a new secret in any case. The previous secret
	 * ends at once. An embedded worker uses this: `issueToken` gives it service tokens of one hour without a request. It
	 * throws `invalid_credentials` after the account was revoked.
	 */
	ensure(input: { name: string }): Promise<{ secret: string; issueToken(): Promise<ServiceToken> }>;
	/**
	 * Sees to it that there is an account of this name with this secret: what an operator hands to servers and
	 * transcoders alike. A secret that was in force before works for the grace period. Any number of servers may call it
	 * at once. Returns false if the account was revoked, and leaves it revoked.
	 */
	keep(input: { readonly name: string; readonly secret: string }): Promise<boolean>;
	/**
	 * Returns a page of all service accounts, revoked ones included, newest first.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` when the limit is outside 1 to 100.
	 */
	list(request: PageRequest): Promise<ServiceAccountPage>;
	/**
	 * Replaces the secret and returns the new one, which is shown once. The previous secret works for the grace period; a
	 * secret that was in its grace period already ends at once.
	 *
	 * @throws {ReelmillError} `service_account_not_found`; `service_account_revoked`.
	 */
	rotate(
		id: string,
		by?: Actor,
	): Promise<{ service_account: ServiceAccount; secret: string; previous_secret_expires_at: string }>;
	/**
	 * Revokes the account. Its tokens end at once on this server, on others within 2 s. Calling it twice keeps the time
	 * of the first call.
	 *
	 * @throws {ReelmillError} `service_account_not_found`.
	 */
	revoke(id: string, by?: Actor): Promise<void>;
	/**
	 * Returns a service token of one hour.
	 *
	 * @throws {ReelmillError} `invalid_credentials`, alike for an unknown name, a wrong secret and a revoked account.
	 */
	issueToken(input: { name: string; secret: string }): Promise<ServiceToken>;
	/**
	 * Returns the worker that a service token speaks for. A credential without our signature is a guess: `guess` is
	 * called before the credential is looked up, and may throw (default: guesses aren't counted).
	 *
	 * @throws {ReelmillError} `forbidden` when the credential is genuine but of another kind; else `unauthorized`.
	 */
	authenticate(authorization: string | null, guess?: () => Promise<void>): Promise<ServicePrincipal>;
	/**
	 * Returns whether a service token may be exchanged for another one of its account: it is genuine, valid, in the
	 * second half of its life, and its account has that name and is not revoked.
	 */
	isRenewable(authorization: string | null, name: string): Promise<boolean>;
};

export const serviceTokenSeconds = 3600;
const permission = "video:process";
const stalenessMilliseconds = 2000;
const noHash = new Uint8Array(32);

type AccountRow = {
	id: string;
	name: string;
	created_at: Date;
	secret_hash: Uint8Array;
	previous_secret_hash: Uint8Array | null;
	previous_secret_expires_at: Date | null;
	revoked_at: Date | null;
};

export function createAccounts(
	parts: Parts,
	{
		pages,
		tokens,
		windows,
		others,
	}: {
		pages: Pages;
		tokens: TokenFamily<ServiceClaims>;
		windows: Pick<Windows, "rotationGrace">;
		/** What knows genuine credentials of other kinds. */
		others: readonly { authenticate(authorization: string | null): Promise<unknown> }[];
	},
): Accounts {
	const { database, clock, random } = parts;
	const entryOf = (action: AuditAction, id: string, label: string | Sql) =>
		({ action, resource: { kind: "service_account", id, label }, domainId: null }) as const;
	const isOtherCredential = async (authorization: string | null): Promise<boolean> => {
		const genuine = await Promise.allSettled(others.map((other) => other.authenticate(authorization)));
		return genuine.some(({ status }) => status === "fulfilled");
	};
	const alive = createBriefCache<boolean>({ clock, max: 1000, milliseconds: stalenessMilliseconds });
	const isAlive = async (id: string): Promise<boolean> =>
		(await database.query(sql`select id from reelmill.service_accounts where id = ${id} and revoked_at is null`))
			.length > 0;
	const sign = async ({ id, name }: Pick<AccountRow, "id" | "name">): Promise<ServiceToken> => {
		const { token, expiresAt } = await tokens.sign({ sub: id, name, permissions: [permission] }, serviceTokenSeconds);
		return { token, token_type: "Bearer", expires_at: expiresAt.toISOString() };
	};

	return {
		async create({ name }, by = engineActor) {
			const secret = mintSecret("es_", random);
			const id = random.uuid();
			const now = new Date(clock.now());
			try {
				await database.query(
					sql`
						with created as (
							insert into reelmill.service_accounts (id, name, secret_hash, created_at) values (${id}, ${name}, ${hashSecret(secret)}, ${now}) returning id),
						${auditPart(parts, by, entryOf("service_account.created", id, name), sql`created`)}
						select id from created`,
				);
			} catch (error) {
				if (error instanceof DatabaseError && error.code === "23505")
					throw new ReelmillError("name_already_exists", { cause: error });
				throw error;
			}
			return { service_account: { id, name, created_at: now.toISOString(), revoked_at: null }, secret };
		},
		async ensure({ name }) {
			const secret = mintSecret("es_", random);
			const [row] = await database.query<{ id: string }>(sql`
				insert into reelmill.service_accounts (id, name, secret_hash, created_at) values (${random.uuid()}, ${name}, ${hashSecret(secret)}, ${new Date(clock.now())})
				on conflict (name) do update set secret_hash = excluded.secret_hash, previous_secret_hash = null, revoked_at = null returning id`);
			const { id } = row as { id: string };
			return {
				secret,
				async issueToken() {
					if (!(await isAlive(id))) throw new ReelmillError("invalid_credentials");
					return sign({ id, name });
				},
			};
		},
		keep: createKeepAccount(parts, windows),
		async list(request) {
			const listing = { route: "listServiceAccounts", scope: operatorScope, filter: null } as const;
			const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<AccountRow>(sql`select * from reelmill.service_accounts where true ${keyset}`),
			);
			return { data: rows.map(view), next_cursor: nextCursor };
		},
		async rotate(id, by = engineActor) {
			const secret = mintSecret("es_", random);
			const graceEnds = new Date(clock.now() + windows.rotationGrace * 1000);
			const [row] = await database.query<AccountRow>(sql`
				with rotated as (
					update reelmill.service_accounts set secret_hash = ${hashSecret(secret)}, previous_secret_hash = secret_hash, previous_secret_expires_at = ${graceEnds}
					where id = ${id} and revoked_at is null returning *),
				${auditPart(parts, by, entryOf("service_account.secret_rotated", id, sql`(select name from rotated)`), sql`rotated`)}
				select * from rotated`);
			if (row !== undefined)
				return { service_account: view(row), secret, previous_secret_expires_at: graceEnds.toISOString() };
			const known = await database.query(sql`select id from reelmill.service_accounts where id = ${id}`);
			throw new ReelmillError(known.length > 0 ? "service_account_revoked" : "service_account_not_found");
		},
		async revoke(id, by = engineActor) {
			const known = await database.query(sql`
				with known as (select id, name, revoked_at from reelmill.service_accounts where id = ${id} for no key update),
				revoked as (
					update reelmill.service_accounts set revoked_at = ${new Date(clock.now())}
					where id in (select id from known where revoked_at is null) returning id),
				${auditPart(parts, by, entryOf("service_account.revoked", id, sql`(select name from known)`), sql`revoked`)}
				select id from known`);
			alive.forget(id);
			if (known.length === 0) throw new ReelmillError("service_account_not_found");
		},
		async issueToken({ name, secret }) {
			const [row] = await database.query<AccountRow>(sql`select * from reelmill.service_accounts where name = ${name}`);
			const hash = hashSecret(secret);
			const current = sameHash(hash, row?.secret_hash ?? noHash);
			const previous =
				sameHash(hash, row?.previous_secret_hash ?? noHash) &&
				(row?.previous_secret_expires_at?.getTime() ?? 0) > clock.now();
			if (row === undefined || row.revoked_at !== null || !(current || previous))
				throw new ReelmillError("invalid_credentials");
			return sign(row);
		},
		async authenticate(authorization, guess = async () => undefined) {
			const token = bearer(authorization);
			const claims = token === null ? null : await tokens.verify(token);
			if (claims === null) {
				// An expired token isn't counted as a guess: its worker asks for another token, and must not be delayed by
				// what strangers at its address guess.
				if (token !== null && (await tokens.verifyIgnoringExpiry(token)) !== null)
					throw new ReelmillError("unauthorized");
				await guess();
				throw new ReelmillError((await isOtherCredential(authorization)) ? "forbidden" : "unauthorized");
			}
			if (!claims.permissions.includes(permission)) throw new ReelmillError("forbidden");
			if (!(await alive.get(claims.sub, () => isAlive(claims.sub)))) throw new ReelmillError("unauthorized");
			return { accountId: claims.sub, name: claims.name };
		},
		async isRenewable(authorization, name) {
			const token = bearer(authorization);
			const claims = token === null ? null : await tokens.verify(token);
			if (claims?.name !== name) return false;
			const leftSeconds = (claims.exp ?? 0) - clock.now() / 1000;
			return leftSeconds <= serviceTokenSeconds / 2 && alive.get(claims.sub, () => isAlive(claims.sub));
		},
	};
}

const view = (row: AccountRow): ServiceAccount => ({
	id: row.id,
	name: row.name,
	created_at: row.created_at.toISOString(),
	revoked_at: row.revoked_at?.toISOString() ?? null,
});
