import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The reference of all uploads: it reads the body, throws it away and answers 204. */
const server = createServer({ requestTimeout: 0 }, (request, response) => {
	request.resume();
	request.on("end", () => response.writeHead(204).end());
}).listen(0, "127.0.0.1", () =>
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
process.once("SIGTERM", () => process.exit());
