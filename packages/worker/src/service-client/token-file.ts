import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sleep } from "../retry.ts";

/** A service token. The moments are those of the server's clock. */
export type KnownToken = { readonly token: string; readonly expires_at: string; readonly renew_at: string };

/** Where the workers of one machine find each other's token. No method rejects. */
export type TokenFile = {
	/** Returns the token that a worker wrote last; null if there is none that this user wrote for itself alone. */
	read(): Promise<KnownToken | null>;
	write(token: KnownToken): Promise<void>;
	/**
	 * Waits until no other worker of the machine asks for a token, and keeps the others waiting until `release` is
	 * called. After 20 seconds it waits no longer: the other worker was killed, or hangs.
	 */
	reserve(signal?: AbortSignal): Promise<{ release(): Promise<void> }>;
};

const pollMilliseconds = 100;
const patienceMilliseconds = 20_000;

/** Creates the access to a token in `directory`, one for each service, account and secret. */
export function createTokenFile(
	directory: string,
	account: { readonly apiUrl: string; readonly name: string; readonly secret: string },
	wait: Sleep,
): TokenFile {
	const { apiUrl, name, secret } = account;
	const digest = createHash("sha256")
		.update(JSON.stringify([apiUrl, name, secret]))
		.digest("hex")
		.slice(0, 16);
	const path = join(directory, `token-${digest}.json`);
	const lock = `${path}.lock`;
	const isReserved = async (): Promise<boolean> => {
		try {
			await writeFile(lock, "", { flag: "wx", mode: 0o600 });
			return false;
		} catch (error) {
			return (error as NodeJS.ErrnoException).code === "EEXIST";
		}
	};
	return {
		async read() {
			const file = await open(path, "r").catch(() => null);
			if (file === null) return null;
			try {
				const { uid, mode } = await file.stat();
				if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return null;
				return JSON.parse(await file.readFile("utf8")) as KnownToken;
			} catch {
				return null;
			} finally {
				await file.close();
			}
		},
		async write(token) {
			const draft = `${path}.${randomUUID()}`;
			try {
				await mkdir(directory, { recursive: true });
				await writeFile(draft, JSON.stringify(token), { flag: "wx", mode: 0o600 });
				await rename(draft, path);
			} catch {
				// Without the file each worker asks for a token of its own.
				await rm(draft, { force: true }).catch(() => undefined);
			}
		},
		async reserve(signal) {
			await mkdir(directory, { recursive: true }).catch(() => undefined);
			const until = performance.now() + patienceMilliseconds;
			while ((await isReserved()) && performance.now() < until && !signal?.aborted)
				await wait(pollMilliseconds, signal);
			return { release: () => rm(lock, { force: true }).catch(() => undefined) };
		},
	};
}
