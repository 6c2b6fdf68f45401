import { ConnectionError, isReelmillError } from "@reelmill/node";
import { CommanderError } from "commander";
import type { Io, Piece } from "./printing.ts";
import { oneLine } from "./text.ts";

/** The error of a command line that is wrong: exit code 2. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/**
 * The error of a command whose calls all succeeded, but whose outcome is not the wanted one: exit code 1. `code` stands
 * in the place of an error code.
 */
export class OutcomeError extends Error {
	override readonly name = "OutcomeError";
	readonly code: string;
	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/**
 * The reason with which a signal stops `runCli`: the command ends with exit code 1 and the error `interrupted`.
 * @example
 * ```ts
 * import { Interrupted, runCli } from "reelmill";
 *
 * const exitCode = await runCli(["usage", "--json"], {
 * 	environment: { REELMILL_URL: "https://video.example.com", REELMILL_API_KEY: "ek_your_domain_key" },
 * 	stdout: process.stdout,
 * 	stderr: { write: (text) => console.log(text) }, // => {"error":"interrupted","message":"Stopped."}
 * 	signal: AbortSignal.abort(new Interrupted()),
 * });
 * console.log(exitCode); // => 1
 * ```
 */
export class Interrupted extends Error {
	override readonly name = "Interrupted";
	constructor() {
		super("Stopped.");
	}
}

export type Failure = {
	exitCode: 0 | 1 | 2;
	/** What is printed; undefined if it was printed already, or if nothing needs to be. */
	body?: { error: string; message: string } & Record<string, unknown>;
};

/**
 * Returns the exit code and the message for a thrown value. `asked` is told where a key is refused: it may be the key of
 * another service.
 */
export function failureOf(error: unknown, asked: Io["asked"]): Failure {
	if (error instanceof CommanderError) return ofCommander(error);
	if (error instanceof UsageError) return { exitCode: 2, body: { error: "usage", message: error.message } };
	if (error instanceof OutcomeError) return { exitCode: 1, body: { error: error.code, message: error.message } };
	if (error instanceof Interrupted) return { exitCode: 1, body: { error: "interrupted", message: error.message } };
	if (isReelmillError(error)) {
		const { code, rawCode = code, message, extras, requestId } = error;
		return {
			exitCode: 1,
			body: {
				error: rawCode,
				message,
				...extras,
				...(code === "unauthorized" && asked),
				...(requestId === undefined ? {} : { request_id: requestId }),
			},
		};
	}
	if (error instanceof ConnectionError) return { exitCode: 1, body: { error: error.reason, message: error.message } };
	const { code, message } = error as { code?: unknown; message?: unknown };
	return {
		exitCode: 1,
		body: { error: typeof code === "string" ? code : "failed", message: String(message ?? error) },
	};
}

/** Help and version are successes. Help for a missing command was printed already. */
function ofCommander({ code, message, exitCode }: CommanderError): Failure {
	if (exitCode === 0) return { exitCode: 0 };
	if (code === "commander.help") return { exitCode: 2 };
	return { exitCode: 2, body: { error: "usage", message: message.replace(/^error: /, "") } };
}

/** Formats a failure for people, in lines: message, code, then the other fields of the answer. */
export function failureLines({ error, message, ...more }: NonNullable<Failure["body"]>): Piece[][] {
	const [first = "", ...others] = (error === "usage" ? message : oneLine(`${message} (${error})`)).split("\n");
	return [
		[{ text: "reelmill:", colour: "red" }, ` ${first}`],
		...others.map((line) => [line]),
		...Object.entries(more).map(([name, value]): Piece[] => [
			{ text: `  ${name}:`, colour: "dim" },
			` ${typeof value === "string" ? oneLine(value) : JSON.stringify(value)}`,
		]),
	];
}
