import { createServer } from "node:http";
import { createClient, isReelmillError } from "@reelmill/client";

const server = createServer(
	(_, response) => void response.writeHead(404).end('{"error":"video_not_found","message":"No such video."}'),
);
await new Promise<void>((listening) => server.listen(0, () => listening()));
const { port } = server.address() as { port: number };

const client = createClient({ baseUrl: `http://localhost:${port}`, credential: "ek_your_domain_key" });
try {
	const video = await client.call(
		"getVideo",
		{ params: { id: "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11" } },
		{ signal: AbortSignal.timeout(5000) },
	);
	console.log(video.state, video.progress);
} catch (error) {
	if (isReelmillError(error, "video_not_found")) console.log(error.code, error.status);
	else throw error;
} finally {
	server.close();
}
