import { ConnectionError, isReelmillError } from "@reelmill/node";
import { CommanderError } from "commander";

/** The command line was written wrong: exit code 2. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/**
 * What the command was to reach did not come about, though every call was answered: exit code 1. `code` stands where an
 * error's code does.
 */
export class OutcomeError extends Error {
	override readonly name = "OutcomeError";
	readonly code: string;
	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}

/** Someone asked the process to stop. */
export class Interrupted extends Error {
	override readonly name = "Interrupted";
	constructor() {
		super("Stopped.");
	}
}

export type Failure = {
	exitCode: 0 | 1 | 2;
	/** What is said about it; undefined where that was done already, or nothing needs to be said. */
	body?: { error: string; message: string } & Record<string, unknown>;
};

/** What a thrown value means to the caller of the program. */
export function failureOf(error: unknown): Failure {
	if (error instanceof CommanderError) return ofCommander(error);
	if (error instanceof UsageError) return { exitCode: 2, body: { error: "usage", message: error.message } };
	if (error instanceof OutcomeError) return { exitCode: 1, body: { error: error.code, message: error.message } };
	if (error instanceof Interrupted) return { exitCode: 1, body: { error: "interrupted", message: error.message } };
	if (isReelmillError(error)) {
		const { code, message, extras, requestId } = error;
		return {
			exitCode: 1,
			body: { error: code, message, ...extras, ...(requestId === undefined ? {} : { request_id: requestId }) },
		};
	}
	if (error instanceof ConnectionError) return { exitCode: 1, body: { error: error.reason, message: error.message } };
	const { code, message } = error as { code?: unknown; message?: unknown };
	return {
		exitCode: 1,
		body: { error: typeof code === "string" ? code : "failed", message: String(message ?? error) },
	};
}

/** Help and version are answers; help that nobody asked for (a command is missing) was shown already. */
function ofCommander({ code, message, exitCode }: CommanderError): Failure {
	if (exitCode === 0) return { exitCode: 0 };
	if (code === "commander.help") return { exitCode: 2 };
	return { exitCode: 2, body: { error: "usage", message: message.replace(/^error: /, "") } };
}

/** The failure as people read it: message, code, then what else the answer said. */
export function failureText({ error, message, ...more }: NonNullable<Failure["body"]>): string {
	const lines = Object.entries(more).map(
		([name, value]) => `  ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
	);
	return [error === "usage" ? message : `${message} (${error})`, ...lines].join("\n");
}
