import { createServer } from "node:http";
import { provesExamples } from "../../../scripts/examples/proves-examples.ts";
import { listen } from "./support/open-service.ts";

provesExamples("http", async () => {
	const server = createServer();
	const { port } = new URL(await listen(server));
	await new Promise((resolve) => server.close(resolve));
	return { replace: { "8787": port } };
});
