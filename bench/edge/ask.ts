import * as http from "node:http";
import * as https from "node:https";

export type Asked = { readonly key?: string; readonly range?: readonly [start: number, end: number] };
/** Asks for a file, and returns the status and how many bytes came. */
export type Ask = (url: string, asked?: Asked) => Promise<{ status: number; bytes: number }>;

/** In place of the status of an answer that breaks off, or never begins. */
const cut = 599;

/** A client that keeps its connections, and takes any certificate. */
export function openClient(): { ask: Ask; close(): void } {
	const plain = new http.Agent({ keepAlive: true, maxSockets: 64 });
	const secure = new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });
	return {
		ask: (url, { key, range } = {}) =>
			new Promise((resolve, reject) => {
				const headers = {
					...(key !== undefined && { authorization: `Bearer ${key}` }),
					...(range !== undefined && { range: `bytes=${range[0]}-${range[1]}` }),
				};
				const isSecure = url.startsWith("https");
				const get = isSecure ? https.get : http.get;
				get(url, { agent: isSecure ? secure : plain, headers }, (response) => {
					let bytes = 0;
					response.on("data", (chunk: Buffer) => {
						bytes += chunk.length;
					});
					response.on("end", () => resolve({ status: response.statusCode as number, bytes }));
					response.on("error", () => resolve({ status: cut, bytes }));
				}).on("error", (error: NodeJS.ErrnoException) =>
					error.code === "ECONNRESET" ? resolve({ status: cut, bytes: 0 }) : reject(error),
				);
			}),
		close() {
			plain.destroy();
			secure.destroy();
		},
	};
}
