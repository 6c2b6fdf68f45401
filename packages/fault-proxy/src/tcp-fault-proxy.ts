import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type TcpFaultProxy = {
	readonly host: string;
	readonly port: number;
	/** How many clients are connected now. */
	readonly connections: number;
	/** Resets every connection on both sides. New ones pass. */
	cut(): void;
	/** Resets every connection, and each new one, until `resume()`. */
	refuse(): void;
	/**
	 * Keeps both sides connected and passes nothing, on new connections either, until `resume()`. Then everything that
	 * waited passes.
	 */
	stall(): void;
	/**
	 * Imitates a machine that is gone without a word: the named side stays connected to nobody, and the other's
	 * connections are reset. A new client is accepted and hears nothing. `resume()` resets what is left of these
	 * connections.
	 */
	halfOpen(keeps: "client" | "server"): void;
	/** Lets everything pass again. */
	resume(): void;
	/**
	 * Sends new connections to this server, as when an address moves to another machine. Open ones stay where they are.
	 */
	redirect(target: Target): void;
	/** Resets every connection and stops listening. */
	close(): Promise<void>;
};

type Target = { readonly host: string; readonly port: number };
type Pair = { readonly client: Socket; readonly server: Socket | null };

/** Opens a proxy in front of any TCP server, on a free port of the loopback. It doesn't look at what passes. */
export async function openTcpFaultProxy({ target: first }: { readonly target: Target }): Promise<TcpFaultProxy> {
	let target = first;
	let mode: "pass" | "refuse" | "stall" | "silent" = "pass";
	const pairs = new Set<Pair>();
	const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
		if (mode === "refuse") {
			client.resetAndDestroy();
			return;
		}
		const pair: Pair = {
			client,
			server: mode === "silent" ? null : connect({ ...target, allowHalfOpen: true, noDelay: true }),
		};
		pairs.add(pair);
		client.on("error", ignore).once("close", () => pairs.delete(pair));
		if (!pair.server) {
			client.resume();
			return;
		}
		pair.server.on("error", ignore);
		const flows = () => mode === "pass";
		pump(client, pair.server, flows);
		pump(pair.server, client, flows);
	});
	const reset = () => {
		for (const pair of pairs) for (const side of [pair.client, pair.server]) side?.resetAndDestroy();
		pairs.clear();
	};
	const each = (act: (side: Socket) => void) => {
		for (const pair of pairs) for (const side of [pair.client, pair.server]) if (side) act(side);
	};
	await once(server.listen(0, "127.0.0.1"), "listening");
	return {
		host: "127.0.0.1",
		port: (server.address() as AddressInfo).port,
		get connections() {
			return [...pairs].filter(({ client }) => !client.destroyed).length;
		},
		cut: reset,
		refuse() {
			mode = "refuse";
			reset();
		},
		stall() {
			mode = "stall";
			each((side) => side.pause());
		},
		halfOpen(keeps) {
			mode = "silent";
			for (const pair of pairs) {
				const [kept, lost] = keeps === "client" ? [pair.client, pair.server] : [pair.server, pair.client];
				kept?.removeAllListeners("data").resume();
				lost?.removeAllListeners("close").resetAndDestroy();
			}
		},
		resume() {
			if (mode === "silent") reset();
			mode = "pass";
			each((side) => side.resume());
		},
		redirect(next) {
			target = next;
		},
		async close() {
			const closed = once(server, "close");
			server.close();
			reset();
			await closed;
		},
	};
}

const ignore = () => undefined;

/** Passes one side's bytes and its end to the other side, at the other's pace. */
function pump(from: Socket, to: Socket, flows: () => boolean): void {
	from.on("data", (bytes) => {
		if (!to.write(bytes)) from.pause();
	});
	to.on("drain", () => {
		if (flows()) from.resume();
	});
	from.once("end", () => to.end());
	from.once("close", (hadError) => (hadError ? to.resetAndDestroy() : to.destroySoon()));
	if (!flows()) from.pause();
}
