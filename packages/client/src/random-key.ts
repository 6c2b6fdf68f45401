/** Returns 32 random hexadecimal digits. Unlike `randomUUID`, it works in a page that was not served over https. */
export const randomKey = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
