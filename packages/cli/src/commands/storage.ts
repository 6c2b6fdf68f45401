import { isReelmillError, type StorageLocation, type StorageProfile, type StorageView } from "@reelmill/node";
import type { Command } from "commander";
import { OutcomeError, UsageError } from "../failure.ts";
import type { Io } from "../printing.ts";
import { progressOf } from "../publishing-progress.ts";
import { type Session, sessionOf } from "../session.ts";
import { stepLines } from "../storage-steps.ts";
import type { Columns } from "../table.ts";
import { oneLine } from "../text.ts";

const columns: Columns<StorageLocation> = [
	["ID", ({ id }) => id],
	["NAME", ({ name }) => name],
	["REGION", ({ region }) => region],
];
const secretVariable = "REELMILL_STORAGE_SECRET";
const fieldsHelp = `for example backend=s3_tenant endpoint=https://s3.example.com bucket=videos access_key_id=AKID; give secret_access_key in the environment, as ${secretVariable}`;

export function addStorage(parent: Command, io: Io): void {
	const storage = parent.command("storage").description("where new videos are stored");
	storage
		.command("get")
		.description("show where new videos are stored now")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().storage.get({ signal: io.signal }));
		});
	storage
		.command("set")
		.description("check a place, and store new videos there; a key that you leave out stays as it is")
		.argument("<field=value...>", fieldsHelp)
		.action(async (assignments: string[], _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().storage.update(profileOf(assignments, io), { signal: io.signal }));
		});
	storage
		.command("verify")
		.description("check a place, and save nothing")
		.argument("<field=value...>", fieldsHelp)
		.action(async (assignments: string[], _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().storage.verify(profileOf(assignments, io), { signal: io.signal }));
		});
	storage
		.command("delete")
		.description("store new videos on the service's own disk again; nothing is copied or deleted")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().storage.reset({ signal: io.signal }));
		});
	storage
		.command("locations")
		.description("list the platform's locations, for backend=s3_platform location_id=ID")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			const locations = await session.reelmill().storage.locations({ signal: io.signal });
			await session.table(locations, columns);
		});
	storage
		.command("places")
		.description("list every place where videos of the domain are")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			const data = await session.reelmill().storage.places({ signal: io.signal });
			session.print({ data });
		});
	storage
		.command("doctor")
		.description("check the present place, or another one, and say what is wrong and how to mend it")
		.argument("[field=value...]", fieldsHelp)
		.action(async (assignments: string[], _options: object, command: Command) => {
			const session = sessionOf(io, command);
			const inForce = assignments.length === 0 ? await session.reelmill().storage.get({ signal: io.signal }) : null;
			await examine(session, inForce === null ? profileOf(assignments, io) : profileIn(inForce), inForce);
		});
}

async function examine(session: Session, profile: StorageProfile, inForce: StorageView | null): Promise<void> {
	const { io } = session;
	try {
		const {
			steps,
			warnings = [],
			advice = [],
		} = await session.reelmill().storage.verify(profile, { signal: io.signal });
		const notes = [...(inForce === null ? [] : progressOf(inForce)), ...(await notesOn(profile, io.signal))];
		const [first] = warnings;
		if (first !== undefined) {
			session.print({ healthy: false, steps, warnings, advice, notes }, () =>
				[...stepLines(null, steps), "", ...advice, ...notes].join("\n"),
			);
			throw new OutcomeError(
				first,
				"The storage works, but without a key people can read what they should not, or can't read what they should.",
			);
		}
		session.print({ healthy: true, steps, notes }, () =>
			[...stepLines(null, steps), "The storage works.", ...notes].join("\n"),
		);
	} catch (error) {
		if (isReelmillError(error, "storage_verification_failed")) {
			const { message, extras } = error;
			const { advice = [], provider_said = null } = extras;
			const before = inForce?.last_error ?? null;
			const earlier =
				before === null || message.includes(before) ? [] : [`The last use before this failed otherwise: ${before}`];
			const words = provider_said === null ? [] : [`The provider said: ${provider_said}`];
			const lines = [...stepLines(extras.step, []), message, ...words, ...earlier, "", ...advice];
			session.print({ healthy: false, step: extras.step, message, provider_said, advice }, () =>
				lines.map(oneLine).join("\n"),
			);
			throw new OutcomeError(error.code, `The storage can't be used: it fails to ${extras.step}.`);
		}
		if (!isReelmillError(error, "storage_unavailable")) throw error;
		const advice = [
			"location_id: the location is the platform's. Its operator finds the reason in the service's log and under storage-locations of the admin plane; until it is mended, choose another one.",
		];
		session.print({ healthy: false, step: null, message: error.message, advice }, () =>
			[error.message, "", ...advice].join("\n"),
		);
		throw new OutcomeError(error.code, "The storage can't be used: its location is out of order.");
	}
}

/** Says what players in pages get from the public address, as far as this machine can see. */
async function notesOn({ public_base_url: address }: StorageProfile, signal: AbortSignal): Promise<string[]> {
	if (address == null) return [];
	try {
		const response = await fetch(address, {
			headers: { origin: "https://origin.example" },
			signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
		});
		await response.body?.cancel();
		if (response.headers.has("access-control-allow-origin")) return [];
		return [
			`Note: public_base_url: ${address} sends no Access-Control-Allow-Origin. Pages of other origins can play from it only once its CORS rules allow GET and HEAD with Range.`,
		];
	} catch {
		signal.throwIfAborted();
		return [`Note: public_base_url: ${address} can't be reached from here, where public videos are to be played.`];
	}
}

/** Makes a profile from a view, without the key: the service knows it. */
function profileIn({
	backend,
	location_id,
	endpoint,
	region,
	bucket,
	key_prefix,
	force_path_style,
	public_base_url,
}: StorageView): StorageProfile {
	if (backend === "local") return { backend };
	if (backend === "s3_platform") return { backend, location_id: location_id ?? "" };
	return {
		backend,
		bucket: bucket ?? "",
		...(endpoint !== null && { endpoint }),
		...(region !== null && { region }),
		...(key_prefix !== null && { key_prefix }),
		...(force_path_style !== null && { force_path_style }),
		...(public_base_url !== null && { public_base_url }),
	};
}

/** Makes a profile from `field=value` arguments. The service validates the values. */
function profileOf(assignments: readonly string[], { environment }: Pick<Io, "environment">): StorageProfile {
	const fields = assignments.map((assignment): [string, unknown] => {
		const [, field, text] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
		if (field === undefined || text === undefined)
			throw new UsageError(`${JSON.stringify(assignment.split("=")[0])} is not of the form field=value.`);
		if (field === "force_path_style" && (text === "true" || text === "false")) return [field, text === "true"];
		return [field, field === "public_base_url" && text === "null" ? null : text];
	});
	const profile: Record<string, unknown> = Object.fromEntries(fields);
	if (profile.backend === undefined)
		throw new UsageError("Say the backend: backend=local, backend=s3_platform or backend=s3_tenant.");
	const secret = environment[secretVariable];
	if (profile.access_key_id !== undefined && profile.secret_access_key === undefined && secret)
		profile.secret_access_key = secret;
	return profile as StorageProfile;
}
