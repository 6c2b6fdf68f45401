/** A connection on which no request is being answered. */
export type WaitingConnection = {
	/** By what its client is counted; null for a proxy, which opens connections for many. */
	readonly client: string | null;
};
export type Bounds = { readonly most: number; readonly mostPerClient: number };

/**
 * Connections that wait: those that `open`, whose first request hasn't come whole, and those that were `kept` after an
 * answer. Of each kind the one that waits longest comes first. Whoever adds one too many is told which must go: never
 * the newest, for a client that means well sends its request at once.
 */
export type WaitingConnections<C extends WaitingConnection> = {
	readonly opening: Iterable<C>;
	readonly kept: Iterable<C>;
	readonly size: number;
	/** Answers those that are one too many, and forgets them. One that waits already waits anew. */
	addOpening(connection: C): C[];
	addKept(connection: C): C[];
	/** Done twice, or for one that doesn't wait, it changes nothing. */
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
		// Of the kind that there are more of, so that neither can push the other out.
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
