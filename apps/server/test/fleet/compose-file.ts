import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** What the tests read of a service in compose.yaml. Commands are lists there, and environments are maps. */
export type ComposeService = {
	readonly image: string;
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly networks: readonly string[];
	readonly volumes?: readonly string[];
	readonly configs?: readonly { readonly source: string; readonly target: string }[];
	readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
	readonly healthcheck: { readonly test: readonly ["CMD", ...string[]] };
	readonly restart: string;
	readonly stop_grace_period?: string;
};
export type ComposeFile = {
	readonly services: Readonly<Record<string, ComposeService>>;
	readonly networks: Readonly<
		Record<string, { readonly internal?: boolean; readonly ipam: { readonly config: readonly { subnet: string }[] } }>
	>;
	readonly configs: Readonly<Record<string, { readonly content: string }>>;
	readonly volumes: Readonly<Record<string, null>>;
};

export const composePath = new URL("../../../../compose.yaml", import.meta.url);

/** Reads compose.yaml with the values that it takes from the environment, or from the file .env beside it. */
export function readCompose(environment: Readonly<Record<string, string>>): ComposeFile {
	const text = readFileSync(composePath, "utf8").replace(
		/\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g,
		(_, name: string, form: string | undefined, word: string) => {
			const value = environment[name] || (form === ":-" ? word : undefined);
			if (value === undefined) throw new Error(`compose.yaml needs ${name}: ${word}`);
			return value;
		},
	);
	return parse(text, { merge: true }) as ComposeFile;
}

/** Reads a file of lines such as NAME=value. */
export const readEnvironmentFile = (text: string): Record<string, string> =>
	Object.fromEntries(text.split("\n").flatMap((line) => (/^(\w+)=(.*)$/.test(line) ? [splitAt(line, "=")] : [])));

const splitAt = (line: string, mark: string) => {
	const place = line.indexOf(mark);
	return [line.slice(0, place), line.slice(place + 1)] as const;
};
