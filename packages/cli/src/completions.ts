import type { Command, Option } from "commander";

/** One word that can stand at the cursor, and what it does. */
export type Candidate = { word: string; about: string };

/** Returns the command that words lead to, the words that are none of a command, and an option whose value is missing. */
export function reachedBy(
	root: Command,
	words: readonly string[],
): { readonly command: Command; readonly given: readonly string[]; readonly asking: Option | undefined } {
	let command = root;
	let asking: Option | undefined;
	const given: string[] = [];
	for (const word of words) {
		if (asking !== undefined) asking = undefined;
		else if (word.startsWith("-"))
			asking = optionsOf(command).find((option) => takesValue(option) && isFlag(option, word));
		else {
			const inner = visible(command).find((one) => one.name() === word);
			if (inner === undefined) given.push(word);
			else {
				command = inner;
				given.length = 0;
			}
		}
	}
	return { command, given, asking };
}

/**
 * Returns what can stand at the last of the words, which may be empty. The words are those after the program's name.
 * No candidates mean that the shell offers files.
 */
export function candidatesOf(root: Command, words: readonly string[]): Candidate[] {
	const typed = words.at(-1) ?? "";
	const { command, given, asking } = reachedBy(root, words.slice(0, -1));
	const [, flag, value] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? [];
	if (flag !== undefined) {
		const choices = optionsOf(command).find((option) => isFlag(option, flag))?.argChoices ?? [];
		return startingWith(
			choices.map((choice) => ({ word: `${flag}=${choice}`, about: "" })),
			`${flag}=${value}`,
		);
	}
	if (asking !== undefined) return startingWith(wordsOf(asking.argChoices), typed);
	if (typed.startsWith("-"))
		return startingWith(
			optionsOf(command).flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
			typed,
		);
	const commands = visible(command).map((one) => ({ word: one.name(), about: one.summary() || one.description() }));
	const choices = wordsOf(command.registeredArguments[given.length]?.argChoices);
	return startingWith(commands.length > 0 ? commands : choices, typed);
}

const wordsOf = (choices: readonly string[] | undefined): Candidate[] =>
	(choices ?? []).map((word) => ({ word, about: "" }));
const startingWith = (candidates: readonly Candidate[], typed: string): Candidate[] =>
	candidates.filter(({ word }) => word.startsWith(typed));
export const visible = (command: Command): Command[] => command.createHelp().visibleCommands(command) as Command[];
const isFlag = ({ long, short }: Option, word: string): boolean => long === word || short === word;
const takesValue = (option: Option): boolean => option.required || option.optional;

/** The options of a command and of those that it stands in, and help. */
function optionsOf(command: Command): Option[] {
	const help = command.createHelp();
	return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}
