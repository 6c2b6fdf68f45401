import { fileURLToPath } from "node:url";
import type { PageCall } from "@reelmill/contracts";
import { build } from "esbuild";
import { provesExamples } from "../../../scripts/examples/proves-examples.ts";
import { entryPoints } from "../../../scripts/packages/list.ts";
import { tusServer } from "../../client/test/support/tus-server.ts";
import { launchChromium } from "./support/chromium.ts";
import { deliveryServer } from "./support/delivery-server.ts";
import { pageServer } from "./support/page-server.ts";

const directory = fileURLToPath(new URL("..", import.meta.url));

/** Bundles an example as a user's bundler would. */
async function bundle(code: string): Promise<string> {
	const { outputFiles } = await build({
		stdin: { contents: code, resolveDir: directory, loader: "ts" },
		bundle: true,
		format: "esm",
		target: "es2022",
		write: false,
		alias: Object.fromEntries(entryPoints()),
	});
	return outputFiles[0]?.text ?? "";
}

provesExamples("browser", async () => {
	// Any file will do: the examples load it and don't read it.
	const delivery = await deliveryServer(fileURLToPath(new URL("../../node/test", import.meta.url)), new Set(["k1"]));
	const tus = await tusServer();
	const outputs = { hls_url: null, mp4_url: `${delivery.origin}/clip.mp4`, thumbnail_url: null, renditions: [] };
	let initiated = 0;
	const answers = {
		upload: { video: { id: "video-of-the-route" }, upload: tus.ticket("video-of-the-route"), resumed: false },
		video: { id: "video-of-the-route", visibility: "private", state: "available", outputs },
		playback_key: { playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" },
	};
	const site = await pageServer({
		"/my-backend/initiate": () => {
			const id = `video-${++initiated}`;
			return { video: { id }, upload: tus.ticket(id) };
		},
		"/my-backend": ({ action }: PageCall) => answers[action],
		"/my-backend/video": () => ({ id: "video-1", visibility: "private", outputs }),
		"/my-backend/playback-key": () => ({ playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" }),
	});
	const browser = await launchChromium();
	return {
		async run(code) {
			const page = await browser.newPage();
			try {
				const printed: string[] = [];
				page.on("console", (message) => printed.push(message.text()));
				await page.goto(site.address);
				await page.evaluate(`(async () => {${await bundle(code)}})()`);
				return printed.join("\n");
			} finally {
				await page.close();
			}
		},
		async close() {
			await browser.close();
			for (const each of [site, tus, delivery]) await each[Symbol.asyncDispose]();
		},
	};
});
