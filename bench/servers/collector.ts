import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// Takes traces, and throws them away.
const server = createServer((request, response) => {
	request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
}).listen(0, "127.0.0.1", () => {
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces` }));
});
process.once("SIGTERM", () => process.exit(0));
