import { internalUnavailable, ReelmillError } from "@reelmill/contracts";
import type { Engine, UploadLease } from "@reelmill/engine";
import type { Lock, Locker, RequestRelease } from "@tus/utils";

type Holder = { readonly release: RequestRelease; hasLease: boolean };
type Waiter = { readonly release: RequestRelease; readonly granted: () => void };
type Take = Engine["uploads"]["lease"];
type Queue = { holder: Holder; readonly waiting: Waiter[] };
/** A request's place in the queue of this process. */
type Turn = Lock & {
	/** Whether the request whose turn it is has the upload's lease. Without it, that request waits for the database. */
	isLeased(): boolean;
	/** Notes that the request whose turn it is got the lease, or gives it back. */
	note(hasLease: boolean): void;
};

/**
 * Creates the locker of @tus/server: one request at a time works on an upload. Among all servers the engine's upload
 * leases see to that. Within this process requests wait in order of arrival, so that only the first asks for a lease. A
 * new request asks the holder at once to let go. So a HEAD behind a half-open connection is answered as soon as the
 * bytes that arrived are durable.
 */
export function createLocker(take: Take): Locker {
	const queues = new Map<string, Queue>();
	return { newLock: (id) => createLock(id, take, createTurn(id, queues)) };
}

/**
 * How long a request waits for the holder. A holder lets go within 100 ms, or its lease ends 3 s after its server was
 * killed. A holder that does neither waits for a silent storage, or for a silent database while it has no lease. The
 * request is told which. With everything else a HEAD takes, that stays below 10 s.
 */
const patienceMilliseconds = 3200;

function createLock(id: string, take: Take, turn: Turn): Lock {
	let lease: UploadLease | undefined;
	return {
		async lock(signal, release) {
			const patience = AbortSignal.timeout(patienceMilliseconds);
			const late = (cause: unknown): unknown => {
				if (cause !== patience.reason) return cause;
				return turn.isLeased()
					? new ReelmillError("storage_unavailable", { cause })
					: new ReelmillError("internal_error", { status: 503, message: internalUnavailable, cause });
			};
			try {
				await turn.lock(AbortSignal.any([signal, patience]), release);
			} catch (error) {
				throw late(error);
			}
			try {
				// The request's own signal would abort as soon as the next request asks for the turn. But the request that
				// has the turn must be answered.
				lease = await take(id, { signal: patience, onAsked: () => void release() });
				turn.note(true);
			} catch (error) {
				await turn.unlock();
				throw error === patience.reason ? new ReelmillError("storage_unavailable", { cause: error }) : error;
			}
		},
		async unlock() {
			turn.note(false);
			await lease?.release();
			await turn.unlock();
		},
	};
}

function createTurn(id: string, queues: Map<string, Queue>): Turn {
	return {
		isLeased: () => queues.get(id)?.holder.hasLease === true,
		note(hasLease) {
			const holder = queues.get(id)?.holder;
			if (holder) holder.hasLease = hasLease;
		},
		async lock(signal: AbortSignal, release: RequestRelease): Promise<void> {
			const queue = queues.get(id);
			if (queue === undefined) {
				queues.set(id, { holder: { release, hasLease: false }, waiting: [] });
				return;
			}
			await new Promise<void>((resolve, reject) => {
				const waiter: Waiter = {
					release,
					granted() {
						signal.removeEventListener("abort", leave);
						resolve();
					},
				};
				const leave = () => {
					const place = queue.waiting.indexOf(waiter);
					if (place >= 0) queue.waiting.splice(place, 1);
					reject(signal.reason);
				};
				if (signal.aborted) return reject(signal.reason);
				signal.addEventListener("abort", leave, { once: true });
				queue.waiting.push(waiter);
				void queue.holder.release();
			});
		},
		async unlock(): Promise<void> {
			const queue = queues.get(id);
			const next = queue?.waiting.shift();
			if (queue === undefined) return;
			if (next === undefined) {
				queues.delete(id);
				return;
			}
			queue.holder = { release: next.release, hasLease: false };
			next.granted();
			if (queue.waiting.length > 0) void next.release();
		},
	};
}
