import type { Readable } from "node:stream";
import { type CallInput, type Client, contentTypeOf } from "@reelmill/client";
import type { CreatedOutro, CreatedVideo, Outro, UploadTicket, Video } from "@reelmill/contracts";

/** A file's path, a Blob or File, or any readable stream. */
export type UploadSource = string | Blob | Readable;

type Declaration = { content_type: string; file_size: number };
type Told<Input extends Declaration> = Omit<Input, keyof Declaration> & Partial<Declaration>;
/**
 * The input of `create`, without what the source tells: the size of a file or Blob, and the type of a Blob or of a file
 * with a known ending.
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
	/** Bytes of one request (default: 16777216). Of a stream, so many are held in memory. */
	chunkSize?: number;
	/** How many consecutive attempts may fail without progress before the upload gives up (default: 12, about 90 s). */
	retries?: number;
};

type Call = { signal?: AbortSignal | undefined };
const callOf = ({ signal }: Call): { signal?: AbortSignal } => (signal ? { signal } : {});

/** Calls `create` with the source's size and type, and sends the bytes to the ticket that it returns. */
async function send<Created extends { readonly upload: UploadTicket }>(
	source: UploadSource,
	declared: Partial<Declaration>,
	{ signal, onProgress, onCreated, onUploadUrl, resume, chunkSize, retries }: UploadOptions<Created>,
	create: (declaration: Declaration, call: { signal?: AbortSignal }) => Promise<Created>,
): Promise<Created> {
	// If the file changes meanwhile, a Blob rejects; the error of a stream would end the process.
	const opened = typeof source === "string" ? await openFile(source) : source;
	const file_size = declared.file_size ?? (opened instanceof Blob ? opened.size : undefined);
	const content_type = declared.content_type ?? typeOf(source);
	if (file_size === undefined) throw new TypeError("A stream does not tell its size: pass file_size.");
	if (content_type === undefined)
		throw new TypeError("The source does not tell its type: pass content_type, for example video/mp4.");

	// A back end that sends no bytes itself loads nothing of the transfer.
	const { refuseOtherFiles, transfer } = await import("@reelmill/client/transfer");
	if (resume === undefined && opened instanceof Blob) await refuseOtherFiles(opened);
	const created = resume?.created ?? (await create({ content_type, file_size }, callOf({ signal })));
	if (resume === undefined) onCreated?.(created);
	await transfer({
		source: opened,
		size: file_size,
		ticket: created.upload,
		uploadUrl: resume?.uploadUrl,
		onCreated: onUploadUrl,
		chunkSize,
		retries,
		signal,
		onProgress: (bytesSent) => onProgress?.({ bytesSent, bytesTotal: file_size }),
	});
	return created;
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
	const { video } = await send(source, input, options, (declaration, call) =>
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
	const { outro } = await send(source, input, options, (declaration, call) =>
		client.call("createOutro", { body: { ...input, ...declaration } }, call),
	);
	const uploaded = await client.call("getOutro", { params: { slug: input.slug } }, callOf(options));
	if (uploaded.id === outro.id && uploaded.state === "uploading") throw lost("outro", outro.id, uploaded.state);
	return uploaded;
}

/** Asks the platform for files by name: an import would keep the package from platforms that have none. */
function openFile(path: string): Promise<Blob> {
	const files = globalThis.process?.getBuiltinModule?.("node:fs");
	if (!files?.openAsBlob) throw new TypeError("This platform opens no files: pass a Blob in place of a path.");
	return files.openAsBlob(path);
}

function typeOf(source: UploadSource): string | undefined {
	if (typeof source === "string") return contentTypeOf(source);
	return source instanceof Blob && source.type !== "" ? source.type : undefined;
}
