import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tusServer } from "../../client/test/support/tus-server.ts";
import { launchChromium } from "./support/chromium.ts";
import { makeClip } from "./support/clip.ts";
import { deliveryServer } from "./support/delivery-server.ts";
import { pageServer } from "./support/page-server.ts";

it("shows an example in the README that runs as it stands", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./readme-example.ts"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);

	const folder = await mkdtemp(join(tmpdir(), "reelmill-readme-"));
	await makeClip(folder);
	await using tus = await tusServer();
	await using delivery = await deliveryServer(folder, new Set(["k1"]));
	const outputs = { hls_url: `${delivery.origin}/master.m3u8`, mp4_url: null, thumbnail_url: null, renditions: [] };
	await using site = await pageServer({
		"/my-backend/initiate": () => ({ video: { id: "video-1" }, upload: tus.ticket("video-1") }),
		"/my-backend/when-ready/video-1": () => ({ id: "video-1", visibility: "private", outputs }),
		"/my-backend/playback-key": () => ({ playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" }),
	});
	const browser = await launchChromium();
	try {
		const page = await browser.newPage();
		await page.goto(site.address);
		await page.setInputFiles("input", join(folder, "web.mp4"));
		await page.evaluate("actions.example()");
		await page.waitForFunction("actions.playing().currentTime > 0.3");
		expect((await tus.bytes("video-1")).equals(await readFile(join(folder, "web.mp4")))).toBe(true);
	} finally {
		await browser.close();
		await rm(folder, { recursive: true });
	}
});
