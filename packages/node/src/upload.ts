import { type CallInput, type Client, ConnectionError, isReelmillError, obstacleOf } from "@reelmill/client";
import type { CreatedOutro, CreatedVideo, Outro, UploadTicket, Video } from "@reelmill/contracts";
import { openSource, typeOf, type UploadSource } from "./upload-source.ts";

type Declaration = { content_type: string; file_size: number };
type Told<Input extends Declaration> = Omit<Input, keyof Declaration> & Partial<Declaration>;
/**
 * The input of `create`, without what the source tells: the size, and the type of a Blob or of a file with a known
 * ending. A stream tells neither; without `file_size` it is first written to a temporary file.
 */
export type UploadInput = Told<CallInput<"createVideo">["body"]>;
/** The same input for an outro. */
export type OutroUploadInput = Told<CallInput<"createOutro">["body"]>;

/** What may be said with an upload from a back end. */
export type UploadOptions<Created = CreatedVideo> = {
	/** Stops the upload. The promise rejects with the signal's reason. */
	signal?: AbortSignal;
	/** Called with the bytes that were sent. The number falls if some were lost and are sent again. */
	onProgress?: (progress: { bytesSent: number; bytesTotal: number }) => void;
	/** Called when the video or outro exists, before its bytes are sent. */
	onCreated?: (created: Created) => void;
	/** Called with the upload's own address, once it is known. With it `resume` continues where the service is. */
	onUploadUrl?: (uploadUrl: string) => void;
	/**
	 * An upload that an earlier call began: what its `onCreated` and its `onUploadUrl` told. The bytes go there, and
	 * nothing is created. The source must be the same file.
	 */
	resume?: { created: Created; uploadUrl?: string | undefined };
	/**
	 * Whether a video or outro stays, for `resume`, if its upload is aborted or fails for good (default: false, it is
	 * cancelled). It always stays if another try can help, as when the service can't be reached.
	 */
	keep?: boolean;
	/** How many bytes a stream without `file_size` may have (default: what the service allows, by `limits.get`). */
	maxBytes?: number;
	/** Bytes of one request (default: 16777216). Of a stream, so many are held in memory. */
	chunkSize?: number;
	/** How many consecutive attempts may fail without progress before the upload gives up (default: 12, about 90 s). */
	retries?: number;
};

type Call = { signal?: AbortSignal | undefined };
const callOf = ({ signal }: Call): { signal?: AbortSignal } => (signal ? { signal } : {});

/**
 * Calls `create` with the source's size and type, and sends the bytes to the ticket that it returns. Whatever was kept
 * of the source is removed in the end.
 */
async function send<Created extends { readonly upload: UploadTicket }>(
	client: Client,
	source: UploadSource,
	declared: Partial<Declaration>,
	options: UploadOptions<Created>,
	create: (declaration: Declaration, call: { signal?: AbortSignal }) => Promise<Created>,
): Promise<Created> {
	const { signal, maxBytes } = options;
	signal?.throwIfAborted();
	const content_type = declared.content_type ?? typeOf(source);
	if (content_type === undefined)
		throw new TypeError("The source does not tell its type: pass content_type, for example video/mp4.");
	const mostBytes = async () => maxBytes ?? (await client.call("getLimits", {}, callOf(options))).max_file_bytes;
	const { bytes, release } = await openSource(source, declared.file_size !== undefined, mostBytes, signal);
	try {
		const file_size = declared.file_size ?? (bytes as Blob).size;
		return await sendOpened(bytes, { content_type, file_size }, options, create);
	} finally {
		await release?.();
	}
}

async function sendOpened<Created extends { readonly upload: UploadTicket }>(
	source: Blob | AsyncIterable<Uint8Array>,
	declaration: Declaration,
	options: UploadOptions<Created>,
	create: (declaration: Declaration, call: { signal?: AbortSignal }) => Promise<Created>,
): Promise<Created> {
	const { signal, onProgress, onCreated, onUploadUrl, resume, keep = false, chunkSize, retries } = options;
	const size = declaration.file_size;
	// A back end that sends no bytes itself loads nothing of the transfer.
	const { refuseOtherFiles, terminateTransfer, transfer } = await import("@reelmill/client/transfer");
	if (resume === undefined && source instanceof Blob) await refuseOtherFiles(source);
	const created = resume?.created ?? (await create(declaration, callOf({ signal: signal && later(signal) })));
	const { upload: ticket } = created;
	try {
		if (resume === undefined) onCreated?.(created);
		await transfer({
			source,
			size,
			ticket,
			uploadUrl: resume?.uploadUrl,
			onCreated: onUploadUrl,
			chunkSize,
			retries,
			signal,
			onProgress: (bytesSent) => onProgress?.({ bytesSent, bytesTotal: size }),
		});
	} catch (error) {
		// If the service can't be reached now, the upload expires.
		if (resume === undefined && !keep && isFinal(error))
			await terminateTransfer(`${ticket.endpoint}/${ticket.metadata.video_id}`, ticket.token).catch(() => {});
		throw error;
	}
	return created;
}

/** Follows another signal after five seconds: an answer that comes until then tells what is to be cancelled. */
function later(signal: AbortSignal): AbortSignal {
	const controller = new AbortController();
	const abort = () => controller.abort(signal.reason);
	signal.addEventListener("abort", () => AbortSignal.timeout(5000).addEventListener("abort", abort), { once: true });
	return controller.signal;
}

/** Tells whether no other try with the same upload can help: it was aborted, its source failed, or it was refused. */
function isFinal(error: unknown): boolean {
	if (!isReelmillError(error)) return !(error instanceof ConnectionError);
	if (error.rawCode === undefined) return obstacleOf(error.status) === "size";
	return error.status < 500 && error.code !== "rate_limited";
}

/** Makes the error for acknowledged bytes that a failover or a restore has lost. */
function lost(kind: "video" | "outro", id: string, state: string): Error {
	return new Error(
		`The service acknowledged every byte of ${kind} ${id}, but has them no more: the ${kind} is in state ${state}. Upload it again.`,
	);
}

/** Creates a video and sends its bytes: see `Videos.upload`. */
export async function upload(
	client: Client,
	source: UploadSource,
	input: UploadInput,
	options: UploadOptions,
): Promise<Video> {
	const { video } = await send(client, source, input, options, (declaration, call) =>
		client.call("createVideo", { body: { ...input, ...declaration } }, call),
	);
	const uploaded = await client.call("getVideo", { params: { id: video.id } }, callOf(options));
	if (uploaded.uploaded_at === null) throw lost("video", video.id, uploaded.state);
	return uploaded;
}

/** Creates an outro and sends its bytes: see `Outros.upload`. */
export async function uploadOutro(
	client: Client,
	source: UploadSource,
	input: OutroUploadInput,
	options: UploadOptions<CreatedOutro>,
): Promise<Outro> {
	const { outro } = await send(client, source, input, options, (declaration, call) =>
		client.call("createOutro", { body: { ...input, ...declaration } }, call),
	);
	const uploaded = await client.call("getOutro", { params: { slug: input.slug } }, callOf(options));
	if (uploaded.id === outro.id && uploaded.state === "uploading") throw lost("outro", outro.id, uploaded.state);
	return uploaded;
}
