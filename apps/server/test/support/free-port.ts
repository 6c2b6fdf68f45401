import { once } from "node:events";
import { createServer } from "node:net";

/** A port of 127.0.0.1 that was free just now. */
export async function freePort(): Promise<number> {
	const probe = createServer().listen(0, "127.0.0.1");
	await once(probe, "listening");
	const { port } = probe.address() as { port: number };
	probe.close();
	await once(probe, "close");
	return port;
}

/** Whether something listens on this port of 127.0.0.1. */
export async function listens(port: number): Promise<boolean> {
	const probe = createServer();
	try {
		await new Promise<void>((resolve, reject) => probe.once("error", reject).listen(port, "127.0.0.1", resolve));
		probe.close();
		await once(probe, "close");
		return false;
	} catch {
		return true;
	}
}
