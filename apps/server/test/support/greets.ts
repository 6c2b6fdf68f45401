import { connect } from "node:tls";

/** Whether a server on this port shows a certificate by this signer. A proxy listens before it has one. */
export function greets(port: number, signer: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ host: "127.0.0.1", port, ca: signer });
		socket.once("secureConnect", () => {
			socket.destroy();
			resolve(true);
		});
		socket.once("error", () => resolve(false));
	});
}
