import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createMemoryCache } from "@reelmill/edge";
import { createNodeEdge } from "@reelmill/edge/node";
import { type Answer, bearer, send } from "../../../http/test/support/send.ts";
import { type MadeService, startMadeService } from "./made-service.ts";

export type Asked = { key?: string; headers?: Record<string, string>; method?: string };

/** An edge in front of a service, and how it is asked. */
export type Subject = {
	readonly service: MadeService;
	/** Asks the edge. */
	ask(target: string, asked?: Asked): Promise<Answer>;
	/** Asks the service itself. */
	askService(target: string, asked?: Asked): Promise<Answer>;
	/** Lets time pass, for the service and for the edge, which polls meanwhile. */
	pass(seconds: number): Promise<void>;
	readonly warnings: string[];
	close(): Promise<void>;
};

export type OpenOptions = { whenStale?: "ask" | "refuse"; algorithm?: "ES256" | "EdDSA"; maxBytes?: number };

/** The edge of Node, its clock in the test's hand. */
export async function openNodeEdge({
	whenStale = "ask",
	algorithm = "ES256",
	maxBytes = 64 * 1024 * 1024,
}: OpenOptions = {}): Promise<Subject> {
	const service = await startMadeService({ algorithm });
	let passed = 1000;
	const warnings: string[] = [];
	const monotonic = () => passed;
	const edge = createNodeEdge({
		service: service.url,
		domains: service.domains.slice(0, 1),
		whenStale,
		warn: (message) => warnings.push(message),
		monotonic,
		now: monotonic,
		cache: createMemoryCache({ maxBytes, monotonic }),
	});
	const server = createServer(edge.listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		...endsOf(service, url),
		async pass(seconds) {
			for (let left = seconds; left > 0; left -= 1) {
				passed += Math.min(left, 1) * 1000;
				service.advance(Math.min(left, 1));
				if (left % 2 === 0 || left <= 1) await edge.poll();
			}
		},
		warnings,
		async close() {
			edge.stop();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await service.close();
		},
	};
}

/** Asks the server at this address. */
export const asking =
	(to: string): Subject["ask"] =>
	(target, { key, headers, method = "GET" } = {}) =>
		send(to, { method, path: target, headers: { ...(key !== undefined && bearer(key)), ...headers } });

const endsOf = (service: MadeService, edge: string) => ({
	service,
	ask: asking(edge),
	askService: asking(service.url),
});

/** An edge that is a program of its own, so its clock is the real one. `start` returns its address. */
export async function openOtherEdge(
	start: (service: MadeService) => Promise<{ url: string; stop: () => Promise<unknown> }>,
	{ algorithm = "ES256" }: Pick<OpenOptions, "algorithm"> = {},
): Promise<Subject> {
	const service = await startMadeService({ algorithm, isTimeReal: true });
	const { url, stop } = await start(service);
	const ends = endsOf(service, url);
	return {
		...ends,
		async pass(seconds) {
			for (let left = seconds; left > 0; left -= 1) {
				await sleep(1000);
				await ends.ask("/videos/00000000-0000-4000-8000-000000000000/x");
			}
		},
		warnings: [],
		async close() {
			await stop();
			await service.close();
		},
	};
}
