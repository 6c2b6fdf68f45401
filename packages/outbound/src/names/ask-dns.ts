import { Resolver } from "node:dns/promises";

export type Question = { readonly servers: readonly string[] | undefined; readonly signal: AbortSignal };

/** The first attempt; the second one waits twice as long. */
const tryMilliseconds = 1000;
/** How long an address of the other family is waited for once one is known: some servers never answer that question. */
const otherFamilyMilliseconds = 300;
const notThere = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Asks DNS for the addresses of `name`; returns null if DNS says that there are none. Rejects if DNS doesn't answer or
 * can't tell, and with the signal's reason. It takes no thread: the questions go out on sockets of the event loop.
 */
export async function askDns(name: string, { servers, signal }: Question): Promise<readonly string[] | null> {
	const resolver = new Resolver({ timeout: tryMilliseconds, tries: 2 });
	if (servers !== undefined) resolver.setServers(servers);
	const found: string[] = [];
	const questions = [resolver.resolve4(name), resolver.resolve6(name)].map((question) =>
		question.then((addresses) => void found.push(...addresses)),
	);
	const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
	const onAbort = () => stop(signal.reason);
	signal.addEventListener("abort", onAbort, { once: true });
	try {
		signal.throwIfAborted();
		const failures = await Promise.race([settled(questions, () => found.length > 0), stopped]);
		if (found.length > 0) return found;
		const failure = failures.find(({ code = "" }) => !notThere.has(code));
		if (failure !== undefined) throw failure;
		return null;
	} finally {
		signal.removeEventListener("abort", onAbort);
		resolver.cancel();
	}
}

/** Waits for both answers, but only briefly for the second one if the first is enough. Returns the errors. */
async function settled(questions: readonly Promise<void>[], isEnough: () => boolean): Promise<NodeJS.ErrnoException[]> {
	const failures: NodeJS.ErrnoException[] = [];
	const answers = questions.map((question) =>
		question.catch((error: NodeJS.ErrnoException) => void failures.push(error)),
	);
	await Promise.race(answers);
	if (!isEnough()) await Promise.all(answers);
	else await within(otherFamilyMilliseconds, Promise.all(answers));
	return failures;
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)))]).finally(() =>
		clearTimeout(timer),
	);
}
