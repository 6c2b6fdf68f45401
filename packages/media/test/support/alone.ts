import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Listens on a socket in the file system; `null` where somebody else does, or has and was killed. */
const listen = (path: string, connections: Set<Socket>): Promise<Server | null> =>
	new Promise((resolve, reject) => {
		const server = createServer((socket) => {
			connections.add(socket);
			socket.on("error", () => {}).on("close", () => connections.delete(socket));
		});
		server.once("error", (error: NodeJS.ErrnoException) =>
			error.code === "EADDRINUSE" ? resolve(null) : reject(error),
		);
		server.listen(path, () => resolve(server));
	});

/** Waits for the end of whoever listens; whether there was anybody. */
const ended = (path: string): Promise<boolean> =>
	new Promise((resolve) => {
		let isThere = false;
		const socket = connect(path, () => {
			isThere = true;
		});
		socket.on("error", () => {}).on("close", () => resolve(isThere));
		socket.resume();
	});

/**
 * Does some work while no other process of this machine does work of the same name. The lock is a socket that the
 * holder listens on, so that the system lets go of it when the holder is killed, and those who wait are told.
 */
export async function alone<Done>(name: string, work: () => Promise<Done>): Promise<Done> {
	const path = join(tmpdir(), `reelmill-${createHash("sha256").update(name).digest("hex").slice(0, 24)}.lock`);
	const connections = new Set<Socket>();
	for (;;) {
		const server = await listen(path, connections);
		if (server !== null) {
			try {
				return await work();
			} finally {
				server.close();
				for (const socket of connections) socket.destroy();
			}
		}
		if (!(await ended(path))) await rm(path, { force: true });
	}
}
