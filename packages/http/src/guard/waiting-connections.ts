/** A connection on which no request is being answered. */
export type WaitingConnection = {
	/** What the client is counted by; `null` for a trusted proxy, which opens connections for many clients. */
	readonly client: string | null;
};
export type Bounds = { readonly most: number; readonly mostPerClient: number };

/**
 * Connections that wait for a request: `opening` ones, whose first request has not arrived whole, and `kept` ones,
 * which have had an answer. Both kinds are ordered by how long they wait, longest first. Adding a connection beyond a
 * bound returns which ones must be closed. That is never the newest, because an honest client sends its request at
 * once.
 */
export type WaitingConnections<C extends WaitingConnection> = {
	readonly opening: Iterable<C>;
	readonly kept: Iterable<C>;
	readonly size: number;
	/** Adds a new connection. Removes and returns those beyond the bounds. Adding one twice restarts its wait. */
	addOpening(connection: C): C[];
	/** Does the same for a connection that has had an answer. */
	addKept(connection: C): C[];
	/** Idempotent. Does nothing for a connection that does not wait. */
	remove(connection: C): void;
};

export function createWaitingConnections<C extends WaitingConnection>({
	most,
	mostPerClient,
}: Bounds): WaitingConnections<C> {
	const opening = new Set<C>();
	const kept = new Set<C>();
	const openingOf = new Map<string, Set<C>>();

	const remove = (connection: C): void => {
		kept.delete(connection);
		if (!opening.delete(connection) || connection.client === null) return;
		const ofClient = openingOf.get(connection.client);
		ofClient?.delete(connection);
		if (ofClient?.size === 0) openingOf.delete(connection.client);
	};
	const first = (connections: Iterable<C>): C | undefined => connections[Symbol.iterator]().next().value;
	const tooMany = (connection: C): C[] => {
		const gone: C[] = [];
		const give = (one: C | undefined) => {
			if (one === undefined) return;
			remove(one);
			gone.push(one);
		};
		const ofClient = connection.client === null ? undefined : openingOf.get(connection.client);
		if (ofClient !== undefined && ofClient.size > mostPerClient) give(first(ofClient));
		// The larger kind gives way, so that neither kind can push the other out.
		if (opening.size + kept.size > most) give(first(opening.size > kept.size ? opening : kept));
		return gone;
	};
	return {
		opening,
		kept,
		get size() {
			return opening.size + kept.size;
		},
		addOpening(connection) {
			remove(connection);
			opening.add(connection);
			if (connection.client !== null) {
				const ofClient = openingOf.get(connection.client) ?? new Set();
				openingOf.set(connection.client, ofClient.add(connection));
			}
			return tooMany(connection);
		},
		addKept(connection) {
			remove(connection);
			kept.add(connection);
			return tooMany(connection);
		},
		remove,
	};
}
