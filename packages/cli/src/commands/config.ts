import type { Domain, DomainConfigPatch } from "@reelmill/node";
import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

/** Fields whose value is text, even if it looks like a number or JSON. */
const texts = ["default_visibility", "default_outro_slug", "webhook_url", "webhook_secret"];

export function addConfig(parent: Command, io: Io): void {
	const config = parent.command("config").description("the domain's configuration");
	config
		.command("show")
		.description("show every field")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(shown(await session.reelmill().domain.get({ signal: io.signal })));
		});
	config
		.command("set")
		.description("change fields; the others keep their values")
		.argument(
			"<field=value...>",
			"for example transcript=true outputs.dash=true renditions=h264_720,av1_720 webhook_url=null",
		)
		.action(async (assignments: string[], _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(shown(await session.reelmill().domain.updateConfig(patchOf(assignments), { signal: io.signal })));
		});
}

const shown = ({ config, webhook_secret_set }: Domain) => ({ ...config, webhook_secret_set });

/**
 * Makes a merge patch from `field=value` arguments. `null`, `true`, numbers and JSON are what they look like; lists may
 * be written with commas; `outputs.dash=true` sets a field of `outputs`. The service validates the values.
 */
export function patchOf(assignments: readonly string[]): DomainConfigPatch {
	const patch: Record<string, unknown> = {};
	for (const assignment of assignments) {
		const [, field, inner, text] = /^(\w+)(?:\.(\w+))?=(.*)$/s.exec(assignment) ?? [];
		if (field === undefined || text === undefined)
			throw new UsageError(`${JSON.stringify(assignment)} is not of the form field=value.`);
		const value = readValue(field, text);
		if (inner === undefined) patch[field] = value;
		else patch[field] = { ...(patch[field] as object | undefined), [inner]: value };
	}
	return patch as DomainConfigPatch;
}

function readValue(field: string, text: string): unknown {
	if (text === "null") return null;
	if (texts.includes(field)) return text;
	try {
		return JSON.parse(text);
	} catch {
		return ["renditions", "cors_origins"].includes(field) ? text.split(",").filter((item) => item !== "") : text;
	}
}
