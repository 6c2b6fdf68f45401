import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that is started again whenever it ends, as an init system does. */
export type Supervised = {
	readonly name: string;
	/** It has reported that it is ready, and runs. */
	isUp(): boolean;
	isFrozen(): boolean;
	/** The process's number; undefined if none runs. */
	readonly pid: number | undefined;
	/** Announces that its next end is the driver's doing, whoever sends the signal. */
	expectEnd(): void;
	/** Kills it (SIGKILL). Returns false if none was running. */
	kill(): boolean;
	/**
	 * Asks it to end (SIGTERM), and resolves when it has ended, with false if none was running. An exit code other than 0
	 * and those of `endsWith` counts as a fall.
	 */
	end(): Promise<boolean>;
	/** Stops it for a time (SIGSTOP, SIGCONT). Returns false at once if none was running. */
	freeze(milliseconds: number): Promise<boolean>;
	send(message: object): void;
	/** Ends it for good: properly if it does so within 15 s. */
	stop(): Promise<void>;
};

export type SupervisedOptions = {
	readonly name: string;
	spawn(): ChildProcess;
	/** Resolves when the process reports that it is ready; never if it ends before. */
	ready(child: ChildProcess): Promise<unknown>;
	/** How long it stays down after it ended. */
	pauseMilliseconds(): number;
	/** Called when it comes up and goes down. */
	onUp?(): void;
	onDown?(): void;
	/** The exit codes with which it may end by itself, or when it is asked to (default: none, and 0). */
	readonly endsWith?: readonly number[];
	/** Called when it ended although nobody killed it, after it had been ready. */
	onFell(how: string): void;
	onMessage?(message: unknown): void;
};

export function supervise(options: SupervisedOptions): Supervised {
	let child: ChildProcess | undefined;
	let [isUp, isFrozen, isStopped, isExpected] = [false, false, false, false];
	let asked: ChildProcess | undefined;

	const live = async (): Promise<void> => {
		while (!isStopped) {
			const mine = options.spawn();
			child = mine;
			mine.on("error", () => undefined);
			mine.on("message", (message) => options.onMessage?.(message));
			const ended = once(mine, "exit");
			void options.ready(mine).then(() => {
				if (mine !== child || mine.exitCode !== null || mine.signalCode !== null) return;
				isUp = true;
				options.onUp?.();
			});
			const [code, signal] = await ended;
			const isInOrder = (mine === asked && code === 0) || (options.endsWith?.includes(code) ?? false);
			if (isUp && !isStopped && !isExpected && !isInOrder) options.onFell(String(signal ?? code));
			[isUp, isFrozen, isExpected] = [false, false, false];
			options.onDown?.();
			if (!isStopped) await sleep(options.pauseMilliseconds());
		}
	};
	const living = live();
	return {
		name: options.name,
		isUp: () => isUp,
		isFrozen: () => isFrozen,
		get pid() {
			return isUp ? child?.pid : undefined;
		},
		expectEnd() {
			isExpected = true;
		},
		kill() {
			if (!isUp || !child) return false;
			isUp = false;
			return child.kill("SIGKILL");
		},
		async end() {
			if (!isUp || !child) return false;
			asked = child;
			const ended = once(child, "exit");
			child.kill("SIGTERM");
			await ended;
			return true;
		},
		async freeze(milliseconds) {
			const mine = child;
			if (!isUp || isFrozen || !mine) return false;
			isFrozen = true;
			mine.kill("SIGSTOP");
			await sleep(milliseconds);
			if (mine === child) isFrozen = false;
			mine.kill("SIGCONT");
			return true;
		},
		send: (message) => {
			if (child?.connected) child.send(message);
		},
		async stop() {
			isStopped = true;
			child?.kill("SIGCONT");
			child?.kill("SIGTERM");
			const late = setTimeout(() => child?.kill("SIGKILL"), 15_000);
			await living;
			clearTimeout(late);
		},
	};
}
