import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";

/** The most entries that a page of a list has. */
export const pageEntries = 200;
/** A page of that many entries is shorter than this, even with keys of eight hundred characters. */
const mostBytes = 256 * 1024;
/** Error documents are short. */
const mostErrorBytes = 64 * 1024;
/** The longest text between two marks: no key and no token is longer. */
const longestText = 16 * 1024;
/** The most `<`, `=` and `&` in an answer, 40 for each entry: these make XML slow to parse. */
const mostMarks = 40 * pageEntries;

const [lessThan, equals, ampersand, exclamation] = Buffer.from("<=&!");

/** Makes the error for an answer that isn't read to its end. {@link storageError} knows it by its code. */
const unreadable = (message: string): Error => Object.assign(new Error(message), { code: "UNREADABLE_ANSWER" });

type Args = { readonly request: unknown };
type Result = { readonly response: unknown };
type Answer = { readonly statusCode: number; body: unknown };

/**
 * Bounds what the SDK reads of every answer except an object's bytes. The SDK holds the whole answer in memory, and
 * `<!DOCTYPE`, which no S3 server writes, makes its parser slower with each character. An answer that exceeds the
 * bounds is an error. Of an error document that exceeds them, only the status counts.
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

/** Ends the connection when its reader leaves or a bound is exceeded. */
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
