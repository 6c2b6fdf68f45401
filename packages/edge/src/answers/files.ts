import type { EdgeCache } from "../cache/cache.ts";
import { parseRange } from "../headers/conditional.ts";
import { headersToKeep } from "../headers/forwarded.ts";
import { digestOf } from "../knowledge/base64url.ts";
import { type DomainKnowledge, isSettled } from "../knowledge/domain-knowledge.ts";
import type { Knowledge } from "../knowledge/follow.ts";
import type { EdgeRequest, Origin } from "../request.ts";
import { blockBytes, parseContentRange, rangeOfBlock, readExactly } from "./blocks.ts";
import { audienceOf, confirmed, type File, fileOf, isCurrent, keptSeconds } from "./file.ts";

/** For whom a file is looked up. */
export type Audience = {
	/** Of which scope the viewer's key is verified; null for anybody. */
	readonly scope: string | null;
	readonly path: string;
	readonly digest: string;
	/** The key that the service is asked with; null for anybody. */
	readonly authorization: string | null;
};

/** A file that may be given out, and how its blocks are had. */
export type FoundFile = {
	readonly kind: "file";
	readonly file: File;
	/** Whether the service's word is young enough; otherwise the service is asked whether the file is still this one. */
	readonly isFresh: boolean;
	/** Whether it was kept before this request. */
	readonly isKept: boolean;
	/** A block that has come with the service's word. */
	readonly block: { readonly index: number; readonly bytes: Uint8Array } | null;
	readonly audience: Audience;
};

/**
 * What the service says: a file, a refusal, or something that only the viewer's own request can be answered with.
 * `isUnkept` says that nothing of the file may be kept now, whichever part is asked for.
 */
export type Asked =
	| FoundFile
	| { readonly kind: "refusal"; readonly answer: Response }
	| { readonly kind: "other"; readonly isUnkept: boolean };

export type Files = {
	/** Returns what is kept for this audience; null if nothing is, or if the video has changed since. */
	find(audience: Audience, request: EdgeRequest, knowledge: Knowledge): Promise<FoundFile | null>;
	/**
	 * Asks the service for the file, and for the block where the request begins. What it says is kept if it may be.
	 * `before` is what was kept so far.
	 */
	ask(audience: Audience, request: EdgeRequest, knowledge: Knowledge, before: FoundFile | null): Promise<Asked>;
	/**
	 * Returns a block of a file.
	 *
	 * @throws {TypeError} when the service says that the file is another one by now, or refuses it.
	 */
	block(found: FoundFile, request: EdgeRequest, index: number): Promise<Uint8Array>;
};

