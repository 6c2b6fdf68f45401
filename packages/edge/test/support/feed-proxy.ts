import { request as ask, createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

type Answer = { readonly headers: IncomingHttpHeaders; readonly body: Buffer };

export type FeedProxy = Awaited<ReturnType<typeof startFeedProxy>>;

/** Stands between an edge and its service, and answers for the feed as it is told. */
export async function startFeedProxy(service: string) {
	let milliseconds = 0;
	let asked = 0;
	let last = null as Answer | null;
	let replayed = null as Answer | null;
	const server = createServer(async ({ url = "", method, headers }, response) => {
		const isFeed = url.startsWith("/v1/edge/");
		if (isFeed) {
			asked++;
			await sleep(milliseconds);
			if (replayed !== null) return response.writeHead(200, replayed.headers).end(replayed.body);
		}
		return ask(service + url, { method, headers }, async (answer) => {
			const body = Buffer.concat(await answer.toArray());
			if (isFeed) last = { headers: answer.headers, body };
			response.writeHead(answer.statusCode as number, answer.headers).end(body);
		}).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** How often the feed was asked for since the last call. */
		takeAsked() {
			const before = asked;
			asked = 0;
			return before;
		},
		/** Lets each answer of the feed take so long. */
		delay(by: number) {
			milliseconds = by;
		},
		/** Returns a function that gives the last feed again, from its call on. */
		remember() {
			const known = last;
			return () => {
				replayed = known;
			};
		},
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(resolve));
		},
	};
}
