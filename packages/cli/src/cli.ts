import { Command } from "commander";
import { addAccounts } from "./commands/accounts.ts";
import { addApi } from "./commands/api.ts";
import { addAudit } from "./commands/audit.ts";
import { addCaptions } from "./commands/captions.ts";
import { addChapters } from "./commands/chapters.ts";
import { addCheck } from "./commands/check.ts";
import { addClips } from "./commands/clips.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConfig } from "./commands/config.ts";
import { addDev } from "./commands/dev.ts";
import { addDomains } from "./commands/domains.ts";
import { addErasures } from "./commands/erasures.ts";
import { addImport } from "./commands/import.ts";
import { addImports } from "./commands/imports.ts";
import { addKeys } from "./commands/keys.ts";
import { addLogin } from "./commands/login.ts";
import { addMove } from "./commands/move.ts";
import { addOutros } from "./commands/outros.ts";
import { addPlaybackKey } from "./commands/playback-key.ts";
import { addPoster } from "./commands/poster.ts";
import { addServiceAccounts } from "./commands/service-accounts.ts";
import { addStats } from "./commands/stats.ts";
import { addStorage } from "./commands/storage.ts";
import { addUpload } from "./commands/upload.ts";
import { addLimits, addUsage } from "./commands/usage.ts";
import { addVideos } from "./commands/videos.ts";
import { addWebhooks } from "./commands/webhooks.ts";
import { addWork } from "./commands/work.ts";
import { failureLines, failureOf } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { type Io, printing } from "./printing.ts";
import { withSuggestion } from "./suggestions.ts";
import { version } from "./version.ts";

/** A line of help is read more easily if it isn't as long as a wide window. */
const widthOf = ({ isTTY, columns }: Io["stdout"]): number => (isTTY ? Math.min(columns || 80, 110) : 80);

const notes = `
To begin:
  reelmill dev                                            a whole service on this machine
  reelmill login --url https://video.example.com          keep the address and the key of one that runs
  reelmill upload holiday.mp4 --wait                      upload, and wait until it plays

In the environment, in place of an option:
  REELMILL_URL        for --url
  REELMILL_API_KEY    for --key
  REELMILL_ADMIN_KEY  for --admin-key
  REELMILL_PROFILE    for --profile
  REELMILL_STORAGE_SECRET  for secret_access_key of the storage commands
  NO_COLOR, FORCE_COLOR    for colours; otherwise a terminal has them
All else comes from the profile that \`reelmill login\` made.
Others on this machine can see a key in an option, but not in the environment.

Exit codes: 0 done, 1 failed, 2 the command line is wrong.`;

/**
 * Runs one command line, given without the program's name. Returns its exit code: 0 if it is done, 1 if it failed, 2 if
 * the command line is wrong. It never rejects. Results go to `io.stdout`; with `--json` that is one JSON document, or
 * one on each line if there are many. Failures go to `io.stderr`. On both, control and format characters of a
 * text are written as `\uXXXX`.
 * @example
 * ```ts
 * import { runCli } from "reelmill";
 *
 * const printed: string[] = [];
 * const exitCode = await runCli(["usage", "--json"], {
 * 	environment: { REELMILL_URL: "https://video.example.com", REELMILL_API_KEY: "ek_your_domain_key" },
 * 	stdout: { write: (text) => printed.push(text) },
 * 	stderr: process.stderr,
 * 	signal: AbortSignal.timeout(60_000),
 * });
 * console.log(exitCode, JSON.parse(printed.join("")).uploaded_bytes); // => 0 0
 * ```
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<0 | 1 | 2> {
	const printed = printing(io);
	const program = createProgram(printed);
	try {
		await program.parseAsync(args, { from: "user" });
		return 0;
	} catch (error) {
		const { exitCode, body } = failureOf(withSuggestion(error, program, args), printed.asked);
		if (body && args.includes("--json")) printed.stderr.write(`${JSON.stringify(body)}\n`);
		else if (body) for (const line of failureLines(body)) printed.stderr.line(line);
		return exitCode;
	}
}

/** Returns every command with its options, for one command line: commander keeps what it read. */
export function createProgram(io: Io): Command {
	const root = new Command("reelmill")
		.description("The command line of Reelmill, for operators and tenants.")
		.version(version, "-V, --version", "show the version")
		.helpOption("-h, --help", "show this help")
		.option("--url <address>", "where the service is, for example https://video.example.com")
		.option("--key <key>", "the domain's key (ek_...), for a tenant's commands")
		.option("--admin-key <key>", "the operator's key, for the operator's commands")
		.option("--profile <name>", "the address and the key that login kept under this name")
		.option("--json", "print JSON: one document, or one on each line of a list; failures too, on stderr")
		.configureHelp({ showGlobalOptions: true })
		.configureOutput({
			writeOut: (text) => io.stdout.write(text),
			writeErr: (text) => io.stderr.write(text),
			outputError: () => {},
			getOutHelpWidth: () => widthOf(io.stdout),
			getErrHelpWidth: () => widthOf(io.stderr),
		})
		.addHelpText("after", notes)
		.exitOverride();
	root.commandsGroup("A tenant's commands:");
	addUpload(root, io);
	addImport(root, io);
	addImports(root, io);
	addMove(root, io);
	addVideos(root, io);
	addCaptions(root, io);
	addChapters(root, io);
	addClips(root, io);
	addPoster(root, io);
	addOutros(root, io);
	addPlaybackKey(root, io);
	addErasures(root, io);
	addConfig(root, io);
	addStorage(root, io);
	addUsage(root, io);
	addLimits(root, io);
	addKeys(root, io);
	addWebhooks(root, io);
	root.commandsGroup("The operator's commands:");
	addDomains(root, io);
	addServiceAccounts(root, io);
	addAccounts(root, io);
	addAudit(root, io);
	addStats(root, io);
	addWork(root, io);
	addCheck(root, io);
	root.commandsGroup("For everybody:");
	addDev(root, io);
	addLogin(root, io);
	addApi(root, io);
	addCompletion(root, io);
	return root;
}
