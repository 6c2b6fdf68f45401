import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bearer, send } from "../../http/test/support/send.ts";
import { startMadeService } from "./support/made-service.ts";

const exampleFile = fileURLToPath(new URL("./readme-example.ts", import.meta.url));

it("shows an example in the README that runs as it stands, and ends when it is told to", async () => {
	const [readme, example] = await Promise.all(
		[new URL("../README.md", import.meta.url), exampleFile].map((name) => readFile(name, "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
	const service = await startMadeService();
	const port = await freePort();
	const child = spawn(process.execPath, [exampleFile], {
		env: { ...process.env, SERVICE: service.url, DOMAIN: service.domains[0], PORT: String(port) },
		stdio: "inherit",
	});
	const ended = once(child, "exit");
	const id = service.video();
	const asked = { path: `/videos/${id}/web.mp4`, headers: bearer(await service.mint()) };
	const ask = () => send(`http://127.0.0.1:${port}`, asked).catch(() => null);
	await expect.poll(ask).toMatchObject({ status: 200, text: "0123456789" });
	service.taken();
	expect(await ask()).toMatchObject({ status: 200, text: "0123456789" });
	expect(service.taken()).toEqual([]);
	child.kill("SIGTERM");
	expect(await ended).toEqual([0, null]);
	await service.close();
});

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
