/** The start can't go on. The message is one sentence that names what is wrong and what to do about it. */
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
