import { CsvError, parse } from "csv-parse/sync";
import { UsageError } from "../failure.ts";
import type { Fields } from "./fields.ts";

const columns = [
	"url",
	"external_ref",
	"title",
	"visibility",
	"uploader_ref",
	"content_type",
	"file_size",
	"duration_seconds",
];
const groups = /^(captions|values)\.(.+)$/;

/**
 * Reads a CSV whose first line names its columns, separated by commas, semicolons or tabs. Returns each line with its
 * number as a video of a plain list.
 * @throws {UsageError} when it is no CSV, or has columns that mean nothing
 */
export function readCsv(text: string, path: string): { readonly place: string; readonly video: Fields }[] {
	const heading = /^.*/.exec(text)?.[0] ?? "";
	const delimiter = [",", ";", "\t"].find((one) => heading.includes(one)) ?? ",";
	try {
		const lines = parse(text, {
			columns: (names: string[]) => checked(names, path),
			delimiter,
			info: true,
			skip_empty_lines: true,
			trim: true,
		}) as unknown as { info: { lines: number }; record: Record<string, string> }[];
		return lines.map(({ info, record }) => ({ place: `Line ${info.lines}`, video: videoOf(record) }));
	} catch (error) {
		if (error instanceof CsvError) throw new UsageError(`${path} is no CSV: ${error.message}.`);
		throw error;
	}
}

function checked(names: string[], path: string): string[] {
	const unknown = names.find((name, at) => !(columns.includes(name) || groups.test(name)) || names.indexOf(name) < at);
	if (unknown !== undefined || !names.includes("url"))
		throw new UsageError(
			`The first line of ${path} must name each column once, url among them${unknown === undefined ? "" : `, and ${JSON.stringify(unknown)} is none`}. The columns are ${columns.join(", ")}, captions.LANGUAGE for an address of captions, and values.KEY.`,
		);
	return names;
}

function videoOf(record: Readonly<Record<string, string>>): Fields {
	const grouped = Object.entries(record).flatMap(([name, text]) => {
		const [, group, key = ""] = groups.exec(name) ?? [];
		return group === undefined || text === "" ? [] : [{ group, key, text }];
	});
	const of = (wanted: string) => grouped.filter(({ group }) => group === wanted);
	return {
		...record,
		captions: of("captions").map(({ key: language, text: url }) => ({ language, url })),
		values: Object.fromEntries(of("values").map(({ key, text }) => [key, text])),
	};
}
