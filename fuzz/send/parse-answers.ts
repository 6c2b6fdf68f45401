import type { Answer } from "./answer.ts";

const empty = Buffer.from("\r\n\r\n");

/**
 * Returns the whole answers at the start of `bytes`, without interim ones, and how many bytes are left over. This is
 * our own code because Node's client takes one answer for one request, and here the number of answers is the question.
 */
export function parseAnswers(bytes: Buffer, { isHead }: { isHead: boolean }): { answers: Answer[]; rest: number } {
	const answers: Answer[] = [];
	let left = bytes;
	while (left.length > 0) {
		const end = left.indexOf(empty);
		const [statusLine = "", ...lines] = left.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
		const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN);
		if (end === -1 || Number.isNaN(status)) break;
		const headers = new Map(
			lines.map(
				(line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const,
			),
		);
		const after = left.subarray(end + empty.length);
		const hasNoBody = isHead || status < 200 || status === 204 || status === 304;
		const body = hasNoBody ? { bytes: Buffer.alloc(0), length: 0 } : bodyOf(after, headers);
		if (body === null) break;
		if (status >= 200) answers.push({ status, headers, body: body.bytes });
		left = after.subarray(body.length);
	}
	return { answers, rest: left.length };
}

/** Returns null if the body hasn't come whole. */
function bodyOf(after: Buffer, headers: ReadonlyMap<string, string>): { bytes: Buffer; length: number } | null {
	if (headers.get("transfer-encoding") === "chunked") return chunkedBody(after);
	const length = headers.get("content-length");
	if (length === undefined) return { bytes: after, length: after.length };
	return after.length < Number(length) ? null : { bytes: after.subarray(0, Number(length)), length: Number(length) };
}

function chunkedBody(after: Buffer): { bytes: Buffer; length: number } | null {
	const chunks: Buffer[] = [];
	for (let at = 0; ; ) {
		const end = after.indexOf("\r\n", at);
		const size = Number.parseInt(after.subarray(at, Math.max(at, end)).toString("latin1"), 16);
		if (end === -1 || Number.isNaN(size) || after.length < end + size + 4) return null;
		chunks.push(after.subarray(end + 2, end + 2 + size));
		at = end + size + 4;
		if (size === 0) return { bytes: Buffer.concat(chunks), length: at };
	}
}
