import type { Readable } from "node:stream";
import type { Engine, UploadPrincipal, UploadStatus } from "@reelmill/engine";
import { DataStore, Upload } from "@tus/utils";

/** @tus/server's view of the one upload that a request's token is for. Made anew for each request. */
export class EngineDataStore extends DataStore {
	readonly #uploads: Engine["uploads"];
	readonly #principal: UploadPrincipal;
	readonly #signal: AbortSignal;
	/** Where the upload stood when it was last asked for; undefined before. */
	status: UploadStatus | undefined;

	constructor(uploads: Engine["uploads"], principal: UploadPrincipal, signal: AbortSignal) {
		super();
		this.#uploads = uploads;
		this.#principal = principal;
		this.#signal = signal;
		this.extensions = ["creation", "creation-with-upload", "expiration", "termination"];
	}

	/**
	 * A deferred length must reach `create`, whose refusal has a code. Expiration is the engine's: @tus/server would ask for the state again
	 * after the last byte, when there is no pending upload any more, and would judge by its own clock.
	 */
	override hasExtension(name: string): boolean {
		return name === "creation-defer-length" || (name !== "expiration" && super.hasExtension(name));
	}

	override async create(upload: Upload): Promise<Upload> {
		this.status = await this.#uploads.create(this.#principal, { videoId: upload.metadata?.["video_id"] ?? undefined, length: upload.size ?? null });
		return upload;
	}

	override async getUpload(id: string): Promise<Upload> {
		this.status = await this.#uploads.status(this.#principal, id);
		return new Upload({ id, size: this.status.length, offset: this.status.offset, metadata: { video_id: id } });
	}

	/** A creation repeated with its first chunk, of which bytes were kept: they are read past, for they are there already. */
	override async write(stream: Readable, id: string, offset: number): Promise<number> {
		const kept = this.status?.offset ?? 0;
		if (offset === kept) return this.#uploads.append(this.#principal, id, offset, stream, this.#signal);
		for await (const _ of stream);
		return kept;
	}

	override async remove(id: string): Promise<void> {
		await this.#uploads.terminate(this.#principal, id);
	}
}
