import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answers, type Program } from "../programs/program.ts";
import { tool } from "../programs/tool.ts";
import { root } from "../setup/paths.mjs";
import { capture } from "../setup/spawn.mjs";
import { runContainer } from "./container.ts";

const clip = join(root, "examples/demo/assets/clip.mp4");
const adminKey = "the-admin-key-of-this-script-alone";
const [port, operationsPort] = [18_787, 19_464];
const baseUrl = `http://127.0.0.1:${port}`;

/**
 * Starts the image's server and its transcoder as two containers with read-only roots, sends the demo's clip through,
 * with ffmpeg wholly confined, plays it, and stops both in order.
 *
 * @throws {Error} when any of this fails; the message has what the containers printed.
 */
export async function tryImage(image: string, folder: string): Promise<void> {
	const containers: Program[] = [];
	const start = (name: string, settings: Record<string, string>, command: string) => {
		const container = runContainer(image, join(folder, name), settings, command);
		containers.push(container);
		return container;
	};
	try {
		const operations = { OPS_PORT: String(operationsPort), ADMIN_KEY: adminKey, EMBEDDED_WORKERS: "0" };
		const server = start("server", { PORT: String(port), ...operations }, "reelmill-server");
		await server.until(() => answers(`http://127.0.0.1:${operationsPort}/ready`));
		const asAdmin = ["--admin-key", adminKey];
		const { secret = "" } = await reelmill("service-accounts", "create", "image", ...asAdmin);
		const account = { SERVICE_NAME: "image", SERVICE_SECRET: secret };
		const confined = { API_URL: baseUrl, CONFINEMENT: "required" };
		const transcoder = start("transcoder", { ...confined, ...account }, "reelmill-transcoder");
		const apiKey = readFileSync(join(folder, "server/tenant.key"), "utf8").trim();
		console.log("The clip goes through.");
		const asTenant = ["--key", apiKey];
		const { id = "", state } = await reelmill("upload", clip, "--wait", "--no-resume", ...asTenant);
		if (state !== "available") throw new Error(`The clip is ${state}:\n${transcoder.said()}`);
		const { playback_key } = await reelmill("playback-key", "create", "viewer", "--video", id, ...asTenant);
		const authorization = `Bearer ${playback_key}`;
		const played = await fetch(`${baseUrl}/videos/${id}/web.mp4`, { headers: { authorization } });
		console.log(`The clip plays: ${played.status}, ${(await played.arrayBuffer()).byteLength} bytes of web.mp4`);
		if (!played.ok) throw new Error(`web.mp4 answered ${played.status}.`);
		// The health check of the image, as an engine runs it in the container.
		const healthCode = async () => {
			const { ended, said } = start("health", { OPS_PORT: String(operationsPort) }, "reelmill-health");
			return { code: await ended, said: said() };
		};
		const healthy = await healthCode();
		if (healthy.code !== 0) throw new Error(`The health check ended with ${healthy.code}: ${healthy.said}`);
		for (const [name, container] of Object.entries({ transcoder, server })) {
			const code = await container.stop();
			console.log(`On SIGTERM, the ${name} ended with ${code}`);
			if (code !== 0) throw new Error(container.said());
		}
		const { code } = await healthCode();
		if (code !== 1) throw new Error(`Without the server, the health check ended with ${code}.`);
		console.log("The health check succeeds while the server is ready, and fails without it");
	} finally {
		for (const container of containers) await container.stop("SIGKILL");
	}
}

/** Runs the command line and returns what it prints. */
async function reelmill(...args: string[]): Promise<Readonly<Record<string, string>>> {
	const { code, output } = await capture(tool("reelmill"), [...args, "--url", baseUrl, "--json"]);
	if (code !== 0) throw new Error(`reelmill ${args[0]} ended with ${code}:\n${output}`);
	return JSON.parse(output);
}
