import { type ConsoleAccount, type ConsoleRole, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { type Actor, type AuditedChange, auditPart, engineActor } from "../audit/index.ts";
import { operatorScope, type PageRequest, type Pages } from "../cursors/index.ts";
import type { Parts } from "../system/index.ts";

export type ConsoleAccountPage = { data: ConsoleAccount[]; next_cursor: string | null };
export type ConsoleAccountUpdate = {
	readonly role?: ConsoleRole | undefined;
	readonly domain_ids?: readonly string[] | undefined;
};

export type ConsoleAccounts = {
	/**
	 * Returns a page of all console accounts, disabled ones included, newest first.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` when the limit is outside 1 to 100.
	 */
	list(request: PageRequest): Promise<ConsoleAccountPage>;
	/**
	 * Disables an account and returns it. It can't sign in any more, and its sessions end: at once on this server, on
	 * others within 2 s. Calling it twice keeps the time of the first call.
	 *
	 * @throws {ReelmillError} `not_found`; `invalid_state` for the last admin who can sign in, also if two admins disable
	 * each other at once.
	 */
	disable(id: string, by?: Actor): Promise<ConsoleAccount>;
	/**
	 * Lets an account sign in again, and returns it. Sessions that were ended stay so.
	 *
	 * @throws {ReelmillError} `not_found`.
	 */
	enable(id: string, by?: Actor): Promise<ConsoleAccount>;
	/**
	 * Changes role and domains, and returns the account. What is left out stays. If anything changes, the account's
	 * sessions end. A member whose address is among the console's admins stays a member until it is made admin again.
	 *
	 * @throws {ReelmillError} `not_found`; `domain_not_found`; `invalid_state` for the last admin, for the role of the
	 * self-host secret's account, and for making an admin whose verified address is not among the console's admins.
	 */
	update(id: string, update: ConsoleAccountUpdate, by?: Actor): Promise<ConsoleAccount>;
};

type AccountRow = {
	readonly id: string;
	readonly issuer: string | null;
	readonly subject: string | null;
	readonly email: string | null;
	readonly email_verified: boolean;
	readonly role: ConsoleRole;
	readonly label: string;
	readonly domain_ids: string[];
	readonly created_at: Date;
	readonly last_signed_in_at: Date | null;
	readonly disabled_at: Date | null;
};
type Fault = "not_found" | "self_host" | "not_listed" | "domain_not_found" | "last_admin";

const invalidStates: { readonly [F in Fault]?: string } = {
	self_host: "The account of the self-host secret is an admin; disable it, or take the secret away.",
	not_listed: "Only an account whose verified address is in REELMILL_CONSOLE_ADMINS can be an admin.",
	last_admin: "This is the last admin of the console.",
};

export type ConsoleAccountsOptions = {
	readonly pages: Pages;
	/** Addresses of admins, as the database compares them. */
	readonly admins: readonly string[];
	readonly hasSecret: boolean;
	/** Called after sessions were ended. */
	readonly onEnded: () => void;
};

export function createConsoleAccounts(
	parts: Parts,
	{ pages, admins, hasSecret, onEnded }: ConsoleAccountsOptions,
): ConsoleAccounts {
	const { database, clock } = parts;
	const find = async (id: string): Promise<ConsoleAccount> => {
		const [row] = await database.query<AccountRow>(
			sql`select ${accountColumns(admins)} from reelmill.console_accounts a where id = ${id}`,
		);
		if (row === undefined) throw new ReelmillError("not_found");
		return viewAccount(row);
	};
	const change = async (
		id: string,
		{ disable = false, role, domain_ids }: ConsoleAccountUpdate & { readonly disable?: boolean },
		by: Actor,
	): Promise<ConsoleAccount> => {
		const action = disable ? "console_account.disabled" : "console_account.updated";
		const entry = { ...entryOf(action, id), changed: sql`(select changed from done)` };
		const [row] = await database.query<{ fault: Fault | null }>(sql`
			with done as materialized (
				select * from reelmill.change_console_account(${id}, ${disable}, ${role ?? null}, ${domain_ids ?? null}::uuid[], ${admins}::text[], ${hasSecret}, ${new Date(clock.now())})),
			${auditPart(parts, by, entry, sql`done where fault is null and changed <> '{}'`)}
			select fault from done`);
		onEnded();
		const fault = row?.fault ?? null;
		if (fault === null) return find(id);
		const message = invalidStates[fault];
		if (message !== undefined) throw new ReelmillError("invalid_state", { message });
		throw new ReelmillError(fault === "domain_not_found" ? fault : "not_found");
	};
	return {
		async list(request) {
			const listing = { route: "listConsoleAccounts", scope: operatorScope, filter: null } as const;
			const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<AccountRow>(
					sql`select ${accountColumns(admins)} from reelmill.console_accounts a where true ${keyset}`,
				),
			);
			return { data: rows.map(viewAccount), next_cursor: nextCursor };
		},
		disable: (id, by = engineActor) => change(id, { disable: true }, by),
		async enable(id, by = engineActor) {
			await database.query(sql`
				with enabled as (
					update reelmill.console_accounts set disabled_at = null where id = ${id} and disabled_at is not null returning id),
				${auditPart(parts, by, entryOf("console_account.enabled", id), sql`enabled`)}
				select from enabled`);
			onEnded();
			return find(id);
		},
		update: (id, update, by = engineActor) => change(id, update, by),
	};
}

/** What the audit log says of an action on an account. `label` is its name if that is known already. */
export const entryOf = (action: AuditedChange["action"], id: string, label?: string): AuditedChange => ({
	action,
	resource: {
		kind: "console_account",
		id,
		label: label ?? sql`(select reelmill.console_label(a) from reelmill.console_accounts a where a.id = ${id})`,
	},
	domainId: null,
});

/** The columns of account `a` that {@link viewAccount} reads. */
export const accountColumns = (admins: readonly string[]): Sql => sql`
	a.id, a.issuer, a.subject, a.email, a.email_verified, a.created_at, a.last_signed_in_at, a.disabled_at,
	reelmill.console_role(a, ${admins}::text[]) as role, reelmill.console_label(a) as label,
	array(
		select l.domain_id::text from reelmill.console_account_domains l join reelmill.domains d on d.id = l.domain_id
		where l.account_id = a.id and d.deleted_at is null order by 1) as domain_ids`;

export const viewAccount = (row: AccountRow): ConsoleAccount => ({
	id: row.id,
	issuer: row.issuer,
	subject: row.subject,
	email: row.email,
	email_verified: row.email_verified,
	role: row.role,
	domain_ids: row.domain_ids,
	created_at: row.created_at.toISOString(),
	last_signed_in_at: row.last_signed_in_at?.toISOString() ?? null,
	disabled_at: row.disabled_at?.toISOString() ?? null,
});
