import { ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { hashSecret, mintSecret, sameHash, type TokenFamily } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { markOf } from "./admins.ts";
import type { SessionClaims, Sessions, SignedIn } from "./sessions.ts";

/** What an identity provider vouches for. */
export type Identity = {
	readonly issuer: string;
	readonly subject: string;
	readonly email: string | null;
	readonly emailVerified: boolean;
};
/** The token of the session that the browser had before, which ends by the sign-in. */
type Replacing = { readonly replaces?: string | null };

export type SignIn = {
	/**
	 * Opens a session as admin by the self-host secret, or by a link that works once. Whoever calls this counts guesses.
	 * The secret is compared in a time that doesn't tell where it differs.
	 *
	 * @throws {ReelmillError} `not_found` if there is no secret; `invalid_secret`, alike for a wrong secret and a link
	 * that was used, has expired or never was; `account_disabled`.
	 */
	signIn(input: { readonly secret: string } | { readonly link: string }, options?: Replacing): Promise<SignedIn>;
	/**
	 * Opens a session for an account of an identity provider, whom the caller has verified. The first sign-in makes the
	 * account. Issuer and subject are the account, not the address, which may change. It is an admin if the provider
	 * vouches for its address and the address is among the console's admins; else a member.
	 *
	 * @throws {ReelmillError} `not_found` if there is no console; `account_disabled`.
	 */
	signInAs(identity: Identity, options?: Replacing): Promise<SignedIn>;
	/**
	 * Returns a link that signs in as admin, once, within 15 minutes and as long as the secret stays; `null` if there is
	 * no secret. What it holds is told this once.
	 */
	mintSignInLink(): Promise<{ url: string; expires_at: string } | null>;
};

const linkMilliseconds = 900_000;

export type SignInOptions = {
	readonly isOn: boolean;
	readonly secret: string | undefined;
	/** Addresses of admins, as the database compares them. */
	readonly admins: readonly string[];
	readonly baseUrl: string;
	readonly tokens: TokenFamily<SessionClaims>;
	readonly windows: Pick<Windows, "consoleSession">;
	readonly sessions: Sessions;
};

export function createSignIn({ database, clock, random }: Parts, options: SignInOptions): SignIn {
	const { isOn, admins, baseUrl, tokens, windows, sessions } = options;
	const secret = isOn ? options.secret : undefined;
	const seconds = windows.consoleSession;

	/** Opens a session for the account that the CTE `account` returns, if it returns one. */
	const open = async (account: Sql, { secret, replaces = null }: Replacing & { secret: string | null }) => {
		const sid = mintSecret("", random);
		const id = random.uuid();
		const now = new Date(clock.now());
		const replaced = replaces === null ? null : await tokens.verifyIgnoringExpiry(replaces);
		const [row] = await database.query<{ account_id: string }>(sql`
			with ${account},
			replaced as (delete from reelmill.console_sessions where hash = ${replaced === null ? null : hashSecret(replaced.sid)}),
			opened as (
				insert into reelmill.console_sessions (hash, id, account_id, role, secret_mark, created_at, last_seen_at)
				select ${hashSecret(sid)}::bytea, ${id}::uuid, account.id, account.role, ${secret === null ? null : markOf(sid, secret)}::bytea, ${now}::timestamptz, ${now}::timestamptz
				from account returning account_id)
			select account_id from opened`);
		if (row === undefined) return null;
		const session = await sessions.session({
			kind: "console",
			sessionId: id,
			accountId: row.account_id,
			label: "",
			role: "member",
			domainIds: [],
		});
		return { token: (await tokens.sign({ sid }, seconds)).token, seconds, session };
	};
	/** The self-host account, for every row that `when` returns; made unless it is there, and none if it is disabled. */
	const operator = (when: Sql): Sql => sql`
		account as (
			insert into reelmill.console_accounts as a (id, created_at, last_signed_in_at)
			select ${random.uuid()}::uuid, ${new Date(clock.now())}::timestamptz, ${new Date(clock.now())}::timestamptz ${when}
			on conflict on constraint console_accounts_identity do update set last_signed_in_at = excluded.last_signed_in_at where a.disabled_at is null
			returning a.id, reelmill.console_role(a, ${admins}::text[]) as role)`;
	const orDisabled = (signedIn: SignedIn | null): SignedIn => {
		if (signedIn === null) throw new ReelmillError("account_disabled");
		return signedIn;
	};
	const signInByLink = async (link: string, secret: string, { replaces }: Replacing): Promise<SignedIn> => {
		const hash = hashSecret(link);
		const now = new Date(clock.now());
		const good = sql`hash = ${hash} and expires_at > ${now} and secret_mark = ${markOf(link, secret)}`;
		const used = sql`used as (delete from reelmill.console_sign_in_links where ${good} returning 1)`;
		const known = await database.query(sql`select from reelmill.console_sign_in_links where ${good}`);
		if (known.length === 0) throw new ReelmillError("invalid_secret");
		const signedIn = await open(sql`${used}, ${operator(sql`from used`)}`, { secret, replaces: replaces ?? null });
		if (signedIn !== null) return signedIn;
		const [account] = await database.query<{ disabled_at: Date | null }>(
			sql`select disabled_at from reelmill.console_accounts where issuer is null`,
		);
		throw new ReelmillError(account?.disabled_at ? "account_disabled" : "invalid_secret");
	};

	return {
		async signIn(input, replacing = {}) {
			if (secret === undefined) throw new ReelmillError("not_found");
			if ("link" in input) return signInByLink(input.link, secret, replacing);
			if (!sameHash(hashSecret(input.secret), hashSecret(secret))) throw new ReelmillError("invalid_secret");
			return orDisabled(await open(operator(sql``), { secret, ...replacing }));
		},
		async signInAs({ issuer, subject, email, emailVerified }, replacing = {}) {
			if (!isOn) throw new ReelmillError("not_found");
			const now = new Date(clock.now());
			const account = sql`
				account as (
					insert into reelmill.console_accounts as a (id, issuer, subject, email, email_verified, created_at, last_signed_in_at)
					values (${random.uuid()}, ${issuer}, ${subject}, ${email}, ${email !== null && emailVerified}, ${now}, ${now})
					on conflict on constraint console_accounts_identity do update set
						email = excluded.email, email_verified = excluded.email_verified, last_signed_in_at = excluded.last_signed_in_at
						where a.disabled_at is null
					returning a.id, reelmill.console_role(a, ${admins}::text[]) as role)`;
			return orDisabled(await open(account, { secret: null, ...replacing }));
		},
		async mintSignInLink() {
			if (secret === undefined) return null;
			const link = mintSecret("", random);
			const expiresAt = new Date(clock.now() + linkMilliseconds);
			await database.query(sql`
				insert into reelmill.console_sign_in_links (hash, secret_mark, expires_at) values (${hashSecret(link)}, ${markOf(link, secret)}, ${expiresAt})`);
			return { url: `${baseUrl}/console/sign-in#${link}`, expires_at: expiresAt.toISOString() };
		},
	};
}
