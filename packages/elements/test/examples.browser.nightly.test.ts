import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { provesExamples } from "../../../scripts/examples/proves-examples.ts";
import { entryPoints } from "../../../scripts/packages/list.ts";
import { launchChromium } from "../../browser/test/support/chromium.ts";
import { deliveryServer } from "../../browser/test/support/delivery-server.ts";
import { pageServer } from "../../browser/test/support/page-server.ts";
import { tusServer } from "../../client/test/support/tus-server.ts";

const directory = fileURLToPath(new URL("..", import.meta.url));

provesExamples("elements", async () => {
	// Any file will do: the examples load it and don't read it.
	const delivery = await deliveryServer(fileURLToPath(new URL("../../node/test", import.meta.url)), new Set(["k1"]));
	const tus = await tusServer();
	const outputs = { hls_url: null, mp4_url: `${delivery.origin}/clip.mp4`, thumbnail_url: null, renditions: [] };
	const site = await pageServer({
		"/my-backend/initiate": () => ({ video: { id: "video-1" }, upload: tus.ticket("video-1") }),
		"/my-backend/video": () => ({ id: "video-1", visibility: "public", outputs }),
		"/my-backend/playback-key": () => ({ playback_key: "k1", expires_at: "2099-01-01T00:00:00.000Z" }),
	});
	const browser = await launchChromium();
	return {
		async run(code) {
			const { outputFiles } = await build({
				stdin: { contents: code, resolveDir: directory, loader: "ts" },
				bundle: true,
				format: "esm",
				target: "es2022",
				write: false,
				alias: Object.fromEntries(entryPoints()),
			});
			const page = await browser.newPage();
			try {
				const printed: string[] = [];
				page.on("console", (message) => printed.push(message.text()));
				await page.goto(site.address);
				await page.evaluate(`(async () => {${outputFiles[0]?.text}})()`);
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

it("shows the page in the README that the tests open", async () => {
	const [readme, example] = await Promise.all(
		["../README.md", "./readme-example.html"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
	);
	expect(readme).toContain(`\`\`\`html\n${example}\`\`\``);
});
