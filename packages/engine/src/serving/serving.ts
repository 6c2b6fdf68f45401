import { type DomainConfig, isUuidV4, ReelmillError, type VideoState, type Visibility } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { Playback, PlaybackTarget } from "../playback/index.ts";
import { type ByteRange, contentTypeOf } from "../ports/index.ts";
import { checkSize, readable, recordedBytes, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { folderOf, type StoredOutputs } from "../videos/index.ts";
import { createHotObjects, type HotObjects } from "./hot-objects.ts";
import { createLostFiles } from "./lost-files.ts";
import { createOpenedObjects } from "./opened-objects.ts";
import { bytesOfOpened, type ServedBytes } from "./served-bytes.ts";
import { isServed } from "./served-paths.ts";

/**
 * A file that may be sent. `size` in bytes; `etag` is a strong validator in its quotes (RFC 9110, section 8.8.3); an
 * empty `corsOrigins` means any.
 */
export type ServedFile = {
	readonly size: number;
	readonly etag: string;
	readonly contentType: string;
	readonly visibility: Visibility;
	readonly corsOrigins: readonly string[];
	/** False for what is played before its video is available: at the same path there will be another file. */
	readonly isFinal: boolean;
	read(range?: ByteRange): Promise<ServedBytes>;
};

export type Serving = {
	/**
	 * The file at `path` of a video, if this Authorization header opens it. Throws `invalid_path`;
	 * `playback_key_required` for a private or unknown video without a key, `playback_key_invalid` with a key that
	 * doesn't open it (an unknown video answers exactly as a private one does); `not_found` for a file that isn't there;
	 * `storage_backend_unsupported` where its storage gives no bytes. Changes of other servers are seen within 2 s.
	 */
	open(request: { videoId: string; path: string; authorization: string | null }): Promise<ServedFile>;
	/** Forgets what is remembered of a video that was just changed here. */
	forget(videoId: string): void;
	/** Forgets all videos: something was changed here that many of them hang on. */
	forgetAll(): void;
	/** For the sweeper: closes files that nobody has read for a while, so that those deleted elsewhere are gone. */
	closeIdle(): void;
	/** Deliveries out of memory and others, and the bytes kept there. */
	counts(): ReturnType<HotObjects["counts"]>;
	/** How often a file that a video has by its record wasn't in its storage. */
	lost(): number;
};

type Descriptor = {
	readonly id: string;
	readonly domain_id: string;
	readonly session_id: string | null;
	readonly state: VideoState;
	readonly visibility: Visibility;
	readonly outputs: StoredOutputs | null;
	readonly playable: Pick<StoredOutputs, "prefix" | "files" | "added"> | null;
	readonly storage_profile_id: string | null;
	readonly config: Partial<DomainConfig>;
	readonly playback_epoch: number;
	readonly playback_revoked_order: number;
};

const stalenessMilliseconds = 2000;
/** Well below the 1024 files that a process may have open where nobody raised it. */
const openedAtOnce = 256;

export function createServing(
	parts: Parts,
	{
		stores,
		playback,
		playableFirst,
		cacheBytes,
	}: {
		stores: Stores;
		playback: Playback;
		/** Whether what can be played of a video is served before it is available. */
		playableFirst: boolean;
		/** Of outputs that are asked for again and again, so many are kept in memory. */
		cacheBytes: number;
	},
): Serving {
	const { database, clock } = parts;
	const lost = createLostFiles(parts);
	const hotObjects = createHotObjects({ maxBytes: cacheBytes });
	const opened = createOpenedObjects({ clock, max: openedAtOnce });
	const cache = createBriefCache<Descriptor | null>({ clock, max: 10_000, milliseconds: stalenessMilliseconds });

	const playable = playableFirst
		? sql`(select j.playable from reelmill.jobs j where j.id = v.id and j.lock is not null and v.state = 'encoding')`
		: sql`null::jsonb`;
	const describe = (videoId: string): Promise<Descriptor | null> =>
		cache.get(videoId, async () => {
			const [row] = await database.query<Descriptor>(sql`
				select v.id, v.domain_id, v.session_id, v.state, v.visibility, v.outputs, ${playable} as playable, v.storage_profile_id, d.config, d.playback_epoch, d.playback_revoked_order
				from reelmill.videos v join reelmill.domains d on d.id = v.domain_id where v.id = ${videoId} and v.kind = 'video' and v.deleted_at is null and d.deleted_at is null`);
			return row ?? null;
		});

	const readPart = async (found: Descriptor, key: string, range: ByteRange, size: number): Promise<ServedBytes> => {
		const { outputs } = await stores.of(found.storage_profile_id);
		const length = range.end - range.start + 1;
		if (outputs.open === undefined || length === 0) {
			const object = await outputs.get(key, length === 0 ? undefined : range);
			if (object === null) throw lost.meet(found.id, key);
			return recordedBytes(object, size, length);
		}
		const take = async () => {
			const taken = await opened.take(`${found.id} ${key}`, async () => (await outputs.open?.(key)) ?? null);
			if (taken === null) throw lost.meet(found.id, key);
			return taken;
		};
		// That it is there is known before an answer begins; an answer that nobody reads holds nothing.
		const { object, release } = await take();
		release();
		checkSize(object.size, size);
		return bytesOfOpened(take, range.start, length, object.descriptor !== undefined);
	};

	const makeFile = (found: Descriptor, path: string): ServedFile | null => {
		const contentType = isServed(path) ? contentTypeOf(path) : null;
		const isFinal = found.state === "available";
		const made = isFinal ? found.outputs : found.playable;
		if (!made || !Object.hasOwn(made.files, path) || contentType === null) return null;
		const folder = folderOf(made, path);
		const size = made.files[path] as number;
		return {
			size,
			contentType,
			visibility: found.visibility,
			corsOrigins: found.config.cors_origins ?? [],
			isFinal,
			etag: etagOf(folder, path),
			async read(range) {
				const part = range ?? { start: 0, end: size - 1 };
				return hotObjects.get(`${folder}${path} ${part.start}-${part.end}`, part.end - part.start + 1, () =>
					readPart(found, folder + path, part, size),
				);
			},
		};
	};
	const gives = new WeakMap<Descriptor, Promise<unknown>>();
	/**
	 * Whether the file can be sent at all, known before an answer begins, to HEAD as well. What keeps the storage from
	 * being opened now shows when it is read.
	 */
	const checkReadable = (found: Descriptor): Promise<unknown> => {
		const known = gives.get(found);
		if (known !== undefined) return known;
		const asked = stores.of(found.storage_profile_id).then(
			({ outputs }) => readable(outputs),
			() => undefined,
		);
		gives.set(found, asked);
		return asked;
	};
	/** Made once for as long as what is known of the video is remembered. */
	const files = new WeakMap<Descriptor, Map<string, ServedFile>>();
	const fileOf = (found: Descriptor, path: string): ServedFile | null => {
		let known = files.get(found);
		if (known === undefined) {
			known = new Map();
			files.set(found, known);
		}
		const made = known.get(path);
		if (made !== undefined) return made;
		const file = makeFile(found, path);
		if (file !== null) known.set(path, file);
		return file;
	};

	return {
		forget(videoId) {
			cache.forget(videoId);
			opened.forget(`${videoId} `);
		},
		forgetAll() {
			cache.forgetAll();
			opened.forget("");
		},
		closeIdle: opened.closeIdle,
		counts: hotObjects.counts,
		lost: lost.count,
		async open({ videoId, path, authorization }) {
			checkPath(videoId, path);
			const found = await describe(videoId);
			if (found?.visibility !== "public") {
				if (authorization === null) throw new ReelmillError("playback_key_required");
				if (found === null || !(await playback.opens(authorization, targetOf(found))))
					throw new ReelmillError("playback_key_invalid");
			}
			const file = found && fileOf(found, path);
			if (!file) throw missing();
			await checkReadable(found);
			return file;
		},
	};
}

const missing = () => new ReelmillError("not_found", { message: "The video has no such file." });
const targetOf = (found: Descriptor): PlaybackTarget => ({
	id: found.id,
	domainId: found.domain_id,
	sessionId: found.session_id,
	epoch: found.playback_epoch,
	revokedOrder: found.playback_revoked_order,
});

/**
 * A folder of outputs is written once, so its own name, that of an attempt or of an archive, and the path name the
 * bytes.
 */
const etagOf = (prefix: string, path: string): string =>
	`"${prefix.split("/").at(-2)}-${Buffer.from(path).toString("base64url")}"`;

function checkPath(videoId: string, path: string): void {
	const wellFormed =
		isUuidV4(videoId) &&
		path.length <= 512 &&
		/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(path);
	if (!wellFormed) throw new ReelmillError("invalid_path");
}
