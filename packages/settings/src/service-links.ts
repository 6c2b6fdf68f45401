/** What Kubernetes calls the first address of a Service's port, in the environment of every pod beside it. */
const portLink = /^(.+)_PORT_(\d+)_(TCP|UDP|SCTP)$/;

/**
 * Returns `environment` without the variables that Kubernetes adds for Services whose names begin as `prefix` does: a
 * Service named `reelmill` adds `REELMILL_PORT=tcp://10.0.0.1:8787` and seven others. A Service is known by its
 * variables together, all of the same address; a single name that looks like one of them stays, because it may be a
 * setting.
 */
export function withoutServiceLinks(
	environment: Readonly<Record<string, string | undefined>>,
	prefix: string,
): Readonly<Record<string, string | undefined>> {
	const links = new Set<string>();
	for (const [name, value] of Object.entries(environment)) {
		const [, service = "", port = "", protocol = ""] = (name.startsWith(prefix) && portLink.exec(name)) || [];
		const host = environment[`${service}_SERVICE_HOST`];
		const firstPort = environment[`${service}_SERVICE_PORT`];
		if (service === "" || host === undefined || firstPort === undefined) continue;
		const address = (of: string) => `${protocol.toLowerCase()}://${host.includes(":") ? `[${host}]` : host}:${of}`;
		if (value !== address(port)) continue;
		for (const end of ["", "_PROTO", "_PORT", "_ADDR"]) links.add(name + end);
		links.add(`${service}_SERVICE_HOST`).add(`${service}_SERVICE_PORT`);
		for (const [other, theirs] of Object.entries(environment))
			if (other.startsWith(`${service}_SERVICE_PORT_`) && theirs === port) links.add(other);
		// The pod's own REELMILL_PORT replaces the link of this name, and is a setting.
		if (environment[`${service}_PORT`] === address(firstPort)) links.add(`${service}_PORT`);
	}
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !links.has(name)));
}
