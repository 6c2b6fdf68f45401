import type { Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Calls `onSecure` with each connection of a TLS server and its TLS socket once the handshake is done. Never calls it
 * for a plain server. Node does not tell which connection a TLS socket belongs to, so the client's address and port
 * match them.
 */
export function watchSecureSockets(
	server: Server | SecureServer,
	onSecure: (connection: Socket, secure: Socket) => void,
): void {
	if (!(server instanceof TlsServer)) return;
	const agreeing = new Map<string, Socket>();
	server.prependListener("connection", (connection: Socket) => {
		const name = nameOf(connection);
		agreeing.set(name, connection);
		connection.once("close", () => agreeing.delete(name));
	});
	server.prependListener("secureConnection", (secure: Socket) => {
		const connection = agreeing.get(nameOf(secure));
		if (connection !== undefined) onSecure(connection, secure);
	});
}
