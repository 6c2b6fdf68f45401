import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";

/** So many entries a page of a list has at most. */
export const pageEntries = 200;
/** A page of so many entries has less, with keys of eight hundred characters among them. */
const mostBytes = 256 * 1024;
/** What an error says is short. */
const mostErrorBytes = 64 * 1024;
/** Between two marks: no key and no token is longer. */
const longestText = 16 * 1024;
/** `<`, `=` and `&`: what makes an answer's reading long. Forty for each entry. */
const mostMarks = 40 * pageEntries;

const [lessThan, equals, ampersand, exclamation] = Buffer.from("<=&!");

/** An answer that isn't read to its end. {@link storageError} knows it by its code. */
const unreadable = (message: string): Error => Object.assign(new Error(message), { code: "UNREADABLE_ANSWER" });

type Args = { readonly request: unknown };
type Result = { readonly response: unknown };
type Answer = { readonly statusCode: number; body: unknown };

/**
 * Bounds what the SDK reads of every answer but an object's bytes: it holds all of it in memory, and its reader takes
 * the longer for a character the more there are where it meets `<!DOCTYPE`, which no S3 server writes. An answer that
 * passes the bounds is an error; of one that is an error already, nothing but the status counts then.
 */
export function capAnswers(client: S3Client): S3Client {
	client.middlewareStack.add(
		(next, { commandName }) =>
			async (args: Args) => {
				const result: Result = await next(args as never);
				const answer = result.response as Answer;
				const isError = answer.statusCode >= 300;
				const { body } = answer;
				if (!(body instanceof Readable) || (commandName === "GetObjectCommand" && !isError)) return result as never;
				answer.body = Readable.from(isError ? orNothing(bounded(body, mostErrorBytes)) : bounded(body, mostBytes));
				return result as never;
			},
		{ step: "deserialize", priority: "low", name: "capAnswers" },
	);
	return client;
}

/** Leaving it, and passing its bounds, ends the connection. */
async function* bounded(body: Readable, most: number): AsyncGenerator<Uint8Array> {
	let bytes = 0;
	let marks = 0;
	let text = 0;
	let before: number | undefined;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		bytes += chunk.length;
		if (bytes > most) throw unreadable(`The answer has more than ${most} bytes`);
		for (const byte of chunk) {
			if (byte === exclamation && before === lessThan) throw unreadable("The answer has a declaration");
			before = byte;
			text += 1;
			if (text > longestText) throw unreadable(`The answer has a text of more than ${longestText} bytes`);
			if (byte !== lessThan && byte !== equals && byte !== ampersand) continue;
			marks += 1;
			text = 0;
		}
		if (marks > mostMarks) throw unreadable(`The answer has more than ${mostMarks} marks`);
		yield chunk;
	}
}

async function* orNothing(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	const all = await Array.fromAsync(bytes).catch(() => []);
	yield* all;
}
