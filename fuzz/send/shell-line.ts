import type { WrittenRequest } from "../world/resolve.ts";
import type { Answer } from "./answer.ts";
import type { Target } from "./http.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const printable = (bytes: Buffer): string =>
	[...bytes]
		.map((byte) =>
			byte === 0x5c
				? "\\\\"
				: byte >= 0x20 && byte < 0x7f
					? String.fromCharCode(byte)
					: `\\x${byte.toString(16).padStart(2, "0")}`,
		)
		.join("");
const short = (text: string, length = 2000): string =>
	text.length <= length ? text : `${text.slice(0, length)}... (${text.length} characters)`;

/** Returns the request as a line for a shell. */
export function curlOf(
	{ method, path, headers, body, port, chunked }: WrittenRequest,
	target: Target,
	from: string | undefined,
): string {
	const lines = Object.entries(headers).flatMap(([name, value]) =>
		(Array.isArray(value) ? value : [value as string]).map((one) => `-H ${quoted(`${name}: ${one}`)}`),
	);
	const url = quoted(`http://${target.host}:${port === "operations" ? target.operationsPort : target.port}${path}`);
	const data =
		body === null
			? []
			: isText(body)
				? [`--data-binary ${quoted(short(body.toString()))}`]
				: [`--data-binary @<(printf ${quoted(short(printable(body)))})`];
	const how = method === "HEAD" ? "--head" : `-X ${method}`;
	return [
		"curl -i --path-as-is",
		...(from === undefined ? [] : [`--interface ${from}`]),
		how,
		...lines,
		...(chunked ? ["-H 'transfer-encoding: chunked'"] : []),
		...data,
		url,
	].join(" ");
}

const isText = (bytes: Buffer): boolean => !/[^\t\n\r\x20-\x7e\u00a0-\uffff]/.test(bytes.toString());

/** Returns raw bytes as a line for a shell. */
export function rawText(parts: readonly (Buffer | number)[], { host, port }: Target): string {
	const all = parts.map((part) =>
		typeof part === "number"
			? `sleep ${part / 1000}`
			: `printf ${quoted(short(printable(part).replaceAll("%", "%%")))}`,
	);
	return `(${all.join("; ")}; sleep 1) | nc ${host} ${port}`;
}

export const answerText = ({ status, headers, body }: Answer): string =>
	`${status} ${[...headers].map(([name, value]) => `${name}: ${short(value, 200)}`).join(" | ")}\n${short(body.toString(), 1000)}`;
