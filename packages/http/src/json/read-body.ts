import { limits, ReelmillError } from "@reelmill/contracts";

const nul = "\u0000";
/** A body that gives no length and is a little too large is read to its end, so that its sender can hear the answer. */
const patience = 16;

/**
 * The request's JSON body. Throws `bad_request`: for another content type, malformed JSON or UTF-8, text with NUL or half a surrogate pair in it (which no text column holds),
 * with status 413 above 64 KiB, and with status 408 when the body stops coming for `idleMilliseconds`.
 */
export async function readJsonBody(request: Request, idleMilliseconds: number): Promise<unknown> {
	const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
	if (type !== "application/json") throw new ReelmillError("bad_request", { message: "The content type must be application/json." });
	if (Number(request.headers.get("content-length") ?? 0) > limits.jsonBodyBytes) throw tooLarge();
	const bytes = await readBytes(request, idleMilliseconds);
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), (key, value: unknown) => {
			if (!isStorable(key) || (typeof value === "string" && !isStorable(value))) throw new SyntaxError("NUL or half a surrogate pair");
			return value;
		});
	} catch (error) {
		throw new ReelmillError("bad_request", { message: "The body is not well-formed JSON.", cause: error });
	}
}

const isStorable = (text: string): boolean => !text.includes(nul) && text.isWellFormed();

async function readBytes(request: Request, idleMilliseconds: number): Promise<Uint8Array> {
	const reader = request.body?.getReader();
	const chunks: Uint8Array[] = [];
	let size = 0;
	while (reader) {
		const chunk = await withDeadline(reader.read(), idleMilliseconds);
		if (chunk.done) break;
		size += chunk.value.byteLength;
		if (size <= limits.jsonBodyBytes) chunks.push(chunk.value);
		else if (size > patience * limits.jsonBodyBytes) break;
	}
	if (size > limits.jsonBodyBytes) throw tooLarge();
	return Buffer.concat(chunks);
}

async function withDeadline<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const deadline = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new ReelmillError("bad_request", { status: 408, message: "The body stopped coming." })), milliseconds);
	});
	try {
		return await Promise.race([promise, deadline]);
	} finally {
		clearTimeout(timer);
	}
}

const tooLarge = () => new ReelmillError("bad_request", { status: 413, message: `A JSON body has at most ${limits.jsonBodyBytes} bytes.` });
