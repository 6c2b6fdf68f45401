import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { s3Bucket } from "@reelmill/storage-s3";

export const secretAccessKey = "top-secret-0123456789";

/** Starts a server that answers by `listener`, and returns a bucket on it. */
export async function openScriptedServer(listener: RequestListener) {
	let connections = 0;
	const server = createServer(listener).on("connection", () => connections++);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const bucket = s3Bucket({
		owner: "platform",
		endpoint: `http://127.0.0.1:${port}`,
		region: "us-east-1",
		bucket: "videos",
		forcePathStyle: true,
		accessKeyId: "AKIDEXAMPLE",
		secretAccessKey,
	});
	return {
		port,
		bucket,
		connections: () => connections,
		async close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
