import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEngine } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import type { ConsoleForTests } from "./console.ts";
import type { WatchedPage } from "./start-console.ts";

type Person = {
	/** The domains that the person sees as a member. */
	readonly domainIds: readonly string[];
	readonly email?: string;
};

/**
 * Opens a path as a member of the console whom an identity provider vouches for: as if the person had just come back
 * from there. Resolves to the page and the id of the account.
 */
export async function signInAs(
	console: ConsoleForTests,
	subject: string,
	path: string,
	{ domainIds, email = `${subject}@members.example` }: Person,
): Promise<{ page: WatchedPage; accountId: string }> {
	const engine = createEngine({
		database: console.database,
		masterKey: Buffer.from(await readFile(join(console.directory, "master.key"), "utf8"), "base64"),
		baseUrl: console.url,
		logger: createRecordingLogger(),
		uploads: createLocalUploadStore({ directory: join(console.directory, "uploads") }),
		outputs: createLocalObjectStorage({ directory: join(console.directory, "outputs") }),
		webhookTransport: {
			send: async () => ({ status: 200, error: null }),
			refusal: () => null,
			close: async () => undefined,
		},
	});
	const identity = { issuer: "https://login.example", subject, email, emailVerified: true };
	const { id } = (await engine.console.signInAs(identity)).session.account;
	await console.admin.call("updateConsoleAccount", { params: { id }, body: { domain_ids: [...domainIds] } });
	const { token } = await engine.console.signInAs(identity);
	const cookie = { name: "reelmill_session", value: token, domain: "127.0.0.1", path: "/", expires: -1 };
	const cookies = [{ ...cookie, httpOnly: true, secure: false, sameSite: "Lax" as const }];
	return { page: await console.open(path, { storageState: { cookies, origins: [] } }), accountId: id };
}
