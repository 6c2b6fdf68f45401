import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exampleVideo } from "@reelmill/contracts";

/** The reference: a bare node:http server that answers the same request with a value of a video's shape, as JSON. */
const [at, id] = ["2026-01-31T12:00:00.000Z", "00000000-0000-4000-8000-000000000000"];
const video = { ...exampleVideo("webhook.test", { id, baseUrl: "", at }), expires_at: at };
const server = createServer((_request, response) => {
	const body = JSON.stringify(video);
	response.writeHead(200, {
		"content-type": "application/json; charset=utf-8",
		"content-length": Buffer.byteLength(body),
	});
	response.end(body);
}).listen(0, "127.0.0.1", () => {
	const requests = [{ path: `/v1/videos/${video.id}`, headers: { authorization: `Bearer ek_${"x".repeat(43)}` } }];
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }));
});
