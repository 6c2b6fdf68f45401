import { type FaultProxy, openFaultProxy, openTcpFaultProxy, type TcpFaultProxy } from "@reelmill/fault-proxy";

/** One side of a server, with everything that can break there: connections, and single requests. */
export type Relay = {
	readonly url: string;
	readonly connections: TcpFaultProxy;
	readonly requests: FaultProxy;
	close(): Promise<void>;
};

export async function openRelay(port: number): Promise<Relay> {
	const requests = await openFaultProxy({ target: `http://127.0.0.1:${port}` });
	const connections = await openTcpFaultProxy({
		target: { host: "127.0.0.1", port: Number(new URL(requests.url).port) },
	});
	return {
		url: `http://127.0.0.1:${connections.port}`,
		connections,
		requests,
		async close() {
			await connections.close();
			await requests.close();
		},
	};
}
