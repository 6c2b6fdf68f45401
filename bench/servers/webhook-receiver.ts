import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Takes webhooks: a POST to /hook is answered 200 at once, one to /dead never. GET /arrivals returns when each delivery
 * came, in milliseconds, and forgets them.
 */
let arrivals: Record<string, number> = {};
const server = createServer((request, response) => {
	if (request.method === "GET") {
		response.end(JSON.stringify(arrivals));
		arrivals = {};
		return;
	}
	request.resume();
	if (request.url === "/dead") return;
	arrivals[String(request.headers["service-delivery-id"])] = Date.now();
	request.once("end", () => response.end());
}).listen(0, "127.0.0.1", () =>
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
process.once("SIGTERM", () => process.exit(0));
