/** The header with the timestamp and the signatures of a delivery: `t=<seconds>,v1=<hex>[,v1=<hex>]`. */
export const signatureHeader = "service-signature";

/** The header with the delivery's id. Every attempt and replay sends the same id: receivers deduplicate on it. */
export const deliveryIdHeader = "service-delivery-id";

/** Characters; enough for about fifty signatures. */
const longestHeader = 4096;

/**
 * Splits a signature header. `timestamp` is undefined if `t` is missing, repeated or no integer, or if the header is
 * longer than 4096 characters.
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
