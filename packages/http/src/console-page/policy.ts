/**
 * Returns the Content-Security-Policy of the console's page. It runs no script but its own, and asks no other host than
 * this installation: at the address that the browser shows, and at its base URL, where uploads and outputs are.
 *
 * - The player feeds the video element from memory (`blob:`), and works in a worker that it makes itself.
 * - Pictures of private videos are fetched with a key and shown from memory.
 */
export function consolePolicy(baseUrl: string): string {
	const here = `'self' ${new URL(baseUrl).origin}`;
	return [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		`img-src ${here} blob: data:`,
		`media-src ${here} blob:`,
		`connect-src ${here}`,
		"worker-src 'self' blob:",
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'none'",
	].join("; ");
}
