import { once } from "node:events";
import { connect, type Socket, type TcpNetConnectOpts } from "node:net";
import { type ConnectionOptions, connect as connectSecurely } from "node:tls";

/** A connection on which a test writes what it likes. */
export type Raw = {
	readonly socket: Socket;
	write(text: string): void;
	readonly isOpen: () => boolean;
	answer(): Promise<RawAnswer>;
};
export type RawAnswer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

/** The certificate to trust, and the address to come from. */
type Options = Pick<ConnectionOptions, "ca"> & Pick<TcpNetConnectOpts, "localAddress">;

export async function openRaw(url: string, options: Options = {}): Promise<Raw> {
	const { hostname, port, protocol } = new URL(url);
	const to = { host: hostname, port: Number(port), ...options };
	const socket = protocol === "https:" ? connectSecurely(to) : connect(to);
	socket.on("error", () => undefined);
	let [said, isOpen] = ["", true];
	socket.on("data", (bytes: Buffer) => {
		said += bytes.toString("latin1");
	});
	socket.on("close", () => {
		isOpen = false;
	});
	await once(socket, protocol === "https:" ? "secureConnect" : "connect");
	return {
		socket,
		write: (text) => void socket.write(text, "latin1"),
		isOpen: () => isOpen,
		answer: async () => readAnswer(socket, () => said),
	};
}

/**
 * All that the server said until it closed the connection, as the one answer that it is. Without any, the status is 0.
 */
async function readAnswer(socket: Socket, said: () => string): Promise<RawAnswer> {
	if (!socket.closed) await once(socket, "close");
	const [head = "", ...body] = said().split("\r\n\r\n");
	const [first = "", ...lines] = head.split("\r\n");
	const headers = lines.map((line) => [
		line.slice(0, line.indexOf(":")).toLowerCase(),
		line.slice(line.indexOf(":") + 1).trim(),
	]);
	return {
		status: Number(first.split(" ")[1] ?? 0),
		headers: Object.fromEntries(headers),
		body: body.join("\r\n\r\n"),
	};
}

/** Sends the text on a connection of its own, and answers what came back once the server closed it. */
export async function exchangeRaw(url: string, text: string, options?: Options): Promise<RawAnswer> {
	const raw = await openRaw(url, options);
	raw.write(text);
	return raw.answer();
}
