import { createHmac } from "node:crypto";

/** How one server takes part in the console: by its settings. */
export type ConsoleSettings = {
	/** Whether the installation has a console. */
	readonly isOn: boolean;
	/** The self-host secret; undefined if nobody signs in by it. */
	readonly secret: string | undefined;
	/** E-mail addresses of admins. */
	readonly admins: readonly string[];
};

/** Returns addresses as the database compares them: only ASCII letters lose their case. */
export const comparable = (addresses: readonly string[]): string[] =>
	addresses.map((address) => address.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));

/**
 * Returns what is kept beside a token to tell later whether it was made under this secret. It gives nothing away about
 * the secret to whoever lacks the token, and only the token's hash is kept.
 */
export const markOf = (token: string, secret: string): Uint8Array =>
	createHmac("sha256", token).update(secret).digest();
