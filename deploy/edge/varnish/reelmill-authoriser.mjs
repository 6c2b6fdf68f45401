// Decides for the Varnish of reelmill.vcl. It runs beside it, by Node 22.18 or newer: npm install @reelmill/edge
import { createServer } from "node:http";
import { createMemoryCache } from "@reelmill/edge";
import { createNodeAuthoriser } from "@reelmill/edge/node";

const authoriser = createNodeAuthoriser({
	service: "https://origin.example.com",
	domains: ["6f1c2f0e-2f0b-4e0a-9d51-0a5a4f1f6a11"],
	// For what Varnish doesn't keep.
	cache: createMemoryCache({ maxBytes: 64 * 1024 * 1024 }),
	clientAddress: ({ headers }) => String(headers["x-forwarded-for"]),
	warn: console.warn,
});
authoriser.start();
const server = createServer(authoriser.listener);
// Longer than Varnish keeps idle connections.
server.keepAliveTimeout = 75_000;
server.listen(8790, "127.0.0.1");
process.once("SIGTERM", () => server.close(() => authoriser.stop()).closeIdleConnections());
