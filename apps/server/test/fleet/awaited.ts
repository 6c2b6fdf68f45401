/**
 * Settings that compose.yaml and the chart set for the programs of the same release, and that come with other changes.
 * Each goes from here once its program has it.
 */
const awaited: ReadonlySet<string> = new Set([
	"server REELMILL_STORAGE_DEFAULT",
	"transcoder REELMILL_DRAIN_SECONDS",
	"transcoder REELMILL_OPS_HOST",
	"transcoder REELMILL_OPS_PORT",
]);

/** Whether a program's help has this setting, or will have it. */
export const has = (program: string, help: string, name: string): boolean =>
	help.includes(`  ${name} (`) || awaited.has(`${program} ${name}`);
