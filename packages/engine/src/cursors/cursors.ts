import { createHmac, timingSafeEqual } from "node:crypto";
import { type OperationName, ReelmillError } from "@reelmill/contracts";
import type { Scope } from "../keys/index.ts";
import type { KeyRing } from "../secrets/index.ts";

/** Where a page ended: its last row's `created_at`, in milliseconds, and id. */
export type Position = { readonly createdAt: number; readonly id: string };

/** What a cursor is good for: one operation's list, as one scope sees it, under one filter. */
export type Listing = { readonly route: OperationName; readonly scope: Scope; readonly filter: string | null };

/** The scope of the operator's lists. No tenant has it. */
export const operatorScope: Scope = { domainId: "admin", sessionId: null };

export type Cursors = {
	/**
	 * Returns a text of 75 characters that leads on from `position`, in this listing alone. It never expires, and
	 * outlives a rotation of keys.
	 */
	sign(listing: Listing, position: Position): string;
	/**
	 * Returns the position that `sign` was given.
	 *
	 * @throws {ReelmillError} `invalid_cursor` for any other text: tampered with, or of another domain, session, route or
	 * filter.
	 */
	verify(listing: Listing, cursor: string): Position;
};

const positionBytes = 24;
const textLength = 75;

/**
 * Creates cursors, signed by the first key and good under each: `base64url(created_at 8 || id 16 || HMAC-SHA-256 32)`.
 * The MAC covers the listing as well, which isn't sent.
 */
export function createCursors(keys: KeyRing): Cursors {
	const macOf = (key: Uint8Array, { route, scope, filter }: Listing, position: Uint8Array): Uint8Array =>
		createHmac("sha256", key)
			.update(JSON.stringify([route, scope.domainId, scope.sessionId, filter]))
			.update(position)
			.digest();

	return {
		sign(listing, { createdAt, id }) {
			const position = Buffer.alloc(positionBytes);
			position.writeBigInt64BE(BigInt(createdAt));
			position.write(id.replaceAll("-", ""), 8, "hex");
			return Buffer.concat([position, macOf(keys[0], listing, position)]).toString("base64url");
		},
		verify(listing, cursor) {
			const bytes = cursor.length === textLength ? Buffer.from(cursor, "base64url") : Buffer.alloc(0);
			// Decoding is lenient, so other spellings of the same bytes are refused by encoding them again.
			if (bytes.toString("base64url") !== cursor) throw new ReelmillError("invalid_cursor");
			const position = bytes.subarray(0, positionBytes);
			const mac = bytes.subarray(positionBytes);
			const isGenuine = keys.some((key) => {
				const expected = macOf(key, listing, position);
				return mac.byteLength === expected.byteLength && timingSafeEqual(mac, expected);
			});
			if (!isGenuine) throw new ReelmillError("invalid_cursor");
			const id = position.toString("hex", 8).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
			return { createdAt: Number(position.readBigInt64BE()), id };
		},
	};
}
