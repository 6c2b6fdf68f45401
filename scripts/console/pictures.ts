import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StartedConsole, startConsole } from "../../packages/console/test/support/start-console.ts";
import { root } from "../setup/paths.mjs";
import { capture } from "../spawn.mjs";
import { buildConsolePage } from "./page.mjs";
import { fill, finished, startReceiver } from "./pictures-data.ts";

const folder = join(root, "docs/images/console");

/** The pictures of the guides: a name, and the path below `/console`. */
const views = (video: string): readonly (readonly [name: string, path: string])[] => [
	["queue", "/operator/queue"],
	["videos", "/d/default/videos"],
	["video", `/d/default/videos/${video}`],
	["overview", "/d/default"],
	["webhooks", "/d/default/webhooks"],
	["storage", "/d/default/storage"],
];

/** Takes the pictures of the console for the guides into docs/images/console: real views of a real server. */
async function take(console_: StartedConsole, receiver: string): Promise<void> {
	const temporary = await mkdtemp(join(tmpdir(), "reelmill-pictures-"));
	try {
		const video = await fill(console_, receiver);
		const options = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" } as const;
		for (const [name, path] of views(video)) {
			const page = await console_.signIn(path, options);
			await page.locator("main h1").waitFor();
			await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
			await page.waitForLoadState("networkidle", { timeout: 3000 }).catch(() => undefined);
			const file = join(temporary, `${name}.png`);
			await page.screenshot({ path: file });
			await page.context().close();
			if (name === "videos") await finished(console_);
			await compress(file, join(folder, `${name}.webp`));
			console.log(`docs/images/console/${name}.webp`);
		}
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
}

async function compress(from: string, to: string): Promise<void> {
	const args = ["-v", "error", "-y", "-i", from, "-c:v", "libwebp", "-quality", "72", "-compression_level", "6", to];
	const { code, output } = await capture("ffmpeg", args);
	if (code !== 0) throw new Error(`ffmpeg can't write ${to}: ${output}`);
}

await buildConsolePage();
await mkdir(folder, { recursive: true });
const receiver = await startReceiver();
const console_ = await startConsole({ EMBEDDED_WORKERS: "1", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" });
try {
	await take(console_, receiver.url);
} finally {
	receiver.close();
	await console_.close();
}
