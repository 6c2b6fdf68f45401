import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createReelmill, type Reelmill, type WebhookEvent } from "@reelmill/node";
import { startBackEnd } from "./back-end.ts";
import { createProgress } from "./progress.ts";
import { startService } from "./service.ts";

const help = `Takes a real clip the whole way: upload, transcode, webhook, private playback.

Usage: npm run demo -- [options]

  --file PATH   your own video (default: the bundled clip)
  --data PATH   where the demo's server keeps its data (default: ./.reelmill/demo)
  --once        ends once the player's address is printed, instead of serving the page
  --help        this text
`;

const { values: options } = parseArgs({
	options: {
		file: { type: "string" },
		data: { type: "string", default: "./.reelmill/demo" },
		once: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});
const clip = fileURLToPath(new URL("../assets/clip.mp4", import.meta.url));
const say = (text: string) => process.stdout.write(`${text}\n`);

if (options.help) say(help);
else {
	try {
		await run(options.file ?? clip, resolve(options.data), options.once);
	} catch (error) {
		process.stderr.write(`The demo stopped: ${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	}
}

async function run(file: string, dataDirectory: string, once: boolean): Promise<void> {
	say("Starting the server.");
	const service = await startService(dataDirectory);
	try {
		const reelmill = createReelmill({ baseUrl: service.baseUrl, apiKey: service.apiKey });
		const webhookSecret = `whsec_${randomBytes(24).toString("base64url")}`;
		const told = Promise.withResolvers<WebhookEvent>();
		let awaited = "";
		const backEnd = await startBackEnd({
			reelmill,
			webhookSecret,
			onWebhook: (event) => event.data.video.id === awaited && told.resolve(event),
		});
		try {
			await reelmill.domain.updateConfig({ webhook_url: backEnd.webhookUrl, webhook_secret: webhookSecret });
			awaited = await send(reelmill, file, (id) => {
				awaited = id;
			});
			await transcode(reelmill, awaited);
			const event = await told.promise;
			say(`  Webhook     ✓ ${event.type}, signature verified (delivery ${event.id})`);
			say(
				`\nThe video is private: the player gets a key for it from the tenant's back end.\n\n  Player      ${backEnd.url}/?video=${awaited}\n`,
			);
			if (!once) {
				say("Ctrl-C ends the demo.");
				await new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
			}
		} finally {
			await backEnd.close();
		}
	} finally {
		await service.stop();
	}
}

async function send(reelmill: Reelmill, file: string, onCreated: (id: string) => void): Promise<string> {
	const progress = createProgress(process.stdout, "Upload");
	const video = await reelmill.videos.upload(
		file,
		{ external_ref: "demo" },
		{
			onCreated: (created) => onCreated(created.video.id),
			onProgress: ({ bytesSent, bytesTotal }) => progress.show((100 * bytesSent) / bytesTotal),
		},
	);
	progress.done(`${(video.file_size / 1024 ** 2).toFixed(1)} MiB, video ${video.id}`);
	return video.id;
}

async function transcode(reelmill: Reelmill, id: string): Promise<void> {
	const progress = createProgress(process.stdout, "Transcode");
	const video = await reelmill.videos.wait(id, {
		intervalSeconds: 1,
		onProgress: ({ progress: percent, state }) => progress.show(percent, state),
	});
	if (video.outputs === null)
		throw new Error(`the video ended ${video.state}${video.failure_reason ? ` (${video.failure_reason})` : ""}`);
	progress.done(video.outputs.renditions.map(({ name, width, height }) => `${name} ${width}x${height}`).join(", "));
}
