import { createReelmill } from "@reelmill/node";
import { serviceFor } from "../../demo/src/service.ts";
import { startBackEnd } from "./back-end.ts";

/** Starts a Reelmill, or takes yours, and the back end with its page. Ctrl-C stops both. */
export async function run({ pages, port, directory }: { pages: readonly string[]; port: number; directory: string }) {
	const service = await serviceFor(process.env, directory);
	const reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
	const backEnd = await startBackEnd({ reelmill, pages, port: Number(process.env.PORT ?? port) });
	await reelmill.domain.updateConfig({ cors_origins: [backEnd.address] });
	console.log(`Reelmill runs at ${service.baseUrl}.`);
	console.log(`Open ${backEnd.address}`);
	const stop = async () => {
		await backEnd.close();
		await service.stop();
	};
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
}