export function createFiles({
	cache,
	origin,
	monotonic,
	now,
	shared,
	domains,
}: {
	readonly cache: EdgeCache;
	readonly origin: Origin;
	readonly monotonic: () => number;
	readonly now: () => number;
	readonly shared: boolean;
	readonly domains: readonly string[];
}): Files {
	const named = Promise.all(domains.map(async (id) => [await digestOf(id), id] as const)).then(
		(entries) => new Map(entries),
	);
	const blocksUnderWay = new Map<string, Promise<Uint8Array>>();
	const filesUnderWay = new Map<string, Promise<Asked>>();
	const keep = (key: string, about: string, bytes: Uint8Array): Promise<void> =>
		cache.set(key, { about, bytes }, keptSeconds).catch(() => undefined);
	const recall = (key: string) => cache.get(key).catch(() => undefined);
	const none = new Uint8Array();

	async function findIn(
		audience: Audience,
		request: EdgeRequest,
		knowledge: Knowledge,
		scope: string | null,
	): Promise<FoundFile | null> {
		const found = await recall(fileKey(scope, audience.path, request));
		if (found === undefined) return null;
		const file = JSON.parse(found.about) as File;
		if (file.isPublic !== (scope === null) || !isCurrent(file, audience.digest, knowledge, monotonic())) return null;
		return { kind: "file", file, isFresh: file.freshUntil > now(), isKept: true, block: null, audience };
	}

	/** The domain that an answer is of, if this edge follows it. */
	async function domainOf(
		{ headers }: Response,
		audience: Audience,
		isPublic: boolean,
		knowledge: Knowledge,
	): Promise<DomainKnowledge | undefined> {
		const said = headers.get("reelmill-domain");
		const id = said === null ? undefined : (await named).get(said);
		if (isPublic) return id === undefined ? undefined : knowledge.domains.get(id);
		const verified = audience.scope?.split("/")[0];
		if (verified === undefined || (said !== null && id !== verified)) return undefined;
		return knowledge.domains.get(verified);
	}

	async function fetchBlock(found: FoundFile, request: EdgeRequest, index: number): Promise<Uint8Array> {
		const { file, audience } = found;
		const range = rangeOfBlock(index, file.size);
		const headers = keyedHeaders(request, file.isPublic ? null : audience.authorization);
		headers.set("range", `bytes=${range.start}-${range.end}`);
		headers.set("if-range", file.etag);
		const answer = await origin({ method: "GET", target: audience.path, headers });
		const part = parseContentRange(answer.headers.get("content-range"));
		const isThatPart =
			answer.status === 206 &&
			answer.headers.get("etag") === file.etag &&
			part?.start === range.start &&
			part.end === range.end &&
			part.size === file.size &&
			audienceOf(answer.headers) === (file.isPublic ? "public" : "private");
		if (!isThatPart) {
			await answer.body?.cancel();
			throw new TypeError(`A part of a file was answered with ${answer.status}.`);
		}
		const bytes = await readExactly(answer, range.end - range.start + 1);
		await keep(blockKey(found, index), "", bytes);
		return bytes;
	}

	async function ask(
		audience: Audience,
		request: EdgeRequest,
		knowledge: Knowledge,
		before: FoundFile | null,
	): Promise<Asked> {
		const index = before === null ? firstBlockOf(request) : 0;
		const headers = keyedHeaders(request, audience.authorization);
		const { start, end } = rangeOfBlock(index, Number.MAX_SAFE_INTEGER);
		headers.set("range", `bytes=${start}-${end}`);
		if (before !== null) headers.set("if-none-match", before.file.etag);
		const askedAt = monotonic();
		const answer = await origin({ method: "GET", target: audience.path, headers });
		if (answer.status >= 400 && answer.status !== 416) return { kind: "refusal", answer };
		const said = audienceOf(answer.headers);
		const isPublic = said === "public";
		const known = said === null ? undefined : await domainOf(answer, audience, isPublic, knowledge);
		const mayKeep = known !== undefined && isSettled(known, "videos", audience.digest, askedAt);
		const confirms =
			answer.status === 304 &&
			before !== null &&
			before.file.isPublic === isPublic &&
			answer.headers.get("etag") === before.file.etag;
		const part = answer.status === 206 ? parseContentRange(answer.headers.get("content-range")) : null;
		const size = confirms ? before.file.size : (part?.size ?? 0);
		const isWhole = part !== null && part.start === start && part.end === Math.min(end, part.size - 1);
		if (!mayKeep || (!confirms && !isWhole)) {
			await answer.body?.cancel();
			return { kind: "other", isUnkept: answer.status !== 416 };
		}
		const file = confirms
			? confirmed(before.file, answer.headers, now())
			: fileOf(answer, { size, digest: audience.digest, known, isPublic, now: now() });
		if (file === null || !isCurrent(file, audience.digest, knowledge, askedAt)) {
			await answer.body?.cancel();
			return { kind: "other", isUnkept: true };
		}
		const found: FoundFile = { kind: "file", file, isFresh: true, isKept: true, block: null, audience };
		const scope = isPublic ? null : audience.scope;
		let bytes: Uint8Array | null = null;
		if (isWhole) {
			try {
				bytes = await readExactly(answer, part.end - part.start + 1);
			} catch {
				return { kind: "other", isUnkept: false };
			}
			await keep(blockKey(found, index), "", bytes);
		}
		await keep(fileKey(scope, audience.path, request), JSON.stringify(file), none);
		return { ...found, isKept: confirms, block: bytes === null ? null : { index, bytes } };
	}

	return {
		async find(audience, request, knowledge) {
			const own = audience.scope === null ? null : await findIn(audience, request, knowledge, audience.scope);
			if (own?.isFresh) return own;
			const open = await findIn(audience, request, knowledge, null);
			return open?.isFresh ? open : (own ?? (audience.scope === null ? open : null));
		},
		async ask(audience, request, knowledge, before) {
			const key = `${fileKey(audience.scope, audience.path, request)} ${firstBlockOf(request)} ${before?.file.etag}`;
			const other = shared ? filesUnderWay.get(key) : undefined;
			const joined = await other?.catch(() => null);
			if (joined?.kind === "file" && isCurrent(joined.file, audience.digest, knowledge, monotonic()))
				return { ...joined, audience };
			const work = ask(audience, request, knowledge, before);
			if (other === undefined) {
				filesUnderWay.set(key, work);
				work.then(
					() => filesUnderWay.delete(key),
					() => filesUnderWay.delete(key),
				);
			}
			return work;
		},
		async block(found, request, index) {
			if (found.block?.index === index) return found.block.bytes;
			const key = blockKey(found, index);
			const { start, end } = rangeOfBlock(index, found.file.size);
			const kept = await recall(key);
			if (kept !== undefined && kept.bytes.length === end - start + 1) return kept.bytes;
			if (!shared) return fetchBlock(found, request, index);
			const underWay = blocksUnderWay.get(key);
			// The other viewer's key may have ended meanwhile: that is no reason to refuse this one.
			if (underWay !== undefined) return underWay.catch(() => fetchBlock(found, request, index));
			const work = fetchBlock(found, request, index).finally(() => blocksUnderWay.delete(key));
			blocksUnderWay.set(key, work);
			return work;
		},
	};
}

/** The block where a request begins, as far as that can be said without the file's size. */
function firstBlockOf({ method, headers }: EdgeRequest): number {
	const range = method === "HEAD" ? null : parseRange(headers.get("range"), Number.MAX_SAFE_INTEGER);
	const isFromTheEnd = /=\s*-/.test(headers.get("range") ?? "");
	return range === null || range === "unsatisfiable" || isFromTheEnd ? 0 : Math.floor(range.start / blockBytes);
}

function keyedHeaders({ headers, clientAddress }: EdgeRequest, authorization: string | null): Headers {
	const kept = headersToKeep(headers, clientAddress);
	if (authorization === null) kept.delete("authorization");
	return kept;
}

/** An answer's CORS headers depend on the origin; the bytes don't. */
const fileKey = (scope: string | null, path: string, { headers }: EdgeRequest): string =>
	`file ${scope ?? "public"} ${path} ${headers.get("origin") ?? ""}`;

const blockKey = ({ file, audience }: FoundFile, index: number): string =>
	`block ${file.isPublic ? "public" : audience.scope} ${audience.path} ${file.state} ${file.etag} ${index}`;
