import { createSocket } from "node:dgram";
import { once } from "node:events";

/** The name server that all servers ask. Every name below `faults.test` is at 127.0.0.1. */
export type NameServer = {
	/** The address in the form that `dns.setServers` takes. */
	readonly address: string;
	/** Sets what it does with each question from now on. */
	behave(how: "answer" | "fail" | "be silent"): void;
	close(): void;
};

const [typeA, serverFailure, noSuchName] = [1, 2, 3];
const headerBytes = 12;
const suffix = Buffer.from("\x06faults\x04test\x00", "latin1");
/** The question's own name, class IN, one second to live, 127.0.0.1. */
const answer = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]);

export async function openNameServer(): Promise<NameServer> {
	let manner: Parameters<NameServer["behave"]>[0] = "answer";
	const socket = createSocket("udp4");
	socket.on("message", (query, peer) => {
		if (manner !== "be silent") socket.send(replyTo(query, manner === "fail"), peer.port, peer.address);
	});
	socket.bind(0, "127.0.0.1");
	await once(socket, "listening");
	return {
		address: `127.0.0.1:${socket.address().port}`,
		behave(how) {
			manner = how;
		},
		close: () => socket.close(),
	};
}

/**
 * Answers one question of DNS (RFC 1035). This is our own code because one answer of a fixed form is less than a
 * package for all of DNS.
 */
function replyTo(query: Buffer, fails: boolean): Buffer {
	const nameEnd = query.indexOf(0, headerBytes) + 1;
	const question = query.subarray(headerBytes, nameEnd + 4);
	const isKnown = query
		.subarray(headerBytes, nameEnd)
		.toString("latin1")
		.toLowerCase()
		.endsWith(suffix.toString("latin1"));
	const answers = !fails && isKnown && question.readUInt16BE(question.length - 4) === typeA ? [answer] : [];
	const header = Buffer.alloc(headerBytes);
	query.copy(header, 0, 0, 2);
	header.writeUInt16BE(0x8180 | (fails ? serverFailure : isKnown ? 0 : noSuchName), 2);
	header.writeUInt16BE(1, 4);
	header.writeUInt16BE(answers.length, 6);
	return Buffer.concat([header, question, ...answers]);
}
