import { randomBytes } from "node:crypto";
import { consoleCookie } from "@reelmill/contracts";
import type { EngineOptions } from "@reelmill/engine";
import type { Service } from "./open-service.ts";

export const consoleSecret = "secret-of-the-console-tests-0123456789abcdef";
const admins = "operators.example";
/** The options of an engine to which {@link signIn} signs accounts in. */
export const consoleOptions: Pick<EngineOptions, "consoleSecret" | "consoleAdmins"> = {
	consoleSecret,
	consoleAdmins: [`admin@${admins}`],
};

export type SessionHeaders = { cookie: string; "x-service-console": string };
export const sessionHeaders = (token: string): SessionHeaders => ({
	cookie: `other=1; ${consoleCookie}=${token}`,
	"x-service-console": "1",
});

/** Signs a new account of an identity provider in. The headers name no domain. */
export async function signIn(
	{ engine }: Service,
	{ role, domainIds = [] }: { role: "admin" | "member"; domainIds?: string[] },
): Promise<{ headers: SessionHeaders; accountId: string }> {
	const subject = randomBytes(8).toString("hex");
	const email = role === "admin" ? `admin@${admins}` : `${subject}@members.example`;
	const identity = { issuer: "https://login.example", subject, email, emailVerified: true };
	const first = await engine.console.signInAs(identity);
	const { id } = first.session.account;
	if (domainIds.length === 0) return { headers: sessionHeaders(first.token), accountId: id };
	await engine.console.accounts.update(id, { domain_ids: domainIds });
	return { headers: sessionHeaders((await engine.console.signInAs(identity)).token), accountId: id };
}
