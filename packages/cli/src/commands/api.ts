import { readFile } from "node:fs/promises";
import { Argument, type Command, InvalidArgumentError } from "commander";
import { OutcomeError, UsageError } from "../failure.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";
import { version } from "../version.ts";

type Options = { data?: string; header?: string[]; include?: boolean };

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];

export function addApi(parent: Command, io: Io): void {
	parent
		.command("api")
		.description("send one request to the API with your key, and print the answer")
		.addArgument(new Argument("<method>").choices(methods).argParser(methodOf))
		.argument("<path>", "for example /v1/videos?state=failed; /admin/... goes with the operator's key")
		.option("--data <json>", "the body: JSON, @file, or @- for standard input")
		.option("--header <name:value...>", "further headers")
		.option("--include", "also print the answer's status and headers, on stderr")
		.addHelpText("after", "\nIt is sent once: nothing is retried. The exit code is 1 unless the answer is 2xx.")
		.action(async (method: string, path: string, { data, header = [], include }: Options, command: Command) => {
			const session = sessionOf(io, command);
			const url = addressOf(session.baseUrl(), path);
			const key = path.startsWith("/admin/") ? session.adminKey() : session.key();
			const body = await bodyOf(data, io);
			const headers = new Headers({ authorization: `Bearer ${key}`, "user-agent": `reelmill-cli/${version}` });
			if (body !== undefined) headers.set("content-type", "application/json");
			for (const [name, value] of header.map(pairOf)) headers.set(name, value);
			const response = await fetch(url, {
				method,
				headers,
				redirect: "manual",
				signal: io.signal,
				...(body === undefined ? {} : { body }),
			}).catch((error: Error & { cause?: { code?: string } }) => {
				io.signal.throwIfAborted();
				throw new OutcomeError("unreachable", `${url.origin} does not answer (${error.cause?.code ?? error.message}).`);
			});
			if (include) {
				io.stderr.write(`${response.status} ${response.statusText}\n`);
				for (const [name, value] of response.headers) io.stderr.write(`${name}: ${value}\n`);
			}
			const text = await response.text();
			if (text !== "") io.stdout.write(`${pretty(text)}\n`);
			if (!response.ok)
				throw new OutcomeError(`status_${response.status}`, `${method} ${path} was answered ${response.status}.`);
		});
}

/** Parses a method, in capitals or not. */
function methodOf(text: string): string {
	const method = text.toUpperCase();
	if (!methods.includes(method)) throw new InvalidArgumentError(`Allowed choices are ${methods.join(", ")}.`);
	return method;
}

/** Returns the address of a path of this service. The key goes nowhere else. */
function addressOf(baseUrl: string, path: string): URL {
	const base = new URL(baseUrl);
	const address = path.startsWith("/") ? `${base.origin}${base.pathname.replace(/\/$/, "")}${path}` : "";
	if (!URL.canParse(address) || new URL(address).origin !== base.origin)
		throw new UsageError("The path begins with a slash, for example /v1/videos.");
	return new URL(address);
}

async function bodyOf(data: string | undefined, { stdin }: Io): Promise<string | undefined> {
	if (data === undefined) return undefined;
	if (data === "@-") {
		const chunks: Uint8Array[] = [];
		for await (const chunk of stdin ?? []) chunks.push(Buffer.from(chunk as string));
		return Buffer.concat(chunks).toString();
	}
	if (!data.startsWith("@")) return data;
	return readFile(data.slice(1), "utf8").catch(() => {
		throw new UsageError(`The file ${data.slice(1)} can't be read.`);
	});
}

function pairOf(text: string): [string, string] {
	const at = text.indexOf(":");
	if (at < 1) throw new UsageError(`${JSON.stringify(text)} is not of the form name:value.`);
	return [text.slice(0, at), text.slice(at + 1).trim()];
}

function pretty(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
