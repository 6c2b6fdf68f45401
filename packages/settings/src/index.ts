export { commandLineNames } from "./command-line-names.ts";
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
export { describeTracingSettings, readTracingSettings, type TracingSettings } from "./tracing.ts";
export * as values from "./values.ts";
