import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { initiate, listen, openService } from "./support/open-service.ts";
import { send } from "./support/send.ts";

it("shows an example in the README that serves an engine as it stands", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./readme-example.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
	const { serve } = await import("./readme-example.ts");
	const service = await openService();
	const taken = createServer();
	const url = await listen(taken);
	await new Promise((resolve) => taken.close(resolve));
	const server = serve(service.engine, Number(new URL(url).port));
	if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
	expect((await send(url, { path: "/v1/health" })).json).toEqual({ status: "ok", version: "1.2.3" });
	const { auth } = await service.tenant();
	expect((await initiate({ ...service, send: (request) => send(url, request) }, auth)).video.state).toBe(
		"pending_upload",
	);
	server.close();
	await service.close();
});
