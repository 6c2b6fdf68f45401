import sql from "sql-template-tag";
import type { Chores } from "../background/index.ts";
import type { Pages } from "../cursors/index.ts";
import { deleteInBatches } from "../retention/index.ts";
import type { TokenFamily } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { type ConsoleAccounts, createConsoleAccounts } from "./accounts.ts";
import { type ConsoleSettings, comparable } from "./admins.ts";
import { createRoundTrips, type RoundTrips } from "./round-trips.ts";
import { createSessions, type SessionClaims, type Sessions } from "./sessions.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";

/** The web console's accounts and sessions. */
export type Console = SignIn &
	Omit<Sessions, "forgetAll"> & {
		/** Whether this installation has a console. */
		readonly isOn: boolean;
		/** Whether the self-host secret and sign-in links sign in. */
		readonly hasSecret: boolean;
		readonly accounts: ConsoleAccounts;
		/** Round trips to the identity provider. */
		readonly roundTrips: RoundTrips;
	};

/** The console, with what the engine's background and its start need of it. */
export type ConsoleNoun = Console & {
	/** Makes the self-host account if there is a secret, so that it is listed before its first sign-in. Idempotent. */
	prepare(): Promise<void>;
	readonly chores: Chores;
};

export type ConsoleOptions = ConsoleSettings & {
	readonly baseUrl: string;
	readonly pages: Pages;
	readonly tokens: TokenFamily<SessionClaims>;
	readonly windows: Pick<Windows, "consoleIdle" | "consoleSession" | "keepEnded">;
};

export function createConsole(parts: Parts, options: ConsoleOptions): ConsoleNoun {
	const { database, clock, random } = parts;
	const { isOn, secret, windows } = options;
	const admins = comparable(options.admins);
	const shared = { ...options, admins };
	const sessions = createSessions(parts, shared);
	const { authenticate, session, signOut, forgetAll } = sessions;
	const before = (seconds: number) => new Date(clock.now() - seconds * 1000);
	const unused = () => sql`
		issuer is not null and disabled_at is null and not demoted and coalesce(last_signed_in_at, created_at) <= ${before(windows.keepEnded)}
		and reelmill.console_role(console_accounts, ${admins}::text[]) = 'member'
		and not exists (select from reelmill.console_account_domains l where l.account_id = console_accounts.id)`;
	const hasSecret = isOn && secret !== undefined;
	return {
		isOn,
		hasSecret,
		accounts: createConsoleAccounts(parts, {
			...shared,
			hasSecret,
			onEnded: forgetAll,
		}),
		roundTrips: createRoundTrips(parts),
		...createSignIn(parts, { ...shared, sessions }),
		authenticate,
		session,
		signOut,
		async prepare() {
			if (!isOn || secret === undefined) return;
			await database.query(sql`
				insert into reelmill.console_accounts (id, created_at) values (${random.uuid()}, ${before(0)})
				on conflict on constraint console_accounts_identity do nothing`);
		},
		chores: {
			forgetConsoleSessions: () =>
				deleteInBatches(database, sql`reelmill.console_sessions`, sql`created_at <= ${before(windows.consoleSession)}`),
			forgetSignInLinks: () =>
				deleteInBatches(database, sql`reelmill.console_sign_in_links`, sql`expires_at <= ${before(0)}`),
			forgetRoundTrips: () =>
				deleteInBatches(database, sql`reelmill.console_round_trips`, sql`expires_at <= ${before(0)}`),
			forgetUnusedAccounts: () => deleteInBatches(database, sql`reelmill.console_accounts`, unused()),
		},
	};
}
