import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OutcomeError } from "../failure.ts";
import { writePrivateFile } from "../profiles.ts";

/** The keys of one development server. `apiKey` is null until the domain is made. */
export type DevSecrets = { masterKey: string; adminKey: string; webhookSecret: string; apiKey: string | null };

/** Reads the keys that an earlier run left in the directory, or makes new ones. */
export function readSecrets(directory: string): DevSecrets {
	const path = pathOf(directory);
	if (existsSync(path))
		try {
			return JSON.parse(readFileSync(path, "utf8")) as DevSecrets;
		} catch {
			throw new OutcomeError("damaged", `${path} is damaged: choose another --data-dir, or remove this one.`);
		}
	return {
		masterKey: randomBytes(32).toString("base64"),
		adminKey: `admin_${randomBytes(24).toString("hex")}`,
		webhookSecret: `whsec_${randomBytes(24).toString("hex")}`,
		apiKey: null,
	};
}

/** Keeps the keys in the directory, for this user alone. */
export const keepSecrets = (directory: string, secrets: DevSecrets): void =>
	writePrivateFile(pathOf(directory), JSON.stringify(secrets));

const pathOf = (directory: string): string => join(directory, "dev.json");
