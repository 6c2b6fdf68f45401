import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createMemoryCache } from "@reelmill/edge";
import { createNodeEdge } from "@reelmill/edge/node";
import { freePort } from "../../../../scripts/programs/program.ts";
import type { EngineOptions } from "../../../engine/src/index.ts";
import { listen, openService, type Service } from "../../../http/test/support/open-service.ts";
import { startNginxEdge } from "./nginx-edge.ts";
import { asking } from "./open-edge.ts";

type Tenant = Awaited<ReturnType<Service["tenant"]>>;
type Started = {
	/** Makes the edge ask for its feed. */
	poll(): Promise<unknown>;
	stop(): Promise<unknown>;
};
type Kind = {
	readonly name: string;
	/** Whether the edge's clock is the machine's. Then the service's goes on by itself. */
	readonly isTimeReal: boolean;
	start(at: { service: string; domain: string; port: number; clock: Service["clock"] }): Promise<Started>;
};

const node: Kind = {
	name: "Node",
	isTimeReal: false,
	async start({ service, domain, port, clock }) {
		const monotonic = () => clock.now();
		const cache = createMemoryCache({ monotonic });
		const edge = createNodeEdge({ service, domains: [domain], monotonic, now: monotonic, cache });
		const server = createServer(edge.listener);
		await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
		return {
			poll: edge.poll,
			stop() {
				edge.stop();
				return closed(server);
			},
		};
	},
};
const nginx: Kind = {
	name: "nginx",
	isTimeReal: true,
	async start({ service, domain, port }) {
		const { url, stop } = await startNginxEdge({ url: service, domains: [domain] }, { port });
		return { poll: () => asking(url)("/videos/00000000-0000-4000-8000-000000000000/x"), stop };
	},
};
export const edges = { node, nginx };

/** An edge before the real service, which follows the domain of `tenant` and not that of `other`. */
export type RealEdge = {
	readonly service: Service;
	readonly url: string;
	readonly tenant: Tenant;
	readonly other: Tenant;
	/** What reached the service of requests for files, as "GET path"; emptied by each call. */
	taken(): string[];
	/** Lets time pass for the service and for the edge, which polls in the last seconds. */
	pass(seconds: number): Promise<void>;
	close(): Promise<void>;
};

export async function openRealEdge({
	kind,
	algorithm = "ES256",
	adapters = () => ({}),
}: {
	kind: Kind;
	algorithm?: "ES256" | "EdDSA" | "HS256";
	adapters?: (edgeUrl: string) => Partial<EngineOptions>;
}): Promise<RealEdge> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const service = await openService({ trustedProxies: ["127.0.0.1"] }, () => ({
		playbackKeyAlgorithm: algorithm,
		...adapters(url),
	}));
	const { clock } = service;
	const [tenant, other] = [await service.tenant(), await service.tenant()];
	const reached: string[] = [];
	const front = createServer((request, response) => {
		if (request.url?.startsWith("/videos/")) reached.push(`${request.method} ${request.url}`);
		service.listener(request, response);
	});
	const edge = await kind.start({ service: await listen(front), domain: tenant.domain.id, port, clock });
	const ticking = kind.isTimeReal ? tick(clock) : undefined;
	async function pass(seconds: number): Promise<void> {
		for (let second = 0; second < seconds; second++) {
			await (kind.isTimeReal ? sleep(1000) : clock.advance(1000));
			if (seconds - second <= 8) await edge.poll();
		}
	}
	// The first minute of a feed is one of its own.
	await edge.poll();
	await clock.advance(62_000);
	await pass(8);
	return {
		service,
		url,
		tenant,
		other,
		taken: () => reached.splice(0),
		pass,
		async close() {
			clearInterval(ticking);
			await edge.stop();
			await closed(front);
			await service.close();
		},
	};
}

function tick(clock: Service["clock"]): NodeJS.Timeout {
	let at = Math.floor(performance.now());
	return setInterval(() => {
		const now = Math.floor(performance.now());
		void clock.advance(now - at);
		at = now;
	}, 50);
}

async function closed(server: ReturnType<typeof createServer>): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}
