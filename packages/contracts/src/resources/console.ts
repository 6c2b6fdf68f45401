import * as z from "zod";
import { Id, page, Timestamp } from "./common.ts";

/** The roles that an account of the console may have. */
export const consoleRoles = ["admin", "member"] as const;
/** What an account of the console may do. */
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
	issuer: z.string().nullable().meta({
		description: "The identity provider that vouches for the account; null for the account of the self-host secret.",
	}),
	subject: z.string().nullable().meta({ description: "The provider's own name of the account, which never changes." }),
	email: z.string().nullable().meta({
		description: "As the provider told it at the last sign-in; null if it told none, and for the self-host secret.",
	}),
	email_verified: z
		.boolean()
		.meta({ description: "Whether the provider vouches for the address. If not, trust it in nothing." }),
	role: ConsoleRole.meta({ description: "What the account may do." }),
	domain_ids: z
		.array(Id)
		.meta({ description: "The domains a member sees. An admin sees all, whatever the list says." }),
	created_at: Timestamp,
	last_signed_in_at: Timestamp.nullable().meta({ description: "When it last signed in; null if it never did." }),
	disabled_at: Timestamp.nullable().meta({ description: "Since when it is disabled; null if it isn't." }),
});
export type ConsoleAccount = z.infer<typeof ConsoleAccount>;

/** The body that changes an account of the console. */
export const UpdateConsoleAccount = z.strictObject({
	role: ConsoleRole.optional().meta({ description: "The new role." }),
	domain_ids: z.array(Id).max(1000).optional().meta({ description: "The domains a member sees; replaces the list." }),
});
export type UpdateConsoleAccount = z.infer<typeof UpdateConsoleAccount>;

/** A sign-in by the self-host secret, or by a link that works once. */
export const CreateConsoleSession = z.union(
	[
		z.strictObject({
			secret: z.string().min(1).max(255).meta({ description: "The self-host secret, as `console.secret` holds it." }),
		}),
		z.strictObject({
			link: z
				.string()
				.min(1)
				.max(255)
				.meta({ description: "What follows `#` in a sign-in link.", examples: ["c2lnbi1pbg"] }),
		}),
	],
	{ error: "has either secret or link, a text of 1 to 255 characters" },
);
export type CreateConsoleSession = z.infer<typeof CreateConsoleSession>;

/** Who is signed in to the console, and what the session may do. */
export const ConsoleSession = z.object({
	account: ConsoleAccount,
	domains: z
		.array(z.object({ id: Id, slug: z.string().meta({ description: "The domain's name in addresses." }) }))
		.meta({ description: "The domains that x-service-domain may name, by slug. An admin sees the first 1000 of all." }),
	expires_at: Timestamp.meta({ description: "When the session ends if nothing more is asked in it." }),
});
export type ConsoleSession = z.infer<typeof ConsoleSession>;

/** One page of console accounts, newest first. */
export const ConsoleAccountPage = page(ConsoleAccount);
