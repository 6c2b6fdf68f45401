import type { Readable } from "node:stream";
import { ReelmillError } from "@reelmill/contracts";
import type { Engine, UploadPrincipal, UploadStatus } from "@reelmill/engine";
import { DataStore, Upload } from "@tus/utils";
import { freeChunk } from "../node/body.ts";

export type RequestBody = { readonly bytes: AsyncIterable<Uint8Array>; readonly isMeasured: boolean };

/** @tus/server's view of the one upload that a request's token is for. Made anew for each request. */
export class EngineDataStore extends DataStore {
	readonly #uploads: Engine["uploads"];
	readonly #principal: UploadPrincipal;
	readonly #body: AsyncIterable<Uint8Array>;
	readonly #isMeasured: boolean;
	/** Where the upload stood when it was last asked for; undefined before. */
	status: UploadStatus | undefined;

	/**
	 * `isMeasured` says that the body has a Content-Length, by which @tus/server refuses one that is too long. It ends
	 * early, in good order, where it doesn't come whole: what had come is kept.
	 */
	constructor(uploads: Engine["uploads"], principal: UploadPrincipal, body: RequestBody) {
		super();
		this.#uploads = uploads;
		this.#principal = principal;
		this.#body = body.bytes;
		this.#isMeasured = body.isMeasured;
		this.extensions = ["creation", "creation-with-upload", "expiration", "termination"];
	}

	/**
	 * A deferred length must reach `create`, whose refusal has a code. Expiration is the engine's: @tus/server would ask
	 * for the state again after the last byte, when there is no pending upload any more, and would judge by its own
	 * clock.
	 */
	override hasExtension(name: string): boolean {
		return name === "creation-defer-length" || (name !== "expiration" && super.hasExtension(name));
	}

	override async create(upload: Upload): Promise<Upload> {
		this.status = await this.#uploads.create(this.#principal, {
			videoId: upload.metadata?.["video_id"] ?? undefined,
			length: upload.size ?? null,
		});
		return upload;
	}

	override async getUpload(id: string): Promise<Upload> {
		this.status = await this.#uploads.status(this.#principal, id);
		return new Upload({ id, size: this.status.length, offset: this.status.offset, metadata: { video_id: id } });
	}

	/**
	 * The request's own body is read, not the stream that @tus/server hands over: it was given none, because the five
	 * streams that it puts in between cost more than all the rest. A creation repeated with its first chunk, of which
	 * bytes were kept: they are read past, for they are there already.
	 */
	override async write(_: Readable, id: string, offset: number): Promise<number> {
		const kept = this.status?.offset ?? 0;
		if (offset !== kept) {
			for await (const _ of this.#body);
			return kept;
		}
		let isOver = false;
		const room = (this.status?.length ?? 0) - offset;
		const within = upTo(this.#body, room, () => {
			isOver = true;
		});
		const reached = await this.#uploads.append(this.#principal, id, offset, this.#isMeasured ? this.#body : within, {
			release: freeChunk,
		});
		if (isOver) throw new ReelmillError("size_mismatch", { message: "More bytes were sent than file_size declared." });
		return reached;
	}

	override async remove(id: string): Promise<void> {
		await this.#uploads.terminate(this.#principal, id);
	}
}

/** Ends before the chunk that would pass `room`. */
async function* upTo(bytes: AsyncIterable<Uint8Array>, room: number, onOver: () => void): AsyncGenerator<Uint8Array> {
	let left = room;
	for await (const chunk of bytes) {
		left -= chunk.length;
		if (left < 0) return onOver();
		yield chunk;
	}
}
