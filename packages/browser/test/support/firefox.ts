import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findProgram } from "../../../../scripts/setup/paths.mjs";

/** A page in Firefox: as much of a driver as these tests need. */
export type FirefoxPage = {
	goto(url: string): Promise<void>;
	/** Evaluates an expression in the page, and resolves to its value, which must be plain data. */
	evaluate(expression: string): Promise<unknown>;
	/** Resolves once an expression is true in the page. */
	waitForFunction(expression: string): Promise<void>;
	/** Chooses a file, or several, in an input, as a person does. */
	setInputFiles(selector: string, files: string | readonly string[]): Promise<void>;
	close(): Promise<void>;
};

/** Pages that share cookies and storage with one another, and with no other context. */
export type FirefoxContext = {
	newPage(): Promise<FirefoxPage>;
	setOffline(offline: boolean): Promise<void>;
	close(): Promise<void>;
};

export type Firefox = FirefoxPage & AsyncDisposable & { newContext(): Promise<FirefoxContext> };

type Answer = {
	readonly id?: number;
	readonly type: "success" | "error" | "event";
	readonly result?: unknown;
	readonly message?: string;
};

/**
 * Starts this machine's Firefox without a window, and opens a page in it by WebDriver BiDi, which Firefox speaks
 * itself. Playwright drives a Firefox of its own making alone; a whole driver is not needed for the few commands here.
 * @throws {Error} when there is none; the message says what to install
 */
export async function openFirefox(): Promise<Firefox> {
	const program = ["firefox-esr", "firefox"].find((name) => findProgram(name) !== undefined);
	if (program === undefined)
		throw new Error("These tests need Firefox: install it (Debian: apt-get install firefox-esr).");
	const profile = await mkdtemp(join(tmpdir(), "reelmill-firefox-"));
	const options = ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile];
	const browser = spawn(program, options, {
		env: { ...process.env, HOME: profile },
		stdio: ["ignore", "ignore", "pipe"],
	});
	const exited = once(browser, "exit");
	const address = await Promise.race([addressOf(createInterface(browser.stderr)), exited.then(() => undefined)]);
	if (address === undefined) throw new Error("Firefox ended before it could be driven.");
	const socket = new WebSocket(`${address}/session`);
	await once(socket, "open");
	const waiting = new Map<number, (answer: Answer) => void>();
	socket.addEventListener("message", ({ data }) => {
		const answer = JSON.parse(String(data)) as Answer;
		if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
	});
	let count = 0;
	const send: Send = async <T>(method: string, params: object): Promise<T> => {
		const id = ++count;
		const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
		socket.send(JSON.stringify({ id, method, params }));
		const answer = await answered;
		waiting.delete(id);
		if (answer.type === "error") throw new Error(`${method}: ${answer.message}`);
		return answer.result as T;
	};
	await send("session.new", { capabilities: {} });
	const { contexts } = await send<{ contexts: { context: string }[] }>("browsingContext.getTree", {});
	return {
		...pageOf(contexts[0]?.context ?? "", send),
		async newContext() {
			const { userContext } = await send<{ userContext: string }>("browser.createUserContext", {});
			return {
				async newPage() {
					const { context } = await send<{ context: string }>("browsingContext.create", { type: "tab", userContext });
					return pageOf(context, send);
				},
				setOffline: (offline) =>
					send("emulation.setNetworkConditions", {
						networkConditions: offline ? { type: "offline" } : null,
						userContexts: [userContext],
					}),
				close: () => send("browser.removeUserContext", { userContext }),
			};
		},
		async [Symbol.asyncDispose]() {
			socket.close();
			browser.kill("SIGKILL");
			await exited;
			await rm(profile, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

type Send = <T>(method: string, params: object) => Promise<T>;

function pageOf(context: string, send: Send): FirefoxPage {
	const target = { context };
	type Evaluated = { type: string; result: { value: string; sharedId: string }; exceptionDetails?: { text: string } };
	const evaluate = async (expression: string) => {
		const answer = await send<Evaluated>("script.evaluate", { expression, target, awaitPromise: true });
		if (answer.type === "exception") throw new Error(answer.exceptionDetails?.text);
		return answer.result;
	};
	const read = async (expression: string) =>
		JSON.parse((await evaluate(`(async () => JSON.stringify((await (${expression})) ?? null))()`)).value);
	return {
		goto: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
		evaluate: read,
		async waitForFunction(expression) {
			const look = `if (${expression}) resolve(true); else setTimeout(look, 50);`;
			await read(`new Promise((resolve) => { const look = () => { ${look} }; look(); })`);
		},
		async setInputFiles(selector, files) {
			const { sharedId } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`);
			await send("input.setFiles", { context, element: { sharedId }, files: [files].flat() });
		},
		close: () => send("browsingContext.close", { context }),
	};
}

async function addressOf(lines: AsyncIterable<string>): Promise<string | undefined> {
	for await (const line of lines) {
		const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
		if (address !== undefined) return address;
	}
	return undefined;
}
