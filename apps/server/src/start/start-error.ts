/**
 * The start can't go on. The message is one sentence that names what is wrong and what to do about it.
 *
 * @example
 * ```ts
 * import { createReelmillServer, StartError } from "@reelmill/server";
 *
 * const server = createReelmillServer({ dataDir: "./data", host: "203.0.113.1", embeddedWorkers: 0 });
 * const error = await server.start().catch((reason) => reason);
 * console.log(error instanceof StartError, error.message);
 * // => true This machine has no address 203.0.113.1; set REELMILL_HOST to one that it has.
 * ```
 */
export class StartError extends Error {
	override readonly name = "StartError";
}

/**
 * Returns what `use` returns.
 *
 * @throws {StartError} when `use` throws; the message names the setting.
 */
export function namingSetting<T>(setting: string, use: () => T): T {
	try {
		return use();
	} catch (cause) {
		throw new StartError(`${setting}: ${(cause as Error).message}`, { cause });
	}
}
