import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What a DNS server answers for a name, after `milliseconds`: its addresses (none: there is no such name), a failure
 * code (RFC 1035, section 4.1.1), or nothing at all.
 */
export type Said = {
	readonly addresses?: readonly string[];
	readonly code?: number;
	readonly silent?: boolean;
	readonly milliseconds?: number;
};

const noSuchName = 3;

/**
 * Starts a real DNS server over UDP on the loopback. `asked` lists the names that were asked for, in order, once for
 * each family.
 */
export async function dnsServer(answer: (name: string) => Said) {
	const socket = createSocket("udp4");
	const asked: string[] = [];
	socket.on("message", async (question, { port, address }) => {
		const labels: string[] = [];
		let at = 12;
		for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
			labels.push(question.toString("latin1", at + 1, at + 1 + length));
			at += 1 + length;
		}
		const isIPv4 = question.readUInt16BE(at + 1) === 1;
		const name = labels.join(".").toLowerCase();
		asked.push(name);
		const {
			addresses = [],
			code = addresses.length === 0 ? noSuchName : 0,
			silent = false,
			milliseconds = 0,
		} = answer(name);
		if (silent) return;
		if (milliseconds > 0) await sleep(milliseconds);
		const records = (isIPv4 ? addresses : []).map((text) =>
			Buffer.concat([Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]), Buffer.from(text.split(".").map(Number))]),
		);
		const head = Buffer.from(question.subarray(0, 12));
		head.writeUInt16BE(0x8180 | code, 2);
		head.writeUInt16BE(records.length, 6);
		head.writeUInt32BE(0, 8);
		socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), port, address);
	});
	socket.bind(0, "127.0.0.1");
	await once(socket, "listening");
	return {
		servers: [`127.0.0.1:${socket.address().port}`],
		asked,
		async [Symbol.asyncDispose]() {
			socket.close();
			await once(socket, "close");
		},
	};
}
