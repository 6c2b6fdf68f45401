/**
 * Returns the environment of a started program: where programs are, and nothing else of this one's. Compiled sources
 * are cached, so that a start costs less.
 */
export function childEnvironment(cacheDirectory: string): Record<string, string> {
	return { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: cacheDirectory };
}
