import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createReelmill } from "@reelmill/node";
import { serviceFor } from "../../demo/src/service.ts";
import { createApplication } from "./application.ts";

const { PORT = "8791" } = process.env;
// A Reelmill of yours, or else one that is started beside this program.
const service = await serviceFor(process.env, "./express-backend-data");
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
console.log(`Reelmill runs at ${service.baseUrl}.`);
console.log(`Open ${address}`);

async function stop(): Promise<void> {
	server.closeAllConnections();
	server.close();
	await service.stop();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
