import * as z from "zod";
import { Id, page, Timestamp } from "./common.ts";

export const consoleRoles = ["admin", "member"] as const;
export const ConsoleRole = z.enum(consoleRoles);
export type ConsoleRole = z.infer<typeof ConsoleRole>;

/** The name of the cookie of a console session on plain http. */
export const consoleCookie = "reelmill_session";
/**
 * Returns the name of the cookie of a console session of an installation with this base URL. On https a browser takes a
 * cookie of that name from this very host alone.
 * @example
 * ```ts
 * import { consoleCookieOf } from "@reelmill/contracts";
 *
 * console.log(consoleCookieOf("https://video.example.com")); // => __Host-reelmill_session
 * ```
 */
export const consoleCookieOf = (baseUrl: string): string =>
	baseUrl.startsWith("https://") ? `__Host-${consoleCookie}` : consoleCookie;
/** The headers of requests with a console session: see the specification's gates. */
export const consoleHeaders = { console: "x-service-console", domain: "x-service-domain" } as const;

/** A person who uses the console. An admin sees every domain, a member those of `domain_ids`. */
export const ConsoleAccount = z.object({
	id: Id,
	email: z.string().nullable().meta({ description: "Null for the account of the self-host secret." }),
	role: ConsoleRole,
	domain_ids: z.array(Id),
	created_at: Timestamp,
	last_signed_in_at: Timestamp.nullable(),
	disabled_at: Timestamp.nullable(),
});
export type ConsoleAccount = z.infer<typeof ConsoleAccount>;

export const UpdateConsoleAccount = z.strictObject({
	role: ConsoleRole.optional(),
	domain_ids: z.array(Id).max(1000).optional().meta({ description: "The domains a member sees; replaces the list." }),
});
export type UpdateConsoleAccount = z.infer<typeof UpdateConsoleAccount>;

export const CreateConsoleSession = z.strictObject({ secret: z.string().min(1).max(255) });
export type CreateConsoleSession = z.infer<typeof CreateConsoleSession>;

export const ConsoleSession = z.object({
	account: ConsoleAccount,
	domains: z
		.array(z.object({ id: Id, slug: z.string() }))
		.meta({ description: "The domains that x-service-domain may name." }),
	expires_at: Timestamp,
});
export type ConsoleSession = z.infer<typeof ConsoleSession>;

/** One page of console accounts, newest first. */
export const ConsoleAccountPage = page(ConsoleAccount);
