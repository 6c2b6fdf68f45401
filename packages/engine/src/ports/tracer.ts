/** What a span says beside its name. It never holds a secret, or a text that a tenant or a viewer chose. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What one span covers: a request that was taken (`server`) or made (`client`), a job (`consumer`), or a step. */
export type SpanKind = "internal" | "server" | "client" | "consumer";

/** How a span begins. */
export type SpanOptions = {
	/** (default: `internal`) */
	readonly kind?: SpanKind;
	/**
	 * The `traceparent` of the span that this one belongs to; `null` begins a trace (default: the span around the
	 * caller). A text that is none begins a trace.
	 */
	readonly parent?: string | null;
	/** The `traceparent` of a span that has to do with this one, in a trace of somebody else. */
	readonly link?: string | undefined;
	readonly attributes?: SpanAttributes;
};

/** A piece of work in a trace, while it goes on. */
export interface Span {
	/** Names this span in the form of W3C Trace Context, for whoever continues the trace elsewhere. */
	readonly traceparent: string;
	rename(name: string): void;
	set(attributes: SpanAttributes): void;
	/** Marks the span as failed. `type` is a code or the name of a class, never a message. */
	fail(type: string): void;
	/** Does the work inside of this span, for callers that something else calls, outside of it. */
	within<T>(work: () => T): T;
}

/**
 * Records what the engine does, and for which request. An adapter MUST carry the span around a caller through
 * everything that the caller awaits, and MUST NOT let a failure of its own reach the caller.
 */
export interface Tracer {
	/**
	 * Does the work inside of a new span, which ends when the work does. If the work throws or rejects, the span is
	 * marked as failed by the error's code, or else by the name of its class.
	 */
	span<T>(name: string, options: SpanOptions, work: (span: Span) => T): T;
	/** Returns whether the caller runs inside of a span that is recorded and has not ended. */
	isRecording(): boolean;
	/** Returns the `traceparent` of the span around the caller, recorded or not; `null` if there is none. */
	current(): string | null;
}
