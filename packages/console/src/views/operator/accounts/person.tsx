import type { CallResult } from "@reelmill/client";
import { StateBadge } from "../../../components/state-badge.tsx";

export type Account = CallResult<"listConsoleAccounts">["data"][number];

/** What people call an account: its address, else what the provider calls it, else the secret that stands for it. */
export const nameOf = ({ email, subject }: Account): string => email ?? subject ?? "Console secret";

/** Who an account is, who vouches for it, and whether it is disabled. */
export function Person({ account, isSelf }: { account: Account; isSelf: boolean }) {
	const { issuer, email, email_verified, subject, disabled_at } = account;
	return (
		<div>
			<div>
				{nameOf(account)} {isSelf && <span className="muted">(you)</span>}{" "}
				{disabled_at !== null && <StateBadge state="disabled" />}
			</div>
			<div className="muted small">
				{issuer === null ? "anyone with the secret or a sign-in link" : `${hostOf(issuer)} · ${subject}`}
				{email !== null && !email_verified && " · address not verified"}
			</div>
		</div>
	);
}

const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer);
