import type { Engine, Logger } from "@reelmill/engine";
import type { Config } from "../config.ts";

/**
 * Keeps the service account whose secret the operator gave to servers and transcoders. A revoked account stays revoked,
 * and the log says so: a server serves without transcoders, too.
 */
export async function keepTranscodersAccount(
	{ accounts }: Pick<Engine, "accounts">,
	{ SERVICE_NAME: name, SERVICE_SECRET: secret }: Pick<Config, "SERVICE_NAME" | "SERVICE_SECRET">,
	logger: Logger,
): Promise<void> {
	if (secret === undefined || (await accounts.keep({ name, secret }))) return;
	logger.warn(
		{ name },
		`The service account "${name}" was revoked, so REELMILL_SERVICE_SECRET lets no transcoder in: ` +
			"choose another REELMILL_SERVICE_NAME, the same on servers and transcoders.",
	);
}
