import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

/**
 * Load this before a program (`node --import`): the program then asks the name server FAULTS_NAMES, as if its machine
 * were configured so.
 */
const server = process.env.FAULTS_NAMES;
if (server !== undefined) {
	dns.setServers([server]);
	dns.Resolver = asking(dns.Resolver);
	dns.promises.Resolver = asking(dns.promises.Resolver);
	syncBuiltinESMExports();
}

function asking<R extends typeof dns.Resolver | typeof dns.promises.Resolver>(Resolver: R): R {
	return class extends (Resolver as typeof dns.Resolver) {
		constructor(...options: ConstructorParameters<typeof dns.Resolver>) {
			super(...options);
			this.setServers([String(server)]);
		}
	} as unknown as R;
}
