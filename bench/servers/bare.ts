import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The reference: a bare node:http server whose JSON answer is as long as a video. */
const body = JSON.stringify({ id: "x".repeat(36), text: "x".repeat(560) });
const server = createServer((_request, response) => {
	response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
	response.end(body);
}).listen(0, "127.0.0.1", () => {
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: [{ path: "/v1/videos/x", headers: {} }] }));
});
