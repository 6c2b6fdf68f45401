import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exampleVideo } from "@reelmill/contracts";

/** The reference: a bare node:http server that answers the same request with a value of a video's shape, as JSON. */
const [at, id] = ["2026-01-31T12:00:00.000Z", "00000000-0000-4000-8000-000000000000"];
const video = { ...exampleVideo("webhook.test", { id, baseUrl: "", at }), expires_at: at };
const list = { data: Array.from({ length: 100 }, () => video), next_cursor: null };
const server = createServer((request, response) => {
	const body = JSON.stringify(request.url?.includes("?") ? list : video);
	response.writeHead(200, {
		"content-type": "application/json; charset=utf-8",
		"content-length": Buffer.byteLength(body),
	});
	response.end(body);
}).listen(0, "127.0.0.1", () => {
	const headers = { authorization: `Bearer ek_${"x".repeat(43)}` };
	const [requests, page] = [[{ path: `/v1/videos/${video.id}`, headers }], [{ path: "/v1/videos?limit=100", headers }]];
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, page }));
});
