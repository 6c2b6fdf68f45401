import { ReelmillError } from "@reelmill/client";
import type { PageCall } from "@reelmill/contracts";

/** Larger bodies are refused and not read. A call has some hundred bytes. */
const largestBody = 64 * 1024;

/**
 * Reads what a page asks. The values of an upload are left to the service, which knows their bounds.
 * @throws {ReelmillError} `bad_request` when the body is no JSON of a page's or larger than 64 KiB, `validation_error`
 * when it asks for nothing known
 */
export async function readCall(request: Request): Promise<PageCall> {
	// Any site's form can send the other types without asking the browser for leave.
	if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get("content-type") ?? ""))
		throw new ReelmillError("bad_request", { status: 415, message: "The body must be application/json." });
	return asCall(parsed(await readText(request)));
}

async function readText({ body }: Request): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	let size = 0;
	const reader = body?.getReader();
	for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
		size += read.value.byteLength;
		if (size > largestBody) {
			await reader?.cancel();
			throw new ReelmillError("bad_request", {
				status: 413,
				message: `The body is larger than ${largestBody} bytes.`,
			});
		}
		text += decoder.decode(read.value, { stream: true });
	}
	return text + decoder.decode();
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new ReelmillError("bad_request", { message: "The body is not JSON." });
	}
}

function asCall(value: unknown): PageCall {
	const call = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
	const { action, video_id, file_name, fingerprint, kept = [], call: name } = call;
	const isText = (text: unknown) => text === undefined || typeof text === "string";
	const isName = (id: unknown) => typeof id === "string" && isId.test(id);
	const isNamed = (name === undefined || isName(name)) && Array.isArray(kept) && kept.length <= 5 && kept.every(isName);
	if (
		action === "upload" &&
		isNamed &&
		isText(file_name) &&
		(fingerprint === undefined || (typeof fingerprint === "string" && fingerprint.length <= 255))
	)
		return { ...call, ...(typeof file_name === "string" && { file_name: storable(file_name) }) } as PageCall;
	if ((action === "video" || action === "playback_key") && isName(video_id)) return call as PageCall;
	throw new ReelmillError("validation_error", {
		message:
			"The body asks for nothing that is known here. Is the page's @reelmill/browser newer than the back end's SDK?",
	});
}

/** What the service takes as a reference: at most 255 characters, and no half of one. */
const storable = (name: string): string => name.replaceAll("\0", "").slice(0, 255).toWellFormed();

/** What leads to no other route of the service. The service says whether there is such a video. */
const isId = /^[\w-]{1,64}$/;
