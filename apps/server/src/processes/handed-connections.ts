import type { ChildProcess } from "node:child_process";

type Closable = { close?: () => void };

/**
 * Closes the connection that was on its way to a process when the process ended. Node waits for the receipt of each
 * before it sends the next, and closes its own copy then. If the receipt never comes, Node keeps the connection open,
 * and the client would wait for an answer for as long as it can. Closing a copy twice is harmless.
 */
export function closeUnreceived(child: ChildProcess): void {
	const send = child.send.bind(child) as (...all: unknown[]) => boolean;
	let latest: Closable | undefined;
	child.send = (message: unknown, connection?: unknown, ...rest: unknown[]) => {
		if (typeof connection === "object" && connection !== null) latest = connection;
		return send(message, connection, ...rest);
	};
	child.once("exit", () => latest?.close?.());
}
