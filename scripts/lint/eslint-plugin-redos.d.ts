declare module "eslint-plugin-redos" {
	import type { ESLint } from "eslint";

	const plugin: ESLint.Plugin;
	export default plugin;
}
