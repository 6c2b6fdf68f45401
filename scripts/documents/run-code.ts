import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nobodysWebhookSecret } from "../../packages/contracts/src/openapi/examples.ts";
import { answers, freePort, type Program, startProgram } from "../programs/program.ts";
import { twoAtATime } from "../programs/two-at-a-time.ts";
import { fileOf, wholeText } from "./compile-code.ts";
import type { Code } from "./read-code.ts";

/** The document whose first block is a whole server: what the other blocks call. */
const service = "docs/guides/embedding.md";
const longestMilliseconds = 200_000;
/** How long the database and the service may run: as long as all blocks need. */
const serviceMilliseconds = 600_000;

type Environment = Readonly<Record<string, string>>;

/**
 * Runs blocks of code by a Node, each as a program in an empty directory, against a service that the guide to embedding
 * starts. Rejects with what did not end with code 0.
 */
export async function runCode(node: string, project: string, codes: readonly Code[]): Promise<void> {
	using directory = mkdtempDisposableSync(join(tmpdir(), "reelmill-documents-"));
	const serving = codes.find(({ file, stays }) => file === service && stays);
	if (!serving) throw new Error(`${service} has no block that serves.`);
	const port = `${await freePort()}`;
	const baseUrl = `http://127.0.0.1:${port}`;
	const secrets = {
		MASTER_KEY: "5f".repeat(32),
		ADMIN_KEY: "documents-".repeat(4),
		CONSOLE_SECRET: "console--".repeat(4),
		WORKER_SECRET: "workers--".repeat(4), // it has no worker of its own, which would need ffmpeg
	};
	const database = start(node, join(project, "database.mjs"), directory.path, {}, serviceMilliseconds);
	let server: Program | undefined;
	try {
		await database.until(hasLine);
		const { url } = JSON.parse(database.said().split("\n", 1)[0] ?? "");
		const place = { PORT: port, BASE_URL: baseUrl, DIRECTORY: join(directory.path, "videos") };
		const environment = { ...secrets, ...place, DATABASE_URL: url };
		server = start(node, fileOf(project, serving), directory.path, environment, serviceMilliseconds);
		await server.until(() => answers(`${baseUrl}/v1/health`));
		const made = await fetch(`${baseUrl}/admin/v1/domains`, {
			method: "POST",
			headers: { authorization: `Bearer ${secrets.ADMIN_KEY}`, "content-type": "application/json" },
			body: JSON.stringify({ slug: "documents" }),
		});
		if (!made.ok) throw new Error(`${made.status} ${await made.text()}`);
		const { api_key }: { api_key: string } = await made.json();
		// Here the code calls the service, where a reader's calls the reader's own.
		for (const code of codes)
			writeFileSync(fileOf(project, code), wholeText(code).replaceAll("https://video.example.com", baseUrl));
		const given = {
			...environment,
			PORT: "0", // for servers beside the one that is called
			REELMILL_URL: baseUrl,
			REELMILL_API_KEY: api_key,
			WEBHOOK_SECRET: nobodysWebhookSecret,
		};
		await twoAtATime(
			codes.filter((code) => code !== serving),
			(code) => runOne(node, project, code, given),
		);
		await server.stop();
		await succeeded(server, serving);
	} finally {
		await Promise.all([server?.stop(), database.stop()]);
	}
}

async function runOne(node: string, project: string, code: Code, environment: Environment): Promise<void> {
	using directory = mkdtempDisposableSync(join(tmpdir(), "reelmill-code-"));
	const program = start(node, fileOf(project, code), directory.path, environment);
	if (code.stays) await program.until(hasLine).then(() => program.stop());
	await succeeded(program, code);
}

function start(
	node: string,
	file: string,
	cwd: string,
	environment: Environment,
	timeout = longestMilliseconds,
): Program {
	const { PATH = "", HOME = "" } = process.env;
	const env = { PATH, HOME, ...environment };
	return startProgram(node, [file], { cwd, env, stdio: "pipe", timeout, killSignal: "SIGKILL" });
}

const hasLine = (said: string): boolean => said.includes("\n");

async function succeeded({ child, ended, said }: Program, { file, line }: Code): Promise<void> {
	const code = await ended;
	if (code !== 0) throw new Error(`${file}:${line}: ended with ${code ?? child.signalCode}\n${said().trim()}`);
}
