import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../server-process.ts";
import type { EdgeOrigin } from "../servers/edge-origin.ts";

/** Starts the service with so many private videos. */
export async function openOrigin(videos: number, bytes: number) {
	const server = await startServer<EdgeOrigin>("edge-origin", String(videos), String(bytes));
	const { url, apiKey, domain, videos: ids } = server.ready;
	async function call(path: string, body: object): Promise<Record<string, string>> {
		const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
		const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
		if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
		return (await response.json()) as Record<string, string>;
	}
	const feed = async () => (await fetch(`${url}/v1/edge/${domain}`)).text();
	await feed();
	return {
		url,
		domains: [domain],
		videos: ids,
		mint: async (viewer: string) => (await call("/v1/playback-keys", { viewer_ref: viewer })).playback_key as string,
		revoke: (viewer: string) => call("/v1/playback-keys/revoke", { viewer_ref: viewer }),
		/** A feed has another generation for its first minute, with which edges forget everything. */
		async settled() {
			while (/-0-0"\}$/.test(await feed())) await sleep(1000);
		},
		stop: server.stop,
	};
}
