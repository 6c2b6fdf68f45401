/** A port of a Service in Kubernetes. */
export type ServicePort = { readonly name?: string; readonly port: number; readonly protocol?: string };

/**
 * Returns what Kubernetes puts into the environment of every pod beside a Service, as the kubelet's package `envvars`
 * does.
 */
export function serviceLinks(service: string, host: string, ports: readonly ServicePort[]): Record<string, string> {
	const prefix = nameOf(service);
	const links: Record<string, string> = {
		[`${prefix}_SERVICE_HOST`]: host,
		[`${prefix}_SERVICE_PORT`]: String(ports[0]?.port),
	};
	for (const [index, { name, port, protocol = "TCP" }] of ports.entries()) {
		const address = `${protocol.toLowerCase()}://${host.includes(":") ? `[${host}]` : host}:${port}`;
		if (name !== undefined) links[`${prefix}_SERVICE_PORT_${nameOf(name)}`] = String(port);
		if (index === 0) links[`${prefix}_PORT`] = address;
		const link = `${prefix}_PORT_${port}_${protocol}`;
		Object.assign(links, {
			[link]: address,
			[`${link}_PROTO`]: protocol.toLowerCase(),
			[`${link}_PORT`]: String(port),
			[`${link}_ADDR`]: host,
		});
	}
	return links;
}

const nameOf = (text: string) => text.toUpperCase().replaceAll("-", "_");
