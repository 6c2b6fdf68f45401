import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { RawStep } from "../generate/case.ts";
import type { Answer } from "./answer.ts";
import type { Target } from "./http.ts";
import { patience } from "./http.ts";
import { parseAnswers } from "./parse-answers.ts";

export type RawOutcome = {
	readonly answers: readonly Answer[];
	/** The number of bytes after the last whole answer. */
	readonly rest: number;
	/**
	 * How the connection ended: by the server, by an error (its code), by this client, or `HUNG` if neither an answer nor
	 * an end came.
	 */
	readonly ended: "END" | "LEFT" | "HUNG" | (string & {});
};

const leaveMilliseconds = 30;
const quietMilliseconds = 150;

/** Sends bytes on a new socket and collects what comes. Never rejects. */
export function sendRaw(
	parts: readonly (Buffer | number)[],
	end: RawStep["end"],
	target: Target,
	from: string | undefined,
): Promise<RawOutcome> {
	const isHead = (parts[0] as Buffer | undefined)?.subarray(0, 5).toString("latin1") === "HEAD ";
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		const socket = connect({
			host: target.host,
			port: target.port,
			allowHalfOpen: true,
			...(from !== undefined && { localAddress: from }),
		});
		let quiet: NodeJS.Timeout | undefined;
		const finish = (ended: RawOutcome["ended"]) => {
			clearTimeout(timer);
			clearTimeout(quiet);
			socket.destroy();
			resolve({ ...parseAnswers(Buffer.concat(chunks), { isHead }), ended });
		};
		const timer = setTimeout(() => finish(chunks.length > 0 ? "LEFT" : "HUNG"), patience);
		socket.on("data", (chunk) => {
			chunks.push(chunk);
			// An answer has come and no further one: the server keeps the connection for another request, which is never
			// sent.
			if (end === "half") quiet = quiet?.refresh() ?? setTimeout(() => finish("LEFT"), quietMilliseconds);
		});
		socket.on("end", () => finish("END"));
		socket.on("error", (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
		void (async () => {
			for (const part of parts) {
				if (socket.destroyed) return;
				if (typeof part === "number") await sleep(part);
				else socket.write(part);
			}
			if (end === "half") socket.end();
			if (end === "leave") setTimeout(() => finish("LEFT"), leaveMilliseconds);
		})();
	});
}
