import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceFor } from "../../examples/demo/src/service.ts";
import { createReelmill } from "../../packages/node/src/index.ts";
import { layOutExample } from "./lay-out.ts";
import { buildApplication, serveApplication } from "./next-server.ts";
import { tryApplication } from "./try.ts";

const asksToTry = process.argv.includes("--try");
const { PORT = "8795", SESSION_SECRET = randomBytes(32).toString("base64url") } = process.env;

console.log("Packing the packages, and installing Next.js (340 MB the first time).");
const folder = await layOutExample();
console.log("Building the application.");
await buildApplication(folder);
const directory = asksToTry ? await mkdtemp(join(tmpdir(), "reelmill-nextjs-")) : "./nextjs-data";
const service = await serviceFor(process.env, directory);
let application: Awaited<ReturnType<typeof serveApplication>> | undefined;
async function stop(): Promise<void> {
	await application?.stop();
	await service.stop();
	if (asksToTry) await rm(directory, { recursive: true });
}
try {
	const reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
	const { webhook_secret: webhookSecret } = await reelmill.domain.rotateWebhookSecret();
	application = await serveApplication(folder, Number(PORT), {
		REELMILL_URL: service.baseUrl,
		REELMILL_API_KEY: service.apiKey,
		REELMILL_WEBHOOK_SECRET: webhookSecret,
		SESSION_SECRET,
	});
	const { address } = application;
	await reelmill.domain.updateConfig({
		webhook_url: `${address}/hooks/reelmill`,
		cors_origins: [address],
		renditions: ["h264_720"],
	});
	console.log(`Reelmill runs at ${service.baseUrl}.`);
	console.log(`Open ${address}`);
	if (asksToTry) {
		await tryApplication(application);
		await stop();
	} else for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
} catch (error) {
	await stop();
	throw error;
}
