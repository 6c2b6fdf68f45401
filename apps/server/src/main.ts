import { SettingsError } from "@reelmill/settings";
import pino from "pino";
import { type Config, help, readConfig } from "./config.ts";
import { type RunningServer, startServer } from "./server.ts";
import { StartError } from "./start-error.ts";

const say = (text: string) => process.stdout.write(`${text}\n`);

function refuse(message: string): never {
	process.stderr.write(`${message}\n`);
	process.exit(1);
}

function config(): Config {
	const unknown = process.argv.slice(2).find((argument) => argument !== "--help");
	if (unknown !== undefined) refuse(`${unknown} is not an option of this program; --help lists its settings.`);
	try {
		return readConfig();
	} catch (error) {
		if (error instanceof SettingsError) refuse(error.message);
		throw error;
	}
}

async function start(settings: Config): Promise<RunningServer> {
	try {
		return await startServer(settings, pino({ level: settings.LOG_LEVEL }, pino.destination(2)), say);
	} catch (error) {
		if (error instanceof StartError) refuse(error.message);
		throw error;
	}
}

function welcome({ baseUrl, tenantKey }: RunningServer): string {
	return `
Reelmill is ready.

  API            ${baseUrl}/v1/health
  Reference      ${baseUrl}/docs
  Tenant key     ${tenantKey}   (domain "default"; keep it on your server)

Next: initiate an upload.

  curl -X POST ${baseUrl}/v1/videos \\
    -H "Authorization: Bearer ${tenantKey}" \\
    -H "Content-Type: application/json" \\
    -d '{"content_type":"video/mp4","file_size":1048576}'

Or watch the whole way a clip takes: npm run demo
`;
}

if (process.argv.includes("--help")) say(help);
else {
	const server = await start(config());
	let stopping = false;
	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		process.on(signal, () => {
			if (stopping) process.exit(1);
			stopping = true;
			server.stop().then(() => process.exit(0));
		});
	}
	say(welcome(server));
}
