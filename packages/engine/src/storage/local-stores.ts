import { ReelmillError } from "@reelmill/contracts";
import { type ByteStores, type Clock, StorageError, unavailableIn } from "../ports/index.ts";
import type { InTime } from "./in-time.ts";
import { whileMoving } from "./while-moving.ts";

/**
 * The installation's own stores. What they can't do now (the disk is full, fails or hangs, no file descriptor is left)
 * is `storage_unavailable` to whoever asked, who tells the operator. What somebody waits for, and no amount of bytes
 * makes long, is done `inTime`; bytes that are stored may take as long as they move.
 */
export function createLocalStores(
	{ uploads, outputs }: ByteStores,
	{ clock, inTime }: { clock: Clock; inTime: InTime },
): ByteStores {
	const refused = (error: unknown): never => {
		if (unavailableIn(error) === null) throw error;
		throw new ReelmillError("storage_unavailable", { cause: error });
	};
	const answer = <T>(work: Promise<T>): Promise<T> => inTime(work).catch(refused);
	const list = <T>(items: AsyncIterable<T>): AsyncIterable<T> => ({
		[Symbol.asyncIterator]() {
			const iterator = items[Symbol.asyncIterator]();
			return {
				next: () => answer(iterator.next()),
				return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
			};
		},
	});
	const { open, survey, removeLeftovers } = outputs;
	const surveyUploads = uploads.survey;
	/** Uploads of which an append was given up that still goes on: it could write where the next one does. */
	const left = new Set<string>();
	const leave = (id: string) => (work: Promise<unknown>) => {
		left.add(id);
		const forget = () => void left.delete(id);
		work.then(forget, forget);
	};

	return {
		outputs: {
			capabilities: outputs.capabilities,
			put: (key, bytes, { signal } = {}) =>
				whileMoving(bytes, clock, (watched, givenUp) =>
					outputs.put(key, watched, { signal: either(signal, givenUp) }),
				).catch(refused),
			get: (key, range) => answer(outputs.get(key, range)),
			...(open && { open: (key: string) => answer(open.call(outputs, key)) }),
			head: (key) => answer(outputs.head(key)),
			delete: (key) => answer(outputs.delete(key)),
			list: (prefix) => list(outputs.list(prefix)),
			...(survey && { survey: (options) => list(survey.call(outputs, options)) }),
			presign: (key, request) => outputs.presign(key, request),
			deletePrefix: (prefix) => answer(outputs.deletePrefix(prefix)),
			...(removeLeftovers && { removeLeftovers: () => answer(removeLeftovers.call(outputs)) }),
		},
		uploads: {
			capabilities: uploads.capabilities,
			create: (id) => answer(uploads.create(id)),
			size: (id) => answer(uploads.size(id)),
			async append(id, offset, bytes, options) {
				if (left.has(id)) return refused(new StorageError("unreachable", "The disk has not answered yet"));
				const append = (watched: typeof bytes, givenUp: AbortSignal) =>
					uploads.append(id, offset, watched, { ...options, signal: either(options.signal, givenUp) });
				return whileMoving(bytes, clock, append, leave(id)).catch(refused);
			},
			read: (id, range) => answer(uploads.read(id, range)),
			presign: (id, request) => uploads.presign(id, request),
			discard: (id) => answer(uploads.discard(id)),
			list: () => list(uploads.list()),
			...(surveyUploads && { survey: (options) => list(surveyUploads.call(uploads, options)) }),
		},
	};
}

const either = (asked: AbortSignal | undefined, givenUp: AbortSignal): AbortSignal =>
	asked === undefined ? givenUp : AbortSignal.any([asked, givenUp]);
