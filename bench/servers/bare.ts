import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The reference: a bare node:http server that answers the same request with a value of a video's shape, as JSON. */
const video = {
	id: "00000000-0000-4000-8000-000000000000",
	state: "pending_upload",
	progress: 0,
	visibility: "private",
	content_type: "video/mp4",
	file_size: 1,
	duration_seconds: null,
	width: null,
	height: null,
	external_ref: null,
	uploader_ref: null,
	outro_id: null,
	transcript_status: "disabled",
	transcript_url: null,
	outputs: null,
	failure_reason: null,
	created_at: "2026-01-31T12:00:00.000Z",
	updated_at: "2026-01-31T12:00:00.000Z",
	uploaded_at: null,
	available_at: null,
	expires_at: "2026-01-31T13:00:00.000Z",
};
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
