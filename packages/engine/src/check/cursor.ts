import { ReelmillError } from "@reelmill/contracts";

/**
 * What is looked at of a place, in this order: outputs before uploads, so that a set that can be adopted is found
 * before its video is given up for want of a source.
 */
export const phases = ["outputs", "uploads", "copies", "probes"] as const;
export type Phase = (typeof phases)[number];

/**
 * Where a check goes on: a phase of a place behind what it has seen, or, once all places are done, the counters of the
 * domains behind one.
 */
export type Position =
	| { readonly place: string; readonly phase: Phase; readonly after: string }
	| { readonly counters: string };

/**
 * Text for the caller to give back verbatim. It isn't signed: an operator alone gives it, and it leads nowhere that the
 * operator may not look.
 */
export function writeCursor(position: Position): string {
	const parts = "counters" in position ? [position.counters] : [position.place, position.phase, position.after];
	return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

export const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The position that was written. Throws `invalid_cursor` for any other text. */
export function readCursor(cursor: string): Position {
	const parts = parsed(Buffer.from(cursor, "base64url").toString());
	if (!Array.isArray(parts) || !parts.every((part): part is string => typeof part === "string" && !part.includes("\0")))
		throw new ReelmillError("invalid_cursor");
	const [place, phase, after] = parts;
	if (parts.length === 1 && place !== undefined && (place === "" || isId.test(place))) return { counters: place };
	const known = phases.find((name) => name === phase);
	if (parts.length !== 3 || place === undefined || known === undefined || after === undefined)
		throw new ReelmillError("invalid_cursor");
	return { place, phase: known, after };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
