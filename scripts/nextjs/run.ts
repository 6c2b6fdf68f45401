import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceFor } from "../../examples/demo/src/service.ts";
import { createReelmill } from "../../packages/node/src/index.ts";
import { answers, type Program, startProgram } from "../program.ts";
import { run } from "../spawn.mjs";
import { layOutExample } from "./lay-out.ts";
import { tryApplication } from "./try.ts";

const asksToTry = process.argv.includes("--try");
const { PORT = "8795", SESSION_SECRET = randomBytes(32).toString("base64url") } = process.env;

console.log("Packing the packages, and installing Next.js (340 MB the first time).");
const folder = await layOutExample();
console.log("Building the application.");
const next = join(folder, "node_modules/next/dist/bin/next");
const quiet = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
await run(process.execPath, [next, "build"], folder, quiet);
const directory = asksToTry ? await mkdtemp(join(tmpdir(), "reelmill-nextjs-")) : "./nextjs-data";
const service = await serviceFor(process.env, directory);
let application: Program | undefined;
async function stop(): Promise<void> {
	await application?.stop();
	await service.stop();
	if (asksToTry) await rm(directory, { recursive: true });
}
try {
	const reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
	const { webhook_secret: webhookSecret } = await reelmill.domain.rotateWebhookSecret();
	const settings = {
		REELMILL_URL: service.baseUrl,
		REELMILL_API_KEY: service.apiKey,
		REELMILL_WEBHOOK_SECRET: webhookSecret,
		SESSION_SECRET,
	};
	const address = `http://127.0.0.1:${PORT}`;
	application = startProgram(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", PORT], {
		cwd: folder,
		env: { ...quiet, ...settings },
	});
	await application.until(() => answers(address));
	await reelmill.domain.updateConfig({
		webhook_url: `${address}/hooks/reelmill`,
		cors_origins: [address],
		renditions: ["h264_720"],
	});
	console.log(`Reelmill runs at ${service.baseUrl}.`);
	console.log(`Open ${address}`);
	if (asksToTry) {
		await tryApplication(address, application);
		await stop();
	} else for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
} catch (error) {
	await stop();
	throw error;
}
