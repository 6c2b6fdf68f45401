import { ReelmillError } from "@reelmill/contracts";
import sql, { empty, type Sql } from "sql-template-tag";
import { type Actor, auditPart } from "../audit/index.ts";
import { hashSecret, mintSecret, sameHash, type TokenFamily } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { entryOf } from "./accounts.ts";
import { markOf } from "./admins.ts";
import type { SessionClaims, Sessions, SignedIn } from "./sessions.ts";

/** What an identity provider vouches for. */
export type Identity = {
	readonly issuer: string;
	readonly subject: string;
	readonly email: string | null;
	readonly emailVerified: boolean;
};
/** Where a sign-in comes from. */
export type SignInOrigin = {
	/** The token of the session that the browser had before, which ends by the sign-in. */
	readonly replaces?: string | null;
	/** For the audit log. */
	readonly from?: Pick<Actor, "address" | "requestId">;
};

export type SignIn = {
	/**
	 * Opens a session as admin by the self-host secret, or by a link that works once. Whoever calls this counts guesses.
	 * The secret is compared in a time that doesn't tell where it differs.
	 *
	 * @throws {ReelmillError} `not_found` if there is no secret; `invalid_secret`, alike for a wrong secret and a link
	 * that was used, has expired or never was; `account_disabled`.
	 */
	signIn(input: { readonly secret: string } | { readonly link: string }, origin?: SignInOrigin): Promise<SignedIn>;
	/**
	 * Opens a session for an account of an identity provider, whom the caller has verified. The first sign-in makes the
	 * account. Issuer and subject are the account, not the address, which may change. It is an admin if the provider
	 * vouches for its address and the address is among the console's admins; else a member.
	 *
	 * @throws {ReelmillError} `not_found` if there is no console; `account_disabled`.
	 */
	signInAs(identity: Identity, origin?: SignInOrigin): Promise<SignedIn>;
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
type Opening = SignInOrigin & {
	readonly accountId: string;
	/** What the provider told this time; left out for the self-host account. */
	readonly identity?: Identity;
	/** The secret that the session hangs on. */
	readonly secret: string | null;
	/** A condition for the sign-in, and the part of the statement that it looks at. */
	readonly proof?: { readonly part: Sql; readonly holds: Sql };
};

export function createSignIn(parts: Parts, options: SignInOptions): SignIn {
	const { database, clock, random } = parts;
	const { isOn, admins, baseUrl, tokens, windows, sessions } = options;
	const secret = isOn ? options.secret : undefined;
	const seconds = windows.consoleSession;

	/** Returns the id of an account, which is made unless it is there; the self-host account's for `null`. */
	const accountOf = async (identity: Identity | null): Promise<string> => {
		const [issuer, subject] = [identity?.issuer ?? null, identity?.subject ?? null];
		await database.query(sql`
			insert into reelmill.console_accounts (id, issuer, subject, created_at) values (${random.uuid()}, ${issuer}, ${subject}, ${new Date(clock.now())})
			on conflict on constraint console_accounts_identity do nothing`);
		const [account] = await database.query<{ id: string; disabled_at: Date | null }>(sql`
			select id, disabled_at from reelmill.console_accounts
			where issuer is not distinct from ${issuer}::text and subject is not distinct from ${subject}::text`);
		if (account === undefined || account.disabled_at !== null) throw new ReelmillError("account_disabled");
		return account.id;
	};
	/** Returns null if the account was disabled meanwhile, or if the proof doesn't hold. */
	const open = async (opening: Opening): Promise<SignedIn | null> => {
		const { accountId, identity, secret, replaces = null, from, proof } = opening;
		const sid = mintSecret("", random);
		const id = random.uuid();
		const now = new Date(clock.now());
		const replaced = replaces === null ? null : await tokens.verifyIgnoringExpiry(replaces);
		const email = identity?.email ?? null;
		const label = (identity?.emailVerified ? email : null) ?? identity?.subject ?? "operator";
		const by: Actor = { kind: "account", id: accountId, label, address: null, requestId: null, ...from };
		const opened = await database.query(sql`
			with ${proof === undefined ? empty : sql`${proof.part},`}
			account as (
				update reelmill.console_accounts a set last_signed_in_at = ${now}, email = ${email}, email_verified = ${email !== null && identity?.emailVerified === true}
				where id = ${accountId} and disabled_at is null ${proof === undefined ? empty : sql`and ${proof.holds}`}
				returning a.id, reelmill.console_role(a, ${admins}::text[]) as role),
			replaced as (
				delete from reelmill.console_sessions
				where hash = ${replaced === null ? null : hashSecret(replaced.sid)} and exists (select from account)),
			opened as (
				insert into reelmill.console_sessions (hash, id, account_id, role, secret_mark, created_at, last_seen_at)
				select ${hashSecret(sid)}::bytea, ${id}::uuid, account.id, account.role, ${secret === null ? null : markOf(sid, secret)}::bytea, ${now}::timestamptz, ${now}::timestamptz
				from account returning id),
			${auditPart(parts, by, entryOf("console.signed_in", accountId, label), sql`opened`)}
			select id from opened`);
		if (replaced !== null) sessions.forgetAll();
		if (opened.length === 0) return null;
		const principal = { kind: "console", sessionId: id, accountId, label, role: "member", domainIds: [] } as const;
		const session = await sessions.session(principal);
		return { token: (await tokens.sign({ sid }, seconds)).token, seconds, session };
	};
	const orRefuse = (signedIn: SignedIn | null, code: "account_disabled" | "invalid_secret"): SignedIn => {
		if (signedIn === null) throw new ReelmillError(code);
		return signedIn;
	};
	/** What holds of a link that still signs in. */
	const isGood = (link: string, secret: string): Sql =>
		sql`hash = ${hashSecret(link)} and expires_at > ${new Date(clock.now())} and secret_mark = ${markOf(link, secret)}`;

	return {
		async signIn(input, origin = {}) {
			if (secret === undefined) throw new ReelmillError("not_found");
			if ("secret" in input) {
				if (!sameHash(hashSecret(input.secret), hashSecret(secret))) throw new ReelmillError("invalid_secret");
				return orRefuse(await open({ accountId: await accountOf(null), secret, ...origin }), "account_disabled");
			}
			const good = isGood(input.link, secret);
			const known = await database.query(sql`select from reelmill.console_sign_in_links where ${good}`);
			if (known.length === 0) throw new ReelmillError("invalid_secret");
			const proof = {
				part: sql`used as (delete from reelmill.console_sign_in_links where ${good} returning hash)`,
				holds: sql`exists (select from used)`,
			};
			return orRefuse(await open({ accountId: await accountOf(null), secret, proof, ...origin }), "invalid_secret");
		},
		async signInAs(identity, origin = {}) {
			if (!isOn) throw new ReelmillError("not_found");
			const accountId = await accountOf(identity);
			return orRefuse(await open({ accountId, identity, secret: null, ...origin }), "account_disabled");
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
