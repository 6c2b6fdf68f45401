import { setTimeout as sleep } from "node:timers/promises";
import type { History } from "../../history/history.ts";
import { ask } from "../../processes/ask.ts";
import type { World } from "../world.ts";

const patienceMilliseconds = 15_000;

/** Measures, each time the database is back, how soon each server answers from it again. */
export function watchServing({ servers, tenants, postgres }: World, history: History, patience: number): void {
	const { apiKey } = tenants[0];
	const isServing = async (url: string): Promise<boolean> =>
		ask({
			url: `${url}/v1/usage`,
			method: "GET",
			headers: { authorization: `Bearer ${apiKey}` },
			patienceMilliseconds: 2000 * patience,
		}).then(
			({ status }) => status === 200,
			() => false,
		);
	const probe = async (server: number, url: string, since: number): Promise<void> => {
		while (Date.now() - since < patienceMilliseconds * patience && postgres.isUp()) {
			if (await isServing(url)) break;
			await sleep(50);
		}
		history.add({ kind: "serving-again", server, since, milliseconds: Date.now() - since });
	};
	history.onEntry((entry) => {
		if (entry.kind === "postgres" && entry.is === "up")
			for (const [index, { url }] of servers.entries()) void probe(index, url, entry.at);
	});
}
