import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The settings of a connection's first message that PgBouncer accepts without being told to ignore more. */
const known = new Set([
	"user",
	"database",
	"client_encoding",
	"datestyle",
	"timezone",
	"standard_conforming_strings",
	"application_name",
]);

/** Stands in front of a server like PgBouncer, and refuses a connection that brings an unknown setting. */
export async function openRefusingPooler(target: { readonly host: string; readonly port: number }) {
	let refusals = 0;
	const sockets = new Set<Socket>();
	const server = createServer((client) => {
		sockets.add(client.on("error", () => undefined));
		client.once("data", (first) => {
			const texts = first.subarray(8).toString().split("\0");
			const unknown = texts.find((name, index) => index % 2 === 0 && name !== "" && !known.has(name.toLowerCase()));
			if (unknown !== undefined) {
				refusals++;
				client.end(fatal("08P01", `unsupported startup parameter: ${unknown}`));
				return;
			}
			const there = connect(target).on("error", () => client.destroy());
			sockets.add(there);
			there.write(first);
			client.pipe(there).pipe(client);
		});
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	return {
		port: (server.address() as AddressInfo).port,
		refused: () => refusals,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/**
 * The error with which a server ends a connection, in PostgreSQL's protocol, with the fields that PgBouncer 1.18 sends.
 */
function fatal(code: string, message: string): Buffer {
	const body = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
	const head = Buffer.alloc(5);
	head.write("E");
	head.writeInt32BE(body.length + 4, 1);
	return Buffer.concat([head, body]);
}
