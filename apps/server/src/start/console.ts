import { existsSync } from "node:fs";
import { join } from "node:path";
import { directory, referenceDirectory } from "@reelmill/console";
import type { Engine } from "@reelmill/engine";
import type { Config } from "../config.ts";
import { keepPrivateFile } from "../data-directory/data-directory.ts";

const secretFile = "console.secret";

/** How to get to the console of a server that has just started. */
export type ConsoleEntrance = {
	/** Where the page is; `null` if it was not built, as in a clone before `npm start` or `npm run build`. */
	readonly url: string | null;
	/** Signs in once, within 15 minutes; `null` if there is no secret. */
	readonly signInLink: string | null;
	/** The file with the secret that this server made; `null` if it made none. */
	readonly secretFile: string | null;
	/** Whether people sign in at an identity provider. */
	readonly hasProvider: boolean;
};

/**
 * Returns the folder of the console's page; `undefined` if the server leaves the page out, or if the page was not
 * built.
 */
export const consoleDirectory = ({ CONSOLE }: Pick<Config, "CONSOLE">): string | undefined =>
	CONSOLE === "on" && existsSync(join(directory, "index.html")) ? directory : undefined;

/** Returns the folder of the API reference's page; `undefined` if the page was not built. */
export const builtReference = (): string | undefined =>
	existsSync(join(referenceDirectory, "index.html")) ? referenceDirectory : undefined;

/**
 * Returns the secret that signs in to the console. A server with its embedded database makes one in the data directory
 * unless a setting gives one, so that a new installation can be used at once. `undefined` if there is none.
 *
 * @throws {StartError} when the file can't be read or written.
 */
export async function keepConsoleSecret(
	{ CONSOLE, CONSOLE_SECRET, DATABASE_URL, DATA_DIR }: Config,
	make: () => string,
): Promise<string | undefined> {
	if (CONSOLE === "off") return undefined;
	if (CONSOLE_SECRET !== undefined || DATABASE_URL !== undefined) return CONSOLE_SECRET;
	return keepPrivateFile(DATA_DIR, secretFile, async () => make());
}

/** Returns how to get to the console; `null` if the server leaves it out. */
export async function openConsole(
	{ console, baseUrl }: Engine,
	config: Pick<Config, "CONSOLE" | "CONSOLE_SECRET" | "DATABASE_URL" | "DATA_DIR" | "OIDC_ISSUER">,
): Promise<ConsoleEntrance | null> {
	if (config.CONSOLE === "off") return null;
	const isKept = config.CONSOLE_SECRET === undefined && config.DATABASE_URL === undefined;
	const hasProvider = config.OIDC_ISSUER !== undefined;
	if (consoleDirectory(config) === undefined) return { url: null, signInLink: null, secretFile: null, hasProvider };
	return {
		hasProvider,
		url: `${baseUrl}/console/`,
		signInLink: (await console.mintSignInLink())?.url ?? null,
		secretFile: isKept ? join(config.DATA_DIR, secretFile) : null,
	};
}
