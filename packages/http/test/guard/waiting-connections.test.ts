import { expect, it } from "vitest";
import { createWaitingConnections, type WaitingConnection } from "../../src/guard/waiting-connections.ts";

const from = (client: string | null): WaitingConnection => ({ client });
const many = (count: number, client: string | null) => Array.from({ length: count }, () => from(client));

it("lets the oldest of a client go where it opens one too many, and nobody else's", () => {
	const waiting = createWaitingConnections({ most: 100, mostPerClient: 3 });
	const other = from("b");
	const [first, ...rest] = many(4, "a");
	const gone = [other, first as WaitingConnection, ...rest].flatMap((connection) => waiting.addOpening(connection));
	expect(gone).toEqual([first]);
	expect(gone[0]).toBe(first);
	expect([...waiting.opening]).toEqual([other, ...rest]);
});

it("binds no proxy, and no connection that was kept, by the client's bound", () => {
	const waiting = createWaitingConnections({ most: 100, mostPerClient: 1 });
	expect(many(50, null).flatMap((connection) => waiting.addOpening(connection))).toEqual([]);
	expect(many(50, "a").flatMap((connection) => waiting.addKept(connection))).toEqual([]);
	expect(waiting.size).toBe(100);
});

it("lets the oldest of the kind go that there are more of, so that neither pushes the other out", () => {
	const waiting = createWaitingConnections({ most: 10, mostPerClient: 100 });
	const kept = many(6, "a");
	for (const connection of kept) expect(waiting.addKept(connection)).toEqual([]);
	const gone = many(30, "b").flatMap((connection) => waiting.addOpening(connection));
	expect(gone).toHaveLength(26);
	expect(gone.filter((connection) => kept.includes(connection))).toEqual(kept.slice(0, 1));
	expect([[...waiting.opening].length, [...waiting.kept].length]).toEqual([5, 5]);
});

it("forgets one that is answered or gone, and lets it wait anew as the newest", () => {
	const waiting = createWaitingConnections({ most: 2, mostPerClient: 2 });
	const [one, two, three] = many(3, "a") as [WaitingConnection, WaitingConnection, WaitingConnection];
	waiting.addOpening(one);
	waiting.addOpening(two);
	waiting.remove(one);
	waiting.remove(one);
	expect(waiting.size).toBe(1);
	waiting.addOpening(one);
	expect(waiting.addOpening(three)[0]).toBe(two);
});
