/** Header that carries the timestamp and the signatures of a delivery: `t=<seconds>,v1=<hex>[,v1=<hex>]`. */
export const signatureHeader = "service-signature";

/** Header that carries the delivery's id. It is the same on every attempt and replay; consumers deduplicate on it. */
export const deliveryIdHeader = "service-delivery-id";

/** Room for fifty signatures. */
const longestHeader = 4096;

/**
 * Splits a signature header. `timestamp` is undefined where `t` is missing, repeated or not an integer, and where the
 * header has more than 4096 characters.
 */
export function parseSignatureHeader(header: string): { timestamp: string | undefined; signatures: string[] } {
	if (header.length > longestHeader) return { timestamp: undefined, signatures: [] };
	const parts = header.split(",").map((part) => part.trim());
	const timestamps = valuesOf(parts, "t");
	const timestamp = timestamps.length === 1 && /^-?\d{1,15}$/.test(timestamps[0] ?? "") ? timestamps[0] : undefined;
	return { timestamp, signatures: valuesOf(parts, "v1") };
}

const valuesOf = (parts: string[], name: string): string[] =>
	parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
