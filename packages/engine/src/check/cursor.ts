import { ReelmillError } from "@reelmill/contracts";

/**
 * What is looked at of a place, in this order. Outputs come before uploads, so that a set that can be adopted is found
 * before its video is given up because its source is missing. Bytes come last, and only if they are asked for.
 */
export const phases = ["outputs", "uploads", "copies", "probes", "bytes"] as const;
export type Phase = (typeof phases)[number];

/**
 * Where a check goes on: after what it has seen of a phase of a place or, once all places are done, after the domain
 * whose counters it has seen.
 */
export type Position =
	| { readonly place: string; readonly phase: Phase; readonly after: string }
	| { readonly counters: string };

/**
 * Returns text for the caller to give back verbatim. It isn't signed: only an operator gives it, and it leads nowhere
 * that the operator may not look.
 */
export function writeCursor(position: Position): string {
	const parts = "counters" in position ? [position.counters] : [position.place, position.phase, position.after];
	return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

export const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the position that was written.
 *
 * @throws {ReelmillError} `invalid_cursor` for any other text.
 */
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
