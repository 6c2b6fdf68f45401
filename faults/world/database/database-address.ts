import { openTcpFaultProxy } from "@reelmill/fault-proxy";
import type { Postgres } from "./postgres.ts";

/** How a server finds the primary: by one address that moves with it, or by the addresses of both nodes. */
export type Finding = "moving address" | "both addresses";

/**
 * The address at which one server reaches the database. All connections to it break together, to whichever node they
 * lead.
 */
export type DatabaseAddress = {
	readonly url: string;
	cut(): void;
	refuse(): void;
	stall(): void;
	halfOpen(keeps: "client" | "server"): void;
	resume(): void;
	close(): Promise<void>;
};

export async function openDatabaseAddress(postgres: Postgres, finding: Finding): Promise<DatabaseAddress> {
	const targetOf = ({ port }: { readonly port: number }) => ({ host: "127.0.0.1", port });
	const url = new URL(postgres.primary.url);
	const proxies =
		finding === "both addresses"
			? await Promise.all(postgres.nodes.map((node) => openTcpFaultProxy({ target: targetOf(node) })))
			: [await openTcpFaultProxy({ target: targetOf(postgres.primary) })];
	if (finding === "moving address") postgres.onFailOver((primary) => proxies[0]?.redirect(targetOf(primary)));
	const all = (act: (proxy: (typeof proxies)[number]) => void) => () => proxies.forEach(act);
	const hosts = proxies.map(({ host, port }) => `${host}:${port}`).join();
	return {
		url: `${url.protocol}//${url.username}:${url.password}@${hosts}${url.pathname}`,
		cut: all((proxy) => proxy.cut()),
		refuse: all((proxy) => proxy.refuse()),
		stall: all((proxy) => proxy.stall()),
		halfOpen: (keeps) => all((proxy) => proxy.halfOpen(keeps))(),
		resume: all((proxy) => proxy.resume()),
		async close() {
			await Promise.all(proxies.map((proxy) => proxy.close()));
		},
	};
}
