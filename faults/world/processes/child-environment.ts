/**
 * What a started program sees of this one's environment: where programs are, and nothing of ours. Compiled sources are
 * kept, so that a start costs less.
 */
export function childEnvironment(cacheDirectory: string): Record<string, string> {
	return { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: cacheDirectory };
}
