import { type Command, CommanderError } from "commander";
import { reachedBy, visible } from "./completions.ts";

/** What people call the same thing. Each row is of one meaning. */
const meanings: readonly (readonly string[])[] = [
	["show", "get", "view", "info", "describe", "inspect", "read", "status", "cat"],
	["list", "ls", "all", "index", "ps"],
	["delete", "rm", "remove", "del", "destroy", "drop"],
	["create", "add", "new", "make", "mint"],
	["update", "set", "edit", "change", "modify", "patch"],
	["cancel", "stop", "abort", "kill"],
	["reprocess", "retry", "requeue", "rerun"],
	["replay", "resend", "redeliver", "retry"],
	["rotate", "rotate-key", "rotate-secret", "renew", "roll", "regenerate"],
	["revoke", "end", "disable", "expire"],
	["listen", "forward", "tail", "watch", "follow", "logs"],
	["trigger", "send", "emit", "fire"],
	["test", "ping", "try", "verify", "doctor"],
	["timeline", "history", "events", "log"],
	["transcript", "captions", "subtitles"],
	["visibility", "publish", "unpublish", "public", "private"],
	["upload", "put", "push", "send"],
	["import", "sync", "migrate", "copy"],
	["playback-key", "token", "play"],
	["login", "signin", "sign-in", "auth", "configure", "init"],
	["logout", "signout", "sign-out"],
	["dev", "start", "serve", "server", "run", "up"],
	["domains", "tenants", "projects"],
	["check", "fsck", "audit-storage"],
];

/**
 * Returns a failure whose sentence says what was probably meant, if a command line names a command that is not there.
 * Any other failure stays as it is.
 */
export function withSuggestion(error: unknown, root: Command, words: readonly string[]): unknown {
	if (!(error instanceof CommanderError) || error.code !== "commander.unknownCommand") return error;
	const { command, given } = reachedBy(root, words);
	const [unknown = ""] = given;
	const [first = ""] = error.message.replace(/^error: /, "").split("\n");
	const guess = /\((Did you mean [^()]*)\)/.exec(error.message)?.[1];
	const meant = meantBy(unknown, command, root);
	const path = pathOf(command);
	const names = visible(command).map((one) => one.name());
	const lines = [
		`${first}${path === "" ? "" : ` of ${path}`}.`,
		meant.length > 0 ? `Did you mean ${either(meant)}?` : guess,
		path === ""
			? "reelmill --help lists the commands."
			: `It has: ${names.filter((name) => name !== "help").join(", ")}.`,
	];
	return new CommanderError(error.exitCode, error.code, lines.filter((line) => line !== undefined).join(" "));
}

/** The commands of a group that mean what the word means, or those of other groups that have its very name. */
function meantBy(word: string, command: Command, root: Command): string[] {
	const same = new Set(meanings.filter((names) => names.includes(word)).flat());
	const here = visible(command).filter((one) => same.has(one.name()) && one.name() !== "help");
	if (here.length > 0) return here.map((one) => one.name());
	const groups = command === root ? visible(root) : [];
	return groups.flatMap((group) =>
		visible(group)
			.filter((one) => one.name() === word)
			.map(pathOf),
	);
}

const pathOf = (command: Command): string =>
	command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();
const either = (names: readonly string[]): string =>
	new Intl.ListFormat("en", { type: "disjunction" }).format(names.slice(0, 4));
