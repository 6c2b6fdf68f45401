import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createReelmill } from "../../../packages/node/src/index.ts";
import { layOutExample } from "../../../scripts/examples/lay-out.ts";
import { answers, startProgram } from "../../../scripts/programs/program.ts";
import { run } from "../../../scripts/setup/spawn.mjs";
import { serviceFor } from "../../demo/src/service.ts";

export type Application = { readonly address: string; said(): string; stop(): Promise<void> };

const packed = ["contracts", "client", "webhooks", "node", "browser", "elements", "react"];
const quiet = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

/**
 * Builds the application from the packages of this tree as they are published, and starts it beside a Reelmill whose
 * data is in `directory`.
 */
export async function startApplication(directory: string): Promise<Application> {
	const { PORT = "8795", SESSION_SECRET = randomBytes(32).toString("base64url") } = process.env;
	console.log("Packing the packages, and installing Next.js (340 MB the first time).");
	const folder = await layOutExample("nextjs", join(import.meta.dirname, ".."), packed);
	console.log("Building the application.");
	const next = join(folder, "node_modules/next/dist/bin/next");
	// As an image is built: without a setting.
	const { PATH, HOME } = process.env;
	await run(process.execPath, [next, "build"], folder, { PATH, HOME, NEXT_TELEMETRY_DISABLED: "1" });
	const service = await serviceFor(process.env, directory);
	const reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
	const { webhook_secret } = await reelmill.domain.rotateWebhookSecret();
	const address = `http://127.0.0.1:${PORT}`;
	const application = startProgram(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", PORT], {
		cwd: folder,
		env: {
			...quiet,
			REELMILL_URL: service.baseUrl,
			REELMILL_API_KEY: service.apiKey,
			REELMILL_WEBHOOK_SECRET: webhook_secret,
			SESSION_SECRET,
		},
	});
	const stop = async () => {
		await application.stop();
		await service.stop();
	};
	try {
		await application.until(() => answers(address));
		const webhook_url = `${address}/hooks/reelmill`;
		await reelmill.domain.updateConfig({ webhook_url, cors_origins: [address], renditions: ["h264_720"] });
	} catch (error) {
		await stop();
		throw error;
	}
	console.log(`Reelmill runs at ${service.baseUrl}.`);
	return { address, said: application.said, stop };
}
