export { commandLineNames } from "./command-line-names.ts";
export {
	describeSettings,
	readSettings,
	type Setting,
	type Settings,
	SettingsError,
	type SettingsTable,
} from "./settings.ts";
export * as values from "./values.ts";
