import { limits, ReelmillError } from "@reelmill/contracts";
import { describe, expect, it } from "vitest";
import { createCursors, type Listing } from "../../src/cursors/index.ts";

const cursors = createCursors([new Uint8Array(32).fill(1)]);
const listing: Listing = { route: "listVideos", scope: { domainId: "d1", sessionId: null }, filter: null };
const position = { createdAt: Date.parse("2026-01-31T12:00:00.123Z"), id: "2b6f0c7e-1111-4222-8333-444455556666" };
const cursor = cursors.sign(listing, position);

function refuses(text: string, by: Listing = listing, of = cursors): void {
	expect(() => of.verify(by, text)).toThrow(new ReelmillError("invalid_cursor"));
}

describe("a cursor", () => {
	it("leads back to its position, in text that fits the contract", () => {
		expect(cursors.verify(listing, cursor)).toEqual(position);
		expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
		expect(cursor.length).toBeLessThanOrEqual(limits.cursorLength);
		const early = { createdAt: -1, id: "00000000-0000-4000-8000-000000000000" };
		expect(cursors.verify(listing, cursors.sign(listing, early))).toEqual(early);
	});

	it("is good for its own domain, session, route and filter alone", () => {
		const session = { ...listing, scope: { domainId: "d1", sessionId: "s1" } };
		for (const other of [
			{ ...listing, scope: { domainId: "d2", sessionId: null } },
			session,
			{ ...listing, route: "listWebhookDeliveries" },
			{ ...listing, filter: "failed" },
		] satisfies Listing[]) {
			refuses(cursor, other);
			expect(cursors.verify(other, cursors.sign(other, position))).toEqual(position);
		}
		refuses(cursors.sign(session, position), { ...session, scope: { domainId: "d1", sessionId: "s2" } });
		refuses(cursors.sign({ ...listing, filter: "failed" }, position), { ...listing, filter: "available" });
	});

	it("is refused under another master key", () =>
		refuses(cursor, listing, createCursors([new Uint8Array(32).fill(2)])));

	it("is refused with any character changed, left out or added, and in any other spelling", () => {
		for (let at = 0; at < cursor.length; at++) {
			for (const character of ["A", "B", "_", "+", "=", " ", "é"]) {
				if (cursor[at] !== character) refuses(cursor.slice(0, at) + character + cursor.slice(at + 1));
			}
			refuses(cursor.slice(0, at) + cursor.slice(at + 1));
			refuses(cursor.slice(0, at));
		}
		const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
		for (const last of alphabet) if (last !== cursor.at(-1)) refuses(cursor.slice(0, -1) + last);
		for (const text of [
			"",
			"x",
			`${cursor}=`,
			`${cursor}A`,
			` ${cursor}`,
			cursor.repeat(2),
			"A".repeat(cursor.length),
			"A".repeat(100_000),
		])
			refuses(text);
	});
});
