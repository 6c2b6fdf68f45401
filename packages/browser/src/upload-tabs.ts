import { ConnectionError, type ErrorCode, ReelmillError } from "@reelmill/client";
import type { UploadState } from "./upload-state.ts";

/** What a tab that follows asks of the tab that sends. */
export type TabCommand = "pause" | "resume" | "cancel";

/** One upload's place among the tabs of this browser: exactly one of them sends. */
export type Tabs = {
	/**
	 * Resolves when this tab may send; at once if it may already. Until then another tab sends, and this one is told of
	 * it. Rejects when the signal aborts. Without Web Locks, as on plain http or where the browser forbids them with its
	 * storage, it resolves at once: then each tab sends, and the service lets one of them in at a time.
	 */
	take(signal: AbortSignal): Promise<void>;
	/** Whether this tab sends. */
	sends(): boolean;
	/** Tells the other tabs, if this one sends. */
	tell(state: UploadState): void;
	/** Asks the tab that sends. Nothing happens if none does. */
	ask(command: TabCommand): void;
	/** Lets another tab send. Idempotent. */
	leave(): void;
};

type Message = { state: Omit<UploadState, "error"> & { error: PlainError | null } } | { command: TabCommand | "hello" };
type PlainError = {
	name: string;
	message: string;
	code?: ErrorCode;
	rawCode?: string;
	status?: number;
	extras?: object;
	requestId?: string;
	reason?: "unreachable" | "timeout";
};

/** How long a tab that may send now waits for the last words of the tab before it. */
const lastWordsMilliseconds = 250;

/** Joins the tabs that have the same upload open under this name. Without locks, this tab is alone. */
export function joinTabs(
	name: string,
	locks: LockManager | undefined,
	on: { told(state: UploadState): void; asked(command: TabCommand): void; current(): UploadState },
): Tabs {
	const channel = locks && openChannel(name);
	// In Node a channel would keep the process.
	(channel as { unref?: () => void } | undefined)?.unref?.();
	let isSending = false;
	let isOpen = true;
	let release = () => {};
	const post = (message: Message) => {
		if (isOpen) channel?.postMessage(message);
	};
	const tell = (state: UploadState) => post({ state: { ...state, error: state.error && plain(state.error) } });
	channel?.addEventListener("message", (event) => {
		const message = (event as MessageEvent<Message>).data;
		if (!isOpen) return;
		if ("state" in message) {
			const { state } = message;
			if (!isSending) on.told({ ...state, error: state.error && revived(state.error) });
		} else if (isSending) {
			if (message.command === "hello") tell(on.current());
			else on.asked(message.command);
		}
	});

	/** Resolves to whether the lock is held now, until `release`. */
	const hold = (options: LockOptions) =>
		new Promise<boolean>((resolve, reject) => {
			locks
				?.request(name, options, (lock) => {
					resolve(lock !== null);
					return lock && isOpen ? new Promise<void>((resolve) => (release = resolve)) : undefined;
				})
				.catch((error) => (options.signal?.aborted ? reject(error) : resolve(true)));
		});

	return {
		async take(signal) {
			if (!isSending && locks && !(await hold({ ifAvailable: true }))) {
				post({ command: "hello" });
				await hold({ signal });
				await new Promise((resolve) => setTimeout(resolve, lastWordsMilliseconds));
			}
			if (signal.aborted && !isSending) release();
			signal.throwIfAborted();
			isSending = true;
		},
		sends: () => isSending,
		tell: (state) => isSending && tell(state),
		ask: (command) => post({ command }),
		leave() {
			if (!isOpen) return;
			isOpen = false;
			isSending = false;
			release();
			channel?.close();
		},
	};
}

/** Opens a channel; none if the browser has or allows none. */
function openChannel(name: string): BroadcastChannel | undefined {
	try {
		return new BroadcastChannel(name);
	} catch {
		return undefined;
	}
}

function plain(error: Error): PlainError {
	const { name, message, code, rawCode, status, extras, requestId, reason } = error as Error & PlainError;
	return JSON.parse(JSON.stringify({ name, message, code, rawCode, status, extras, requestId, reason }));
}

function revived({ name, message, code, rawCode, reason, ...more }: PlainError): Error {
	if (name === "ReelmillError" && code) return new ReelmillError(code, { message, rawCode, ...(more as object) });
	if (name === "ConnectionError" && reason) return new ConnectionError(reason, message, { cause: undefined });
	return Object.assign(new Error(message), { name });
}
