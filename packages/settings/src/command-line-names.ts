/**
 * The names that the command line `reelmill` reads from the environment. A shell may set them for it, so other programs
 * must not refuse them.
 */
export const commandLineNames: readonly string[] = [
	"REELMILL_URL",
	"REELMILL_API_KEY",
	"REELMILL_ADMIN_KEY",
	"REELMILL_PROFILE",
	"REELMILL_STORAGE_SECRET",
];
