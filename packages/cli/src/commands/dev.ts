import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { startDevServer } from "../dev/dev-server.ts";
import { temporaryDirectory } from "../dev/directory.ts";
import { writeEnvFile } from "../dev/env-file.ts";
import type { Attempted } from "../dev/page-plane.ts";
import { loadServerParts } from "../dev/server-parts.ts";
import { forwardOption, secretOption, wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

type Options = { forward?: string; secret?: string; port: number; dataDir?: string; writeEnv?: string };

export function addDev(parent: Command, io: Io): void {
	parent
		.command("dev")
		.description("run a whole service on this machine, with a domain and its webhooks, until it is stopped")
		.addOption(forwardOption())
		.addOption(secretOption())
		.addOption(
			new Option("--port <port>", "the port on 127.0.0.1; 0 takes a free one").argParser(wholeNumber(0)).default(8787),
		)
		.option("--data-dir <folder>", "keep everything in this folder for the next time; otherwise nothing is kept")
		// Not --env-file: Node 22 takes an option of that name for its own, wherever it stands.
		.option(
			"--write-env <file>",
			"write the address, the domain's key and the webhook secret into this file, such as .env",
		)
		.addHelpText(
			"after",
			`
It needs the server's packages, installed beside the command line; if one is missing, it says which. PostgreSQL comes with them. To process videos it needs ffmpeg.
It listens on 127.0.0.1 alone: it is no server for others.`,
		)
		.action(async ({ forward, secret, port, dataDir, writeEnv }: Options, command: Command) => {
			const session = sessionOf(io, command);
			const parts = await loadServerParts();
			const note = (text: string) => void io.stderr.write(`${text}\n`);
			const isTemporary = dataDir === undefined;
			const directory = isTemporary ? await temporaryDirectory(tmpdir()) : resolve(dataDir);
			try {
				await mkdir(directory, { recursive: true, mode: 0o700 });
				const server = await startDevServer(parts, {
					directory,
					isTemporary,
					port,
					forward,
					webhookSecret: secret,
					searchPath: io.environment.PATH,
					note,
					onAttempt: (attempted) => session.stream(withoutEvent(attempted), attemptText),
				});
				try {
					if (writeEnv !== undefined)
						writeEnvFile(resolve(writeEnv), {
							REELMILL_URL: server.url,
							REELMILL_API_KEY: server.apiKey,
							REELMILL_WEBHOOK_SECRET: server.webhookSecret,
						});
					const { stop: _stop, ...shown } = server;
					const told = { ...shown, forward: forward ?? null, data_dir: dataDir ?? null };
					if (session.json) session.stream(told, String);
					else session.print(told, () => welcome(server, forward, dataDir));
					await stopped(io.signal);
				} finally {
					note("Stopping.");
					await server.stop();
				}
			} finally {
				if (isTemporary) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
			}
		});
}

const withoutEvent = ({ event: _event, ...attempted }: Attempted) => attempted;
const attemptText = ({ type, video_id, status, error }: Omit<Attempted, "event">): string =>
	`${type.padEnd(15)}  ${video_id}  ${error === null ? `answered ${status}` : `not accepted: ${error}`}`;

const stopped = (signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});

function welcome(
	server: { url: string; apiKey: string; adminKey: string; webhookSecret: string; idle: string | null },
	forward: string | undefined,
	dataDir: string | undefined,
): string {
	const idle = server.idle === null ? "" : `\nVideos are not processed: ${server.idle}\n`;
	return `
Reelmill runs on this machine until Ctrl-C. ${dataDir === undefined ? "Then all of it is removed." : `Its data stays in ${dataDir}.`}

  Page to try      ${server.url}/
  Reference        ${server.url}/docs

  REELMILL_URL=${server.url}
  REELMILL_API_KEY=${server.apiKey}
  REELMILL_ADMIN_KEY=${server.adminKey}
  REELMILL_WEBHOOK_SECRET=${server.webhookSecret}

${forward === undefined ? "Webhooks go nowhere: --forward http://localhost:3000/webhooks sends them." : `Webhooks go to ${forward}:`}
${idle}`;
}
