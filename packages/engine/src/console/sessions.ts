import { type ConsoleRole, type ConsoleSession, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import { createBriefCache } from "../caches/index.ts";
import { hashSecret, sameHash, type TokenFamily } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { accountColumns, entryOf, viewAccount } from "./accounts.ts";
import { markOf } from "./admins.ts";

/** The person that a request of a console session speaks for. */
export type ConsolePrincipal = {
	readonly kind: "console";
	readonly sessionId: string;
	readonly accountId: string;
	/** The account's verified address; without one, its subject; `operator` for the self-host secret. */
	readonly label: string;
	readonly role: ConsoleRole;
	/** The domains that a member sees. Empty for an admin, who sees all. */
	readonly domainIds: readonly string[];
};
/** `sid` is the text whose hash is stored. */
export type SessionClaims = { readonly sid: string };
/** A session that was just opened. `token` is the cookie's value, which is told this once. */
export type SignedIn = {
	readonly token: string;
	/** How long the session can last. */
	readonly seconds: number;
	readonly session: ConsoleSession;
};

export type Sessions = {
	/**
	 * Returns whom the token of a session speaks for. A session lasts `consoleIdle` after what was asked last in it, and
	 * `consoleSession` in all; it ends when its account is disabled, when the account's role or domains change, and when
	 * the secret changes that it was opened by: at once on this server, on others within 2 s. A text without our
	 * signature is a guess: `guess` is called, which may throw (default: guesses aren't counted), and nothing is looked
	 * up.
	 *
	 * @throws {ReelmillError} `account_disabled` while the account is; else `unauthorized`.
	 */
	authenticate(token: string, guess?: () => Promise<void>): Promise<ConsolePrincipal>;
	/**
	 * Returns who is signed in, and the domains that the person may name.
	 *
	 * @throws {ReelmillError} `unauthorized` when the session has ended meanwhile.
	 */
	session(principal: ConsolePrincipal): Promise<ConsoleSession>;
	/** Ends the session: at once on this server, on others within 2 s. Does nothing if it has ended. */
	signOut(principal: ConsolePrincipal, by?: Actor): Promise<void>;
	/** Forgets all sessions that this server remembers, so that those which were just ended no longer pass. */
	forgetAll(): void;
};

type Entry = {
	readonly principal: ConsolePrincipal;
	readonly isDisabled: boolean;
	readonly endsAt: number;
} | null;
type SessionRow = Parameters<typeof viewAccount>[0] & {
	readonly session_id: string;
	readonly opened_role: ConsoleRole;
	readonly secret_mark: Uint8Array | null;
	readonly opened_at: Date;
	readonly last_seen_at: Date;
	readonly ended_at: Date | null;
};
type ViewRow = SessionRow & { readonly domains: ConsoleSession["domains"] };

const stalenessMilliseconds = 2000;
const mostDomains = 1000;

export type SessionsOptions = {
	readonly isOn: boolean;
	readonly secret: string | undefined;
	/** Addresses of admins, as the database compares them. */
	readonly admins: readonly string[];
	readonly tokens: TokenFamily<SessionClaims>;
	readonly windows: Pick<Windows, "consoleIdle" | "consoleSession">;
};

export function createSessions(parts: Parts, options: SessionsOptions): Sessions {
	const { database, clock } = parts;
	const { isOn, secret, admins, tokens, windows } = options;
	const idleMilliseconds = windows.consoleIdle * 1000;
	const wholeMilliseconds = windows.consoleSession * 1000;
	/** What is asked in a session is noted once in this time. */
	const noteMilliseconds = Math.min(60_000, idleMilliseconds / 10);
	const cache = createBriefCache<Entry>({ clock, max: 10_000, milliseconds: stalenessMilliseconds });
	const endOf = ({ opened_at, last_seen_at }: SessionRow): number =>
		Math.min(opened_at.getTime() + wholeMilliseconds, last_seen_at.getTime() + idleMilliseconds);
	const columns = sql`
		${accountColumns(admins)}, s.id as session_id, s.role as opened_role, s.secret_mark, s.created_at as opened_at, s.last_seen_at, s.ended_at`;

	/** Returns whether the secret that the session was opened by, if it was, is still the one. */
	const isOfSecret = (sid: string, mark: Uint8Array | null): boolean =>
		mark === null || (secret !== undefined && sameHash(mark, markOf(sid, secret)));
	const look = async (sid: string): Promise<Entry> => {
		const hash = hashSecret(sid);
		const [row] = await database.query<SessionRow>(sql`
			select ${columns} from reelmill.console_sessions s join reelmill.console_accounts a on a.id = s.account_id where s.hash = ${hash}`);
		if (row === undefined) return null;
		const principal = principalOf(row);
		const now = clock.now();
		if (row.disabled_at !== null) return { principal, isDisabled: true, endsAt: endOf(row) };
		const isOver = row.ended_at !== null || row.role !== row.opened_role || !isOfSecret(sid, row.secret_mark);
		if (isOver || endOf(row) <= now) return null;
		if (now - row.last_seen_at.getTime() < noteMilliseconds)
			return { principal, isDisabled: false, endsAt: endOf(row) };
		const seen = new Date(now);
		await database.query(
			sql`update reelmill.console_sessions set last_seen_at = greatest(last_seen_at, ${seen}) where hash = ${hash}`,
		);
		return { principal, isDisabled: false, endsAt: endOf({ ...row, last_seen_at: seen }) };
	};

	return {
		async authenticate(token, guess = async () => undefined) {
			const claims = isOn ? await tokens.verifyIgnoringExpiry(token) : null;
			if (claims === null) {
				await guess();
				throw new ReelmillError("unauthorized");
			}
			const entry = await cache.get(claims.sid, () => look(claims.sid));
			if (entry?.isDisabled) throw new ReelmillError("account_disabled");
			if (entry === null || entry.endsAt <= clock.now()) throw new ReelmillError("unauthorized");
			return entry.principal;
		},
		async session({ sessionId }) {
			const [row] = await database.query<ViewRow>(sql`
				select ${columns}, coalesce((
					select jsonb_agg(jsonb_build_object('id', d.id, 'slug', d.slug) order by d.slug) from (
						select d.id, d.slug from reelmill.domains d
						where d.deleted_at is null and (s.role = 'admin' or d.id in (select l.domain_id from reelmill.console_account_domains l where l.account_id = a.id))
						order by d.slug limit ${mostDomains}) d), '[]') as domains
				from reelmill.console_sessions s join reelmill.console_accounts a on a.id = s.account_id where s.id = ${sessionId}`);
			if (row === undefined) throw new ReelmillError("unauthorized");
			return { account: viewAccount(row), domains: row.domains, expires_at: new Date(endOf(row)).toISOString() };
		},
		async signOut({ sessionId, accountId }, by = engineActor) {
			await database.query(sql`
				with ended as (delete from reelmill.console_sessions where id = ${sessionId} returning id),
				${auditPart(parts, by, entryOf("console.signed_out", accountId), sql`ended`)}
				select from ended`);
			cache.forgetAll();
		},
		forgetAll: cache.forgetAll,
	};
}

const principalOf = (row: SessionRow): ConsolePrincipal => ({
	kind: "console",
	sessionId: row.session_id,
	accountId: row.id,
	label: row.label,
	role: row.role,
	domainIds: row.role === "admin" ? [] : row.domain_ids,
});
