/** What a span says beside its name. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What one span covers: a request that was taken or made, a job, or a step. */
export type SpanKind = "internal" | "server" | "client" | "consumer";

/** How a span begins. */
export type SpanOptions = {
	/** (default: `internal`) */
	readonly kind?: SpanKind;
	/** The `traceparent` of the parent; `null` begins a trace (default: the span around the caller). */
	readonly parent?: string | null;
	/** The `traceparent` of a span in another trace that has to do with this one (default: none). */
	readonly link?: string | undefined;
	readonly attributes?: SpanAttributes;
};

/** A piece of work in a trace, while it goes on. */
export type Span = {
	/** Names this span in the form of W3C Trace Context. */
	readonly traceparent: string;
	rename(name: string): void;
	set(attributes: SpanAttributes): void;
	/** Marks the span as failed, by a code. */
	fail(type: string): void;
	/** Does the work inside of this span. */
	within<T>(work: () => T): T;
};

/**
 * The tracer that engine and worker take. The types are written down here once more, so that a transcoder needs no
 * engine.
 */
export type Tracer = {
	/** Does the work inside of a new span, which ends when the work does. */
	span<T>(name: string, options: SpanOptions, work: (span: Span) => T): T;
	/** Returns whether the caller runs inside of a span that is recorded and has not ended. */
	isRecording(): boolean;
	/** Returns the `traceparent` of the span around the caller; `null` if there is none. */
	current(): string | null;
};
