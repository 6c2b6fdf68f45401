import fc from "fast-check";
import type { Named } from "./contract.ts";
import { pathOf } from "./contract.ts";
import { faultsOf, jsonSchemaOf, matching, replacedAt } from "./json-schema.ts";
import {
	anySegment,
	headerText,
	malformedBytes,
	malformedTexts,
	oddAuthorizations,
	oddHeaders,
	oddQueries,
	oddSegments,
	oddSizes,
	unknownId,
	wrongQueries,
	wrongValues,
} from "./odd-parts.ts";

export type Headers = Record<string, string>;
export type Written = {
	readonly method: string;
	readonly path: string;
	readonly headers: Headers;
	readonly body: string | Uint8Array | undefined;
};
/**
 * What is there to be asked for: ids of everything, those that are the operation's own more than once, and cursors of
 * lists.
 */
export type Known = { readonly ids: readonly string[]; readonly cursors: readonly string[] };

/** One part of a path: something that is there, something that could be, or what no client should send. */
export const segment = ({ ids }: Known): fc.Arbitrary<string> =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom(...ids) },
		{ weight: 3, arbitrary: fc.constantFrom(...oddSegments) },
		{ weight: 1, arbitrary: anySegment },
	);

export const requestId = fc.option(oddHeaders["x-request-id"], { nil: undefined, freq: 2 });

/** Mostly the credential that the operation takes, now and then its text in another form, or something else. */
export const authorization = (right: string | undefined): fc.Arbitrary<string | undefined> => {
	const forms =
		right === undefined
			? []
			: [
					right,
					right.toUpperCase(),
					right.replace(" ", "  "),
					`${right} `,
					right.slice(0, -1),
					`${right}x`,
					`${right}, ${right}`,
				];
	return fc.oneof(
		{ weight: 9, arbitrary: fc.constant(right) },
		{
			weight: 1,
			arbitrary: fc.oneof(
				fc.constantFrom(undefined, ...oddAuthorizations),
				fc.constantFrom(right, ...forms),
				headerText(80),
			),
		},
	);
};

const contentType = fc.oneof(
	{ weight: 9, arbitrary: fc.constant("application/json") },
	{ weight: 1, arbitrary: fc.option(oddHeaders["content-type"], { nil: undefined }) },
);

const { "content-type": _type, "x-request-id": _id, ...further } = oddHeaders;
const others = fc.record({ ...further, "x-service-domain": headerText(40) }, { requiredKeys: [] });

const encode = (values: unknown): string =>
	Object.entries(values as object)
		.map(
			([key, value]) => `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(String(value).toWellFormed())}`,
		)
		.join("&");

function query({ query: declared }: Named, { cursors }: Known): fc.Arbitrary<string> {
	const odd = fc.constantFrom(...oddQueries);
	if (declared === undefined) return fc.oneof({ weight: 9, arbitrary: fc.constant("") }, { weight: 1, arbitrary: odd });
	const schema = jsonSchemaOf(declared);
	const base = matching(schema);
	const tampered = fc
		.constantFrom(...cursors)
		.chain((cursor) =>
			fc.constantFrom(cursor, `${cursor}x`, cursor.slice(1), cursor.toUpperCase(), `${cursor.slice(0, -2)}AA`),
		);
	const paged = fc.tuple(base, tampered).map(([value, cursor]) => ({ ...(value as object), cursor }));
	return fc.oneof(
		fc.constant(""),
		base.map(encode),
		wrongQueries(base, schema).map(encode),
		...(schema.properties?.["cursor"] ? [paged.map(encode)] : []),
		odd,
	);
}

function body({ body: declared }: Named, known: Known): fc.Arbitrary<string | Uint8Array | undefined> {
	const raw = fc.oneof(
		fc.constantFrom(...malformedTexts, ...malformedBytes),
		fc.uint8Array({ maxLength: 200 }),
		fc.constantFrom(...oddSizes).map((size) => JSON.stringify("x".repeat(size - 2))),
	);
	if (declared === undefined)
		return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: raw });
	const schema = jsonSchemaOf(declared);
	const right = matching(schema, known);
	const padded = fc.tuple(right, fc.constantFrom(...oddSizes)).map(([value, size]) => {
		const text = JSON.stringify(value);
		return text + " ".repeat(Math.max(0, size - Buffer.byteLength(text)));
	});
	const written = fc
		.oneof({ weight: 1, arbitrary: right }, { weight: 3, arbitrary: wrongValues(right, schema) })
		.map((value) => JSON.stringify(value) ?? "");
	return fc.oneof({ weight: 12, arbitrary: written }, { weight: 2, arbitrary: raw }, { weight: 1, arbitrary: padded });
}

/** For each thing that can be wrong with the operation's body, a request in which nothing else is. */
export function faultyBodies(
	operation: Named,
	credential: string | undefined,
	{ ids: [id = unknownId, lock = unknownId] }: Known,
): Written[] {
	if (operation.body === undefined) return [];
	const schema = jsonSchemaOf(operation.body);
	const [right] = fc.sample(matching(schema, { minimal: true }), { numRuns: 1, seed: 1 });
	const base = typeof right === "object" && right !== null && "lock" in right ? { ...right, lock } : right;
	const headers = {
		...(credential !== undefined && { authorization: credential }),
		"content-type": "application/json",
	};
	return faultsOf(schema).map(({ path, value }) => ({
		method: operation.method,
		path: pathOf(operation, () => id),
		headers,
		body: JSON.stringify(replacedAt(base, path, value)),
	}));
}

/**
 * Requests for an operation, from well-formed ones to what only an attacker sends. `credential` is the Authorization
 * header that opens it.
 */
export function requestsFor(operation: Named, credential: string | undefined, known: Known): fc.Arbitrary<Written> {
	const parts = fc.array(segment(known), { minLength: 3, maxLength: 3 });
	return fc
		.record({
			parts,
			query: query(operation, known),
			body: body(operation, known),
			type: contentType,
			authorization: authorization(credential),
			id: requestId,
			others,
		})
		.map(({ parts: [...left], query: search, body: sent, type, authorization: who, id, others: more }) => {
			const path = pathOf(operation, () => left.pop() ?? unknownId);
			const headers = Object.entries({
				...more,
				authorization: who,
				"content-type": sent === undefined ? undefined : type,
				"x-request-id": id,
			});
			return {
				method: operation.method,
				path: search === "" ? path : `${path}?${search}`,
				headers: Object.fromEntries(headers.filter((header): header is [string, string] => header[1] !== undefined)),
				body: sent,
			};
		});
}
