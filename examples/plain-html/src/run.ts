import { createReelmill } from "@reelmill/node";
import { startService } from "../../demo/src/service.ts";
import { startBackEnd } from "./back-end.ts";

/** Starts a Reelmill, or takes yours, and the back end with its page. Ctrl-C stops both. */
export async function run({ pages, port, directory }: { pages: readonly string[]; port: number; directory: string }) {
	const { PORT = port, DIRECTORY = directory, DATABASE_URL, SERVICE_URL, SERVICE_KEY } = process.env;
	const own = SERVICE_URL && SERVICE_KEY ? { baseUrl: SERVICE_URL, apiKey: SERVICE_KEY, stop: async () => {} } : null;
	const service = own ?? (await startService(DIRECTORY, DATABASE_URL ? { REELMILL_DATABASE_URL: DATABASE_URL } : {}));
	const reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
	const backEnd = await startBackEnd({ reelmill, pages, port: Number(PORT) });
	await reelmill.domain.updateConfig({ cors_origins: [backEnd.address] });
	console.log(`Open ${backEnd.address}`);
	const stop = async () => {
		await backEnd.close();
		await service.stop();
	};
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
}
