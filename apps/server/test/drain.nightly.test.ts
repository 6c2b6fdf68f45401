import { expect, it } from "vitest";
import { halfUploaded, serversToStop, source } from "./support/draining.ts";

const { run } = serversToStop();

it.each(["1", "2"])(
	"cuts what takes longer than allowed, and keeps what came of an upload, with PROCESSES=%s",
	async (processes) => {
		const server = await run({ DRAIN_SECONDS: "3", PROCESSES: processes });
		const { patch, path, token } = await halfUploaded(server);
		const cut = new Promise((resolve) => patch.on("close", resolve));
		server.child.kill("SIGTERM");
		await cut;
		expect(await server.ended).toBe(0);
		const next = await run();
		const head = await fetch(next.url + path, { method: "HEAD", headers: token });
		expect(head.status).toBe(200);
		const offset = Number(head.headers.get("upload-offset"));
		expect(offset).toBeGreaterThan(0);
		expect(offset).toBeLessThanOrEqual(source.length / 2);
	},
);
