import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A line to a viewer: what it carries, by the seconds since its first connection, and how long a round trip takes. */
export type Line = {
	readonly name: string;
	readonly bitsPerSecond: (second: number) => number;
	readonly roundTripMilliseconds: number;
};

/** The packets that the line takes from one connection before it turns to the next. */
const turnBytes = 4 * 1448;
/** What a connection may hold ready for the line, as a socket's buffer does. */
const windowBytes = 256 * 1024;

type Connection = {
	readonly client: Socket;
	readonly server: Socket;
	readonly waiting: Buffer[];
	bytes: number;
	ended: boolean;
};

/** Returns what does each work at its time, but never before the one that was given before it. */
function createQueue(now: () => number): (at: number, work: () => void) => void {
	const waiting: { readonly at: number; readonly work: () => void }[] = [];
	const look = () => {
		while (waiting[0] && waiting[0].at <= now()) waiting.shift()?.work();
		if (waiting[0]) setTimeout(look, Math.max(1, waiting[0].at - now()));
	};
	return (at, work) => {
		waiting.push({ at, work });
		if (waiting.length === 1) setTimeout(look, Math.max(1, at - now()));
	};
}

/**
 * Opens a throttled line in front of an HTTP server, on a free port of the loopback. All connections share what the
 * line carries to the viewer, in turns. What the viewer sends is not throttled. Each direction takes half of the round
 * trip, and a new connection a whole one before. There is no slow start, and nothing is lost.
 */
export async function openLine({ bitsPerSecond, roundTripMilliseconds }: Line, target: string) {
	const { hostname, port } = new URL(target);
	const connections: Connection[] = [];
	const sockets = new Set<Socket>();
	let startedAt: number | undefined;
	let freeAt = 0;
	let running = false;
	let carried = 0;
	const now = () => performance.now();
	const [toServer, toViewer] = [createQueue(now), createQueue(now)];
	const oneWay = roundTripMilliseconds / 2;

	const next = (): Connection | undefined => {
		const at = connections.findIndex(({ waiting, ended }) => waiting.length > 0 || ended);
		const [connection] = at === -1 ? [] : connections.splice(at, 1);
		if (connection) connections.push(connection);
		return connection;
	};
	const start = () => {
		if (running) return;
		running = true;
		freeAt = Math.max(freeAt, now());
		carry();
	};
	const carry = () => {
		// After a timer that comes late, the line sends what it would have carried by then, but no great burst.
		freeAt = Math.max(freeAt, now() - 100);
		while (freeAt <= now()) {
			const connection = next();
			if (!connection) {
				running = false;
				return;
			}
			const { client, server, waiting } = connection;
			const first = waiting.shift();
			if (!first) {
				connections.splice(connections.indexOf(connection), 1);
				toViewer(now() + oneWay, () => client.end());
				continue;
			}
			const sent = first.subarray(0, turnBytes);
			if (first.length > turnBytes) waiting.unshift(first.subarray(turnBytes));
			connection.bytes -= sent.length;
			carried += sent.length;
			freeAt += (sent.length * 8000) / bitsPerSecond((freeAt - (startedAt ?? 0)) / 1000);
			toViewer(freeAt + oneWay, () => client.destroyed || client.write(sent));
			if (connection.bytes < windowBytes) server.resume();
		}
		setTimeout(carry, Math.max(0, freeAt - now()));
	};

	const proxy = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
		startedAt ??= now();
		const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
		const connection: Connection = { client, server, waiting: [], bytes: 0, ended: false };
		connections.push(connection);
		for (const socket of [client, server]) {
			sockets.add(socket);
			socket.on("error", () => socket.destroy());
		}
		const drop = () => {
			for (const socket of [client, server]) {
				socket.destroy();
				sockets.delete(socket);
			}
			const at = connections.indexOf(connection);
			if (at !== -1) connections.splice(at, 1);
		};
		client.on("close", drop);
		client.on("data", (bytes) => toServer(now() + oneWay, () => server.destroyed || server.write(bytes)));
		client.on("end", () => toServer(now() + oneWay, () => server.end()));
		server.on("data", (bytes) => {
			connection.waiting.push(bytes);
			connection.bytes += bytes.length;
			if (connection.bytes >= windowBytes) server.pause();
			start();
		});
		server.on("end", () => {
			connection.ended = true;
			start();
		});
		setTimeout(() => client.resume(), roundTripMilliseconds);
	});
	await once(proxy.listen(0, "127.0.0.1"), "listening");
	return {
		origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		carriedBytes: () => carried,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			proxy.close();
			await once(proxy, "close");
		},
	};
}
