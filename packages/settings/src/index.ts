export { commandLineNames } from "./command-line-names.ts";
export { type GivenOptions, type Program, runProgram, type StartedProgram } from "./run-program.ts";
export {
	describeSettings,
	readSettings,
	type Setting,
	type SettingInForce,
	type Settings,
	SettingsError,
	type SettingsTable,
	settingsInForce,
} from "./settings.ts";
export { logLevel, operationsSettings, storageAllowCidrs, workerSettings } from "./shared-settings.ts";
export { namingSetting, StartError } from "./start-error.ts";
export { describeTracingSettings, readTracingSettings, type TracingSettings } from "./tracing.ts";
export * as values from "./values.ts";
