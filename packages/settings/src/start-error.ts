/**
 * The start of a program can't go on. The message is one sentence that names what is wrong and what to do about it.
 *
 * @example
 * ```ts
 * import { namingSetting, StartError } from "@reelmill/settings";
 *
 * try {
 * 	namingSetting("MILL_URL", () => new URL("nowhere"));
 * } catch (error) {
 * 	if (error instanceof StartError) console.log(error.message); // => MILL_URL: Invalid URL
 * }
 * ```
 */
export class StartError extends Error {
	override readonly name: string = "StartError";
}

/**
 * Returns what `use` returns.
 *
 * @throws {StartError} when `use` throws; the message names the setting.
 * @example
 * ```ts
 * import { namingSetting } from "@reelmill/settings";
 *
 * console.log(namingSetting("MILL_URL", () => new URL("http://mill").host)); // => mill
 * ```
 */
export function namingSetting<T>(setting: string, use: () => T): T {
	try {
		return use();
	} catch (cause) {
		throw new StartError(`${setting}: ${(cause as Error).message}`, { cause });
	}
}
