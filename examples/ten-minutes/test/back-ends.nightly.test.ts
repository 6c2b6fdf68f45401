import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createTestReelmill, signedRequest, type TestReelmill, webhookEvent } from "@reelmill/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

let test: TestReelmill;
beforeAll(async () => {
	test = await createTestReelmill();
});
afterAll(() => test.close());

/** Starts the file of the guide as its reader does, on a free port. */
async function startBackEnd(name: string) {
	const free = createServer().listen(0);
	await once(free, "listening");
	const { port } = free.address() as AddressInfo;
	free.close();
	await once(free, "close");
	const child = spawn(process.execPath, [`src/${name}.ts`], {
		cwd: fileURLToPath(new URL("..", import.meta.url)),
		env: {
			PORT: String(port),
			REELMILL_URL: test.baseUrl,
			REELMILL_API_KEY: test.apiKey,
			REELMILL_WEBHOOK_SECRET: test.webhookSecret,
		},
		stdio: ["ignore", "pipe", "inherit"],
	});
	let said = "";
	child.stdout.on("data", (text) => {
		said += text;
	});
	await expect.poll(() => child.exitCode !== null || said.includes("Open ")).toBe(true);
	const stop = async () => {
		if (child.exitCode !== null) return;
		child.kill();
		await once(child, "exit");
	};
	return { address: `http://localhost:${port}`, stop };
}

it.each(["express", "hono"])("uploads, hears of the video and plays it by the back end in %s", async (name) => {
	const { address, stop } = await startBackEnd(name);
	try {
		await test.reelmill.domain.updateConfig({ webhook_url: `${address}/api/webhooks` });
		const signIn = async (person: string) => {
			const body = new URLSearchParams({ name: person });
			const answer = await fetch(`${address}/api/sign-in`, { method: "POST", body, redirect: "manual" });
			expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
			return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
		};
		const list = async (cookie: string) => (await fetch(`${address}/api/videos`, { headers: { cookie } })).json();
		const ask = (call: object, cookie: string) =>
			fetch(`${address}/api/video`, {
				method: "POST",
				headers: { "content-type": "application/json", cookie },
				body: JSON.stringify(call),
			});
		const [ada, bob] = [await signIn(`ada of ${name}`), await signIn("bob")];
		const upload = { action: "upload", content_type: "video/mp4", file_size: 1000 };
		expect((await ask(upload, "")).status).toBe(401);
		const { video } = await (await ask(upload, ada)).json();
		expect(video.visibility).toBe("private");
		const key = { action: "playback_key", video_id: video.id };
		expect([await list(ada), (await ask(key, ada)).status]).toEqual([[], 403]);
		await test.finish(video.id);
		expect([await list(ada), await list(bob), await list("")]).toEqual([[video.id], [], null]);
		const keyed = await ask(key, ada);
		expect(keyed.status).toBe(201);
		expect((await keyed.json()).playback_key).toMatch(/^\S+$/);
		expect([(await ask(key, bob)).status, (await ask(key, "")).status]).toEqual([403, 401]);

		const forged = await signedRequest(`${address}/api/webhooks`, webhookEvent("video.ready"), "whsec_of_nobody");
		expect((await fetch(forged)).status).toBe(400);
		expect(await (await fetch(address)).text()).toContain("<reelmill-player");
	} finally {
		await stop();
	}
});
