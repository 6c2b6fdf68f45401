/**
 * What the command line `reelmill` reads from the environment: where these are set for it, other programs of the shell
 * go by them.
 */
export const commandLineNames: readonly string[] = [
	"REELMILL_URL",
	"REELMILL_API_KEY",
	"REELMILL_ADMIN_KEY",
	"REELMILL_STORAGE_SECRET",
];
