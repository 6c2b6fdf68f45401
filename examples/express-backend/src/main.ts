import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createReelmill } from "@reelmill/node";
import { startService } from "../../demo/src/service.ts";
import { createApplication } from "./application.ts";

const { PORT = "8791", DIRECTORY = "./express-backend-data", DATABASE_URL } = process.env;
const { SERVICE_URL, SERVICE_KEY } = process.env;

// A Reelmill of yours, or else one that is started beside this program.
const own = SERVICE_URL && SERVICE_KEY ? { baseUrl: SERVICE_URL, apiKey: SERVICE_KEY, stop: async () => {} } : null;
const service = own ?? (await startService(DIRECTORY, DATABASE_URL ? { REELMILL_DATABASE_URL: DATABASE_URL } : {}));
const reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
const { webhook_secret: webhookSecret } = await reelmill.domain.rotateWebhookSecret();
const server = (await createApplication({ reelmill, webhookSecret })).listen(Number(PORT), "127.0.0.1");
await once(server, "listening");
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
await reelmill.domain.updateConfig({
	webhook_url: `${address}/webhooks`,
	cors_origins: [address],
	renditions: ["h264_720"],
});
console.log(`Open ${address}`);

async function stop(): Promise<void> {
	server.closeAllConnections();
	server.close();
	await service.stop();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
