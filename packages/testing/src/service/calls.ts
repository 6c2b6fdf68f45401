import { isReelmillError, ReelmillError } from "@reelmill/contracts/errors";
import type { Failure, Message } from "./messages.ts";

/** A `Worker`, or its `parentPort`. */
export type Port = {
	postMessage(message: Message): void;
	on(event: "message", listener: (message: Message) => void): unknown;
};

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };
export type Calls = {
	/** Calls a function of the other side. Rejects with its error, or with that of `end`. */
	call(name: string, ...input: unknown[]): Promise<unknown>;
	/** Rejects all calls that wait, and all later ones. */
	end(error: Error): void;
};

/**
 * Joins two threads: each side calls functions of the other one. `onWaiting` is called with true when the first call
 * begins to wait, and with false when none waits any more.
 */
export function createCalls(
	port: Port,
	functions: Readonly<Record<string, (...input: never[]) => Promise<unknown>>>,
	onWaiting: (isWaiting: boolean) => void = () => {},
): Calls {
	const waiting = new Map<number, Waiting>();
	let last = 0;
	let ended: Error | null = null;

	const answer = async (number: number, name: string, input: readonly unknown[]): Promise<void> => {
		try {
			const run = functions[name] as (...input: readonly unknown[]) => Promise<unknown>;
			port.postMessage({ kind: "done", number, value: await run(...input) });
		} catch (error) {
			port.postMessage({ kind: "failed", number, failure: failureOf(error) });
		}
	};
	port.on("message", (message) => {
		if (message.kind === "call") return void answer(message.number, message.name, message.input);
		const found = waiting.get(message.number);
		waiting.delete(message.number);
		if (waiting.size === 0) onWaiting(false);
		if (message.kind === "done") found?.resolve(message.value);
		else found?.reject(errorOf(message.failure));
	});
	return {
		call(name, ...input) {
			if (ended !== null) return Promise.reject(ended);
			const number = ++last;
			return new Promise((resolve, reject) => {
				waiting.set(number, { resolve, reject });
				if (waiting.size === 1) onWaiting(true);
				port.postMessage({ kind: "call", number, name, input });
			});
		},
		end(error) {
			ended ??= error;
			for (const { reject } of waiting.values()) reject(error);
			waiting.clear();
			onWaiting(false);
		},
	};
}

function failureOf(error: unknown): Failure {
	if (isReelmillError(error)) {
		const { message, code, extras, status } = error;
		return { message, code, extras, status };
	}
	return {
		message: error instanceof Error ? (error.stack ?? error.message) : String(error),
		code: null,
		extras: null,
		status: null,
	};
}

function errorOf({ message, code, extras, status }: Failure): Error {
	if (code === null) return new Error(message);
	return new ReelmillError(code, { message, extras: extras as never, ...(status === null ? {} : { status }) });
}
