import type { DomainConfigPatch, DomainLimits, ErrorCode, FailureReason, Video } from "@reelmill/contracts";

/** What a worker would have found in the source. */
export type FinishedMedia = {
	/** How long the video lasts, in seconds (default: as declared, or else 10). */
	readonly durationSeconds?: number;
	/** The width of the picture in pixels (default: 1280). */
	readonly width?: number;
	/** The height of the picture in pixels (default: 720). */
	readonly height?: number;
	/**
	 * What is said, as the text of a WebVTT file, or `null` if nobody speaks (default: a cue that says "Hello."). Only
	 * videos with a transcript use it.
	 */
	readonly transcript?: string | null;
	/** The language of the transcript, two letters (default: `en`). */
	readonly language?: string;
};

/** What the thread is started with. */
export type ThreadOptions = {
	readonly cacheDirectory: string;
	readonly limits: Partial<DomainLimits>;
	readonly config: DomainConfigPatch;
	/** The address of webhooks, or true if `handle` of the starter takes them. */
	readonly webhooks: string | boolean;
	readonly startAt: number | null;
};

/** What is there once the thread serves. */
export type Started = {
	/** The address of the service, on this machine. */
	readonly baseUrl: string;
	/** The key of the test's domain. */
	readonly apiKey: string;
	/** The operator's key, for `createReelmillAdmin`. */
	readonly adminKey: string;
	/** What signs the webhooks of the test's domain, until a test rotates it. */
	readonly webhookSecret: string;
	/** The id of the test's domain. */
	readonly domainId: string;
};

/** What the thread does when it is asked. */
export type Operations = {
	start(options: ThreadOptions): Promise<Started>;
	finish(id: string, media: FinishedMedia): Promise<Video>;
	fail(id: string, reason: FailureReason): Promise<Video>;
	advance(seconds: number): Promise<void>;
	settled(): Promise<void>;
	now(): Promise<number>;
	stop(): Promise<void>;
};

/** A request to the handler of webhooks, and its answer. */
export type HandledRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
};
export type HandledAnswer = {
	readonly status: number;
	readonly headers: readonly (readonly [string, string])[];
	readonly body: Uint8Array;
};

/** What both sides send each other: a call, or the end of one. */
export type Message =
	| { readonly kind: "call"; readonly number: number; readonly name: string; readonly input: readonly unknown[] }
	| { readonly kind: "done"; readonly number: number; readonly value: unknown }
	| { readonly kind: "failed"; readonly number: number; readonly failure: Failure };

/** An error on its way between threads: its class would be lost. */
export type Failure = {
	readonly message: string;
	readonly code: ErrorCode | null;
	readonly extras: unknown;
	readonly status: number | null;
};
