import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nobodysWebhookSecret } from "../../packages/contracts/src/openapi/nobodys-secret.ts";
import { twoAtATime } from "../packages/list.ts";
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
	const directory = mkdtempSync(join(tmpdir(), "reelmill-documents-"));
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
	const database = start(node, join(project, "database.mjs"), directory, {}, serviceMilliseconds);
	try {
		const { url } = JSON.parse(await firstLine(database));
		const place = { PORT: port, BASE_URL: baseUrl, DIRECTORY: join(directory, "videos") };
		const environment = { ...secrets, ...place, DATABASE_URL: url };
		const server = start(node, fileOf(project, serving), directory, environment, serviceMilliseconds);
		await firstAnswer(`${baseUrl}/v1/health`, server);
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
			REELMILL_URL: baseUrl,
			REELMILL_API_KEY: api_key,
			WEBHOOK_SECRET: nobodysWebhookSecret,
		};
		await twoAtATime(
			codes.filter((code) => code !== serving),
			(code) => runOne(node, project, code, given),
		);
		server.kill("SIGTERM");
		await succeeded(server, serving);
	} finally {
		database.kill("SIGTERM");
		if (database.exitCode === null) await once(database, "exit");
		rmSync(directory, { recursive: true, force: true });
	}
}

async function runOne(node: string, project: string, code: Code, environment: Environment): Promise<void> {
	const directory = mkdtempSync(join(tmpdir(), "reelmill-code-"));
	try {
		const child = start(node, fileOf(project, code), directory, environment);
		if (code.stays) void firstLine(child).then(() => child.kill("SIGTERM"));
		await succeeded(child, code);
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

type Running = ChildProcess & { said: string };

function start(
	node: string,
	file: string,
	directory: string,
	environment: Environment,
	timeout = longestMilliseconds,
): Running {
	const { PATH = "", HOME = "" } = process.env;
	const child = spawn(node, [file], {
		cwd: directory,
		env: { PATH, HOME, ...environment },
		stdio: ["pipe", "pipe", "pipe"],
		timeout,
		killSignal: "SIGKILL",
	}) as ChildProcess as Running;
	child.said = "";
	for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => (child.said += bytes));
	return child;
}

async function succeeded(child: Running, { file, line }: Code): Promise<void> {
	if (child.exitCode === null && child.signalCode === null) await once(child, "close");
	if (child.exitCode !== 0)
		throw new Error(`${file}:${line}: ended with ${child.exitCode ?? child.signalCode}\n${child.said.trim()}`);
}

async function firstLine(child: Running): Promise<string> {
	const ended = once(child, "close");
	while (!child.said.includes("\n")) {
		await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), ended]);
		if (child.exitCode !== null || child.signalCode !== null) break;
	}
	const [line = ""] = child.said.split("\n");
	return line;
}

/** Waits until something answers there, or the program has ended. */
async function firstAnswer(url: string, child: Running): Promise<void> {
	while (child.exitCode === null && child.signalCode === null) {
		if (
			await fetch(url).then(
				({ ok }) => ok,
				() => false,
			)
		)
			return;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error(`${service} serves nothing:\n${child.said}`);
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}
