/** A request for the service. `target` is a path with its query; it is sent as it is. */
export type OriginRequest = { readonly method: string; readonly target: string; readonly headers: Headers };
/** Asks the service. Rejects when it can't be reached. */
export type Origin = (request: OriginRequest) => Promise<Response>;

/** A viewer's request. */
export type EdgeRequest = {
	readonly method: string;
	/** The path with its query, as the client sent it. */
	readonly target: string;
	readonly headers: Headers;
	/** The client's address, by which the service counts requests that reach it. */
	readonly clientAddress?: string | undefined;
	/** Is given work that goes on after the answer. */
	readonly later?: ((work: Promise<void>) => void) | undefined;
};
