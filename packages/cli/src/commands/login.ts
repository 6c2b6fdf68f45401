import { createReelmill, createReelmillAdmin, isReelmillError } from "@reelmill/node";
import { Argument, type Command } from "commander";
import { askSecret } from "../ask.ts";
import { UsageError } from "../failure.ts";
import type { Io } from "../printing.ts";
import { type Profile, readProfiles, writeProfiles } from "../profiles.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";

type Shown = { name: string; current: boolean; url: string; api_key: string | null; admin_key: string | null };
const columns: Columns<Shown> = [
	["", ({ current }) => (current ? "*" : " ")],
	["NAME", ({ name }) => name],
	["URL", ({ url }) => url],
	["KEY", ({ api_key }) => api_key],
	["ADMIN KEY", ({ admin_key }) => admin_key],
];
const last4 = (key: string | undefined): string | null => (key === undefined ? null : `...${key.slice(-4)}`);

export function addLogin(parent: Command, io: Io): void {
	parent
		.command("login")
		.description("keep an address and its key as a profile, for later commands")
		.option("--operator", "keep the operator's key in place of a domain's")
		.addHelpText(
			"after",
			`
It asks for the key and does not show it. From a pipe it reads the first line: print-the-key | reelmill login --url https://video.example.com
The profile has the name of --profile, or "default", and commands use it from now on. Only you can read its file.`,
		)
		.action(async ({ operator }: { operator?: boolean }, command: Command) => {
			const session = sessionOf(io, command);
			const { url, key, adminKey, profile: name = "default" } = session.given;
			const { REELMILL_URL, REELMILL_API_KEY, REELMILL_ADMIN_KEY } = io.environment;
			const known = readProfiles(io);
			const before = Object.hasOwn(known.profiles, name) ? known.profiles[name] : undefined;
			if (before === undefined && (url ?? REELMILL_URL) === undefined)
				throw new UsageError("Say where the service is: --url https://video.example.com.");
			const baseUrl = url === undefined && REELMILL_URL === undefined && before ? before.url : session.baseUrl();
			const told = operator ? (adminKey ?? REELMILL_ADMIN_KEY) : (key ?? REELMILL_API_KEY);
			const secret = told ?? (await askSecret(io, operator ? "The operator's key: " : "The domain's key (ek_...): "));
			const of = await whose(baseUrl, secret, operator === true, io.signal);
			const keys = operator ? { admin_key: secret } : { api_key: secret };
			const profile: Profile = { ...(before?.url === baseUrl ? before : {}), url: baseUrl, ...keys };
			const file = writeProfiles(io, { current: name, profiles: { ...known.profiles, [name]: profile } });
			session.print(
				{ profile: name, url: baseUrl, ...of, file },
				() =>
					`Profile ${name} is kept in ${file}: ${of.domain === null ? baseUrl : `domain ${of.domain} of ${baseUrl}`}.`,
			);
		});
	parent
		.command("logout")
		.description("forget the current profile with its keys, or that of --profile")
		.action((_options: object, command: Command) => {
			const session = sessionOf(io, command);
			const { current, profiles } = readProfiles(io);
			const name = session.given.profile ?? io.environment.REELMILL_PROFILE ?? current;
			if (name === null || !Object.hasOwn(profiles, name)) throw new UsageError("There is no such profile.");
			const { [name]: _forgotten, ...others } = profiles;
			writeProfiles(io, { current: current === name ? null : current, profiles: others });
			session.print({ profile: name, deleted: true }, () => `Profile ${name} is forgotten. Its keys still work.`);
		});
	const commands = parent.command("profiles").description("the addresses and keys that login kept");
	commands
		.command("list")
		.description("list them, with the last four characters of their keys")
		.action(async (_options: object, command: Command) => {
			const { current, profiles } = readProfiles(io);
			const shown = Object.entries(profiles).map(
				([name, { url, api_key, admin_key }]): Shown => ({
					name,
					current: name === current,
					url,
					api_key: last4(api_key),
					admin_key: last4(admin_key),
				}),
			);
			await sessionOf(io, command).table(shown, columns);
		});
	commands
		.command("use")
		.description("make a profile the one that commands use")
		.addArgument(new Argument("<name>"))
		.action((name: string, _options: object, command: Command) => {
			const known = readProfiles(io);
			if (!Object.hasOwn(known.profiles, name)) throw new UsageError(`There is no profile ${name}.`);
			writeProfiles(io, { ...known, current: name });
			sessionOf(io, command).print({ profile: name }, () => `Commands use profile ${name}.`);
		});
}

/** Asks the service whose key this is, so that a wrong one is never kept. */
async function whose(
	baseUrl: string,
	secret: string,
	isOperator: boolean,
	signal: AbortSignal,
): Promise<{ domain: string | null }> {
	if (isOperator) {
		await createReelmillAdmin({ baseUrl, adminKey: secret }).stats.get({ signal });
		return { domain: null };
	}
	const { domain, videos } = createReelmill({ baseUrl, apiKey: secret });
	try {
		return { domain: (await domain.get({ signal })).slug };
	} catch (error) {
		// The key of a sandbox session sees its videos, and no domain.
		if (!isReelmillError(error) || error.code === "unauthorized") throw error;
		await videos.page({ limit: 1, signal });
		return { domain: null };
	}
}
