import sql from "sql-template-tag";
import { auditPart, engineActor } from "../audit/index.ts";
import { hashSecret } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";

/** Returns the function behind {@link Accounts.keep}. */
export function createKeepAccount(parts: Parts, windows: Pick<Windows, "rotationGrace">) {
	const { database, clock, random } = parts;
	return async ({ name, secret }: { readonly name: string; readonly secret: string }): Promise<boolean> => {
		const hash = hashSecret(secret);
		const id = random.uuid();
		const resource = { kind: "service_account", label: name } as const;
		const made = { action: "service_account.created", resource: { ...resource, id }, domainId: null } as const;
		await database.query(sql`
			with created as (
				insert into reelmill.service_accounts (id, name, secret_hash, created_at) values (${id}, ${name}, ${hash}, ${new Date(clock.now())})
				on conflict (name) do nothing returning id),
			${auditPart(parts, engineActor, made, sql`created`)}
			select id from created`);
		const rotated = {
			action: "service_account.secret_rotated",
			resource: { ...resource, id: sql`(select id::text from rotated)` },
			domainId: null,
		} as const;
		const graceEnds = new Date(clock.now() + windows.rotationGrace * 1000);
		const [row] = await database.query<{ is_revoked: boolean }>(sql`
			with rotated as (
				update reelmill.service_accounts set secret_hash = ${hash}, previous_secret_hash = secret_hash, previous_secret_expires_at = ${graceEnds}
				where name = ${name} and secret_hash <> ${hash} and revoked_at is null returning id),
			${auditPart(parts, engineActor, rotated, sql`rotated`)}
			select revoked_at is not null as is_revoked from reelmill.service_accounts where name = ${name}`);
		return row?.is_revoked === false;
	};
}
