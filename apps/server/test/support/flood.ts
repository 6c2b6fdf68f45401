import { connect } from "node:net";

/**
 * A process that opens connections and never asks for anything, in three ways in turn: silent, with half a line, and
 * with a head of which a byte comes each second. With `kept` each asks once, and stays. It is told where and how many
 * by its arguments, and says after each second how many it has open and how many were opened.
 */
export type Flood = { readonly open: number; readonly opened: number };

const [port, count, way] = process.argv.slice(2);
const health = "GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n";
const openings = way === "kept" ? [health] : ["", "GET /v1/hea", "GET /v1/health HTTP/1.1\r\nHost: a\r\nX: "];
const dripping = 2;
const atOnce = 50;

let [open, opened] = [0, 0];
function openOne(number: number): void {
	const socket = connect({ host: "127.0.0.1", port: Number(port) });
	const kind = number % openings.length;
	let drip: NodeJS.Timeout | undefined;
	let isOpen = false;
	socket.on("error", () => undefined);
	socket.on("connect", () => {
		[open, opened, isOpen] = [open + 1, opened + 1, true];
		socket.write(openings[kind] as string);
		if (kind === dripping) drip = setInterval(() => socket.write("x"), 1000);
	});
	socket.resume();
	socket.on("close", () => {
		clearInterval(drip);
		if (isOpen) open--;
	});
}

setInterval(() => process.send?.({ open, opened } satisfies Flood), 250);
let started = 0;
const opening = setInterval(() => {
	for (let number = 0; number < atOnce && started < Number(count); number++) openOne(started++);
	if (started === Number(count)) clearInterval(opening);
}, 20);
