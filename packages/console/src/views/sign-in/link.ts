/**
 * Takes the token of a one-time sign-in link out of the address, so that it stays neither in the history nor on the
 * screen. Returns null if there is none.
 */
export function takeLink(): string | null {
	const token = decodeURIComponent(window.location.hash.slice(1));
	if (token === "") return null;
	window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
	return token;
}
