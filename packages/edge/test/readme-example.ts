import { createServer } from "node:http";
import { createNodeEdge } from "@reelmill/edge/node";

const edge = createNodeEdge({
	service: process.env.SERVICE ?? "https://video.example.com",
	domains: [process.env.DOMAIN ?? "6f1c2f0e-2f0b-4e0a-9d51-0a5a4f1f6a11"],
	warn: console.warn,
});
edge.start();
const server = createServer(edge.listener).listen(process.env.PORT ?? 8080);
process.once("SIGTERM", () => server.close(() => edge.stop()).closeIdleConnections());
