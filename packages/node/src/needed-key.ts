import type { Credential } from "@reelmill/client";

/**
 * Returns a function that gives an SDK's key to each call. It throws a TypeError that names the option and the usual
 * setting if the key is missing.
 */
export const neededKey = (option: string, setting: string, key: Credential) => async (): Promise<string> => {
	const value = typeof key === "function" ? await key() : key;
	if (value !== undefined && value.trim() !== "") return value;
	throw new TypeError(`${option} is missing: is the setting that holds the key (${setting} in the guides) empty?`);
};
