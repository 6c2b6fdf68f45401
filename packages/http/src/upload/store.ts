import type { Readable } from "node:stream";
import { canonicalId, ReelmillError } from "@reelmill/contracts";
import type { Engine, UploadPrincipal, UploadStatus } from "@reelmill/engine";
import { DataStore, Upload } from "@tus/utils";
import { freeChunk } from "../node/body.ts";

export type RequestBody = { readonly bytes: AsyncIterable<Uint8Array>; readonly isMeasured: boolean };

/** The one upload that a request's token is for, as @tus/server sees it. Each request has its own. */
export class EngineDataStore extends DataStore {
	readonly #uploads: Engine["uploads"];
	readonly #principal: UploadPrincipal;
	readonly #body: AsyncIterable<Uint8Array>;
	readonly #isMeasured: boolean;
	/** The upload's status when it was last looked up; undefined before. */
	status: UploadStatus | undefined;

	/**
	 * `isMeasured` means that the body has a Content-Length; then @tus/server refuses a body that is too long. If the
	 * body does not arrive whole, its bytes end early in good order, and what arrived is kept.
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
	 * Claims deferred lengths, so that they reach `create`, which refuses them with a code of the contract. Denies
	 * expiration, because that is the engine's: @tus/server would look up the upload after its last byte, when it is no
	 * longer pending, and would judge by its own clock.
	 */
	override hasExtension(name: string): boolean {
		return name === "creation-defer-length" || (name !== "expiration" && super.hasExtension(name));
	}

	override async create(upload: Upload): Promise<Upload> {
		const videoId = upload.metadata?.["video_id"];
		this.status = await this.#uploads.create(this.#principal, {
			videoId: typeof videoId === "string" ? canonicalId(videoId) : undefined,
			length: upload.size ?? null,
		});
		return upload;
	}

	override async getUpload(id: string): Promise<Upload> {
		this.status = await this.#uploads.status(this.#principal, id);
		return new Upload({ id, size: this.status.length, offset: this.status.offset, metadata: { video_id: id } });
	}

	/**
	 * Reads the request's own body and not the stream of @tus/server, which was given no body: the five streams that it
	 * puts in between cost more than everything else. If a client repeats a creation with its first chunk, the chunk is
	 * read but not stored again.
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
			...(this.status !== undefined && { found: this.status }),
		});
		if (isOver) throw new ReelmillError("size_mismatch", { message: "More bytes were sent than file_size declared." });
		return reached;
	}

	override async remove(id: string): Promise<void> {
		await this.#uploads.terminate(this.#principal, id);
	}
}

/** Yields chunks until one would exceed `room` bytes; calls `onOver` in place of that one. */
async function* upTo(bytes: AsyncIterable<Uint8Array>, room: number, onOver: () => void): AsyncGenerator<Uint8Array> {
	let left = room;
	for await (const chunk of bytes) {
		left -= chunk.length;
		if (left < 0) return onOver();
		yield chunk;
	}
}
