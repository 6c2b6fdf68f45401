/** Why a browser sent nothing, or showed no answer: it tells a page nothing but that it failed. */
export type Failure = { readonly what: string; readonly advice: string };

/** Tells whether a GET of a URL brings an answer that the page may read. */
type Probe = (url: string) => Promise<boolean>;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$|\.localhost$/;

/** Tells whether a page may not ask an address at all: a page that came by HTTPS asks no other machine by HTTP. */
export const isMixed = (page: string, address: string): boolean => {
	const { protocol, hostname } = new URL(address);
	return new URL(page).protocol === "https:" && protocol === "http:" && !loopback.test(hostname);
};

/**
 * Finds out why a request to `address` failed. Any page may read the API's document, so that tells whether a server of
 * the service is there.
 */
export async function explain(page: string, address: string, probe: Probe): Promise<Failure> {
	if (isMixed(page, address))
		return {
			what: `This page came by HTTPS, so the browser doesn't let it ask ${address} by HTTP (mixed content).`,
			advice: "Give the server's https:// address, or a server on this machine (http://127.0.0.1:8787).",
		};
	if (await probe(`${address}/v1/openapi.json`))
		return {
			what: "The server is there, but it doesn't let this page read the answer (CORS).",
			advice:
				"Pages may read what a sandbox session is answered. Its sandbox is off (REELMILL_SANDBOX=off), its release is older than that, or a proxy in front of it answered.",
		};
	return {
		what: `No Reelmill server answers at ${address}.`,
		advice: address.startsWith("https:")
			? `Open ${address}/v1/health in a tab of its own. If the browser warns of the certificate there, it refuses it to this page as well.`
			: `Is the server running, and is the port right? Open ${address}/v1/health in a tab of its own. The browser may also ask for your leave to reach devices of your network.`,
	};
}
