import { outputSumsFile } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { StorageError } from "../ports/index.ts";
import { isServed } from "../serving/index.ts";
import { publishedPrefix } from "../storage/index.ts";
import { largestSums, readSums, sumOf } from "../sums/index.ts";
import type { Parts } from "../system/index.ts";
import { folderOf, isAdded, isCopied, type StoredOutputs } from "../videos/index.ts";
import { createCompare, type SummedObject } from "./compare.ts";
import { copyAgain } from "./copies.ts";
import type { Inspect, Inspection } from "./inspection.ts";
import { type CheckedRow, rowsOf, rowsWithOutputs } from "./rows.ts";

/** A row as it is compared. */
type Row = CheckedRow & { readonly outputs: StoredOutputs };
/** A file of a row's outputs, or the copy of it that anyone may read. */
type Item = SummedObject & { readonly path: string; readonly publication: string | null };
/** Where the comparison of a row goes on: behind the item of this key, with the reading of this name; "" for none. */
type Stop = { readonly behind: string; readonly reading: string };

const mostRows = 20;
/** Small files are read together, and to their end: a bucket takes longer to answer than to send them. */
const smallBytes = 256 * 1024;
const smallAtOnce = 8;

/** Compares the bytes of outputs, and of their public copies, with their sums, in the order of the rows' folders. */
export function createBytesInspection({ database, clock, random }: Parts): Inspect {
	const compare = createCompare(clock);

	const publicationsOf = async ({ place }: Inspection, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> => {
		if (place.profileId === null) return new Map();
		const found = await database.query<{ id: string; video_id: string }>(sql`
			select w.id, w.video_id from reelmill.publications w
			where w.video_id = any(${rows.map(({ id }) => id)}::uuid[]) and w.copied_at is not null and ${place.holds(sql`w.storage_profile_id`)}`);
		return new Map(found.map(({ id, video_id }) => [video_id, id]));
	};

	/** Returns what can be compared of a row, in an order that stays as long as the row does. */
	const itemsOf = (
		{ id, outputs }: Row,
		sums: ReadonlyMap<string, string>,
		publication: string | undefined,
	): readonly Item[] => {
		const files = Object.keys(outputs.files)
			.sort()
			.flatMap((path): Item[] => {
				const [size, sum] = [outputs.files[path] as number, sums.get(path)];
				return sum === undefined ? [] : [{ path, key: folderOf(outputs, path) + path, size, sum, publication: null }];
			});
		if (publication === undefined) return files;
		const copied = files.filter(({ path }) => isServed(path) && isCopied(outputs, path));
		const prefix = publishedPrefix(id, publication);
		return [...files, ...copied.map((item) => ({ ...item, key: prefix + item.path, publication }))];
	};

	/** A file is deleted with its row, and a copy with its publication: returns whether it is still to be there. */
	const isStill = async ({ place }: Inspection, row: Row, { path, publication }: Item): Promise<boolean> => {
		const [now] = (await rowsOf(database, place, [row.id])).filter(isComparable);
		if (now === undefined || folderOf(now.outputs, path) !== folderOf(row.outputs, path)) return false;
		if (publication === null) return true;
		const found = await database.query(
			sql`select from reelmill.publications where id = ${publication} and copied_at is not null`,
		);
		return found.length > 0;
	};

	/** Compares one item, and reports it if it differs. Returns false if the reading is to go on in the next step. */
	const lookAt = async (
		inspection: Inspection,
		row: Row,
		item: Item,
		reading: string | null,
		take?: (chunk: Uint8Array) => void,
	): Promise<boolean> => {
		const { stores, requested, now, isOver } = inspection;
		const outcome = await compare(stores.outputs, item, {
			reading,
			isOver,
			// A tenant's bucket that drips must not hold up the check of the others.
			isPatient: inspection.place.domainId === null,
			take(chunk) {
				inspection.read(chunk.length);
				take?.(chunk);
			},
		});
		if (outcome === "unfinished") return false;
		// What is missing, the comparison of lists reports.
		if (outcome === "same" || outcome === "missing" || !(await isStill(inspection, row, item))) return true;
		const { publication } = item;
		const what =
			outcome === "differs"
				? `Its bytes are not those that were stored, whose SHA-256 is ${item.sum}`
				: `It can't be read (${outcome.unreadable})`;
		const advice =
			publication !== null
				? "--repair copies it again"
				: outcome === "differs"
					? "put it back from a backup, or delete it and check with --repair"
					: "check again first, since the storage may have been busy";
		await inspection.found(
			{
				kind: publication === null ? "bytes_differ" : "public_copy_differs",
				reference: item.key,
				domainId: row.domain_id,
				videoId: row.id,
				message: `${what}: ${advice}.`,
			},
			publication !== null && requested.repair ? () => copyAgain(database, publication, now) : null,
		);
		return true;
	};

	/**
	 * Returns the sums by path. The file of sums counts only if it is the one that the row knows: it is reported if it
	 * differs, and no loss if it is missing.
	 */
	const sumsOf = async (inspection: Inspection, row: Row): Promise<ReadonlyMap<string, string>> => {
		const { prefix, sums = {} } = row.outputs;
		const own = new Map(Object.entries(sums));
		const [key, sum] = [prefix + outputSumsFile, own.get(outputSumsFile)];
		const size = (sum === undefined ? null : await inspection.stores.outputs.head(key))?.size;
		if (size === undefined || sum === undefined || size > largestSums) return own;
		const item = { path: outputSumsFile, key, size, sum, publication: null };
		const chunks: Uint8Array[] = [];
		await lookAt(inspection, row, item, null, (chunk) => chunks.push(chunk));
		const bytes = Buffer.concat(chunks);
		if (sumOf(bytes) !== sum) return own;
		// A file that was added later may have the name of one of the first files.
		const first = [...(readSums(bytes.toString()) ?? [])].filter(([path]) => !isAdded(row.outputs, path));
		return new Map([...own, ...first]);
	};

	/** Compares a row's items from `stop` on. Returns where the next step goes on; `null` if all are done. */
	const lookAtRow = async (
		inspection: Inspection,
		row: Row,
		publication: string | undefined,
		stop: Stop,
	): Promise<Stop | null> => {
		const sums = await sumsOf(inspection, row);
		const isBeginning = stop.behind === "" && stop.reading === "";
		if (isBeginning && Object.keys(row.outputs.files).some((path) => !sums.has(path))) inspection.lacksSums();
		const items = itemsOf(row, sums, publication);
		let { behind, reading } = stop;
		for (let done = 1 + items.findIndex(({ key }) => key === behind); done < items.length; ) {
			const together = itemsTogether(items.slice(done, done + smallAtOnce));
			if (reading === "") reading = random.uuid();
			const name = together.length === 1 ? reading : null;
			// All of them are reported before one that fails ends the step.
			const looks = await Promise.allSettled(together.map((item) => lookAt(inspection, row, item, name)));
			const failed = looks.find((look) => look.status === "rejected");
			if (failed !== undefined) throw failed.reason;
			if (looks.some((look) => look.status === "fulfilled" && !look.value)) return { behind, reading };
			done += together.length;
			reading = "";
			behind = together.at(-1)?.key ?? "";
			if (done < items.length && inspection.isOver()) return { behind, reading };
		}
		return null;
	};

	return async (inspection, after) => {
		const { place } = inspection;
		const { folder, stop } = readAfter(after);
		const begun = stop === null ? [] : await rowsOf(database, place, [folder.slice(folder.indexOf("/") + 1)]);
		const next = await rowsWithOutputs(database, place, { after: folder, last: null, most: mostRows });
		const rows = [...begun, ...next].filter(isComparable);
		if (rows.length > 0 && !inspection.stores.outputs.capabilities.download)
			throw new StorageError("failed", "It gives no bytes through the service, so that none are compared with sums.");
		const publications = await publicationsOf(inspection, rows);
		for (const row of rows) {
			const name = `${row.domain_id}/${row.id}`;
			const from = stop !== null && name === folder ? stop : { behind: "", reading: "" };
			const left = await lookAtRow(inspection, row, publications.get(row.id), from);
			if (left !== null) return `${name}|${left.behind}|${left.reading}`;
			if (inspection.isOver()) return name;
		}
		const last = next.at(-1);
		return next.length < mostRows || last === undefined ? null : `${last.domain_id}/${last.id}`;
	};
}

const isComparable = (row: CheckedRow): row is Row => row.here && row.deleted_at === null && row.outputs !== null;

/** Returns the items to be read at the same time: the first one, and small ones after it if it is small. */
function itemsTogether(items: readonly Item[]): readonly Item[] {
	const large = items.findIndex(({ size }) => size > smallBytes);
	return items.slice(0, large === -1 ? items.length : Math.max(1, large));
}

/** Reads where a step ended: behind a folder, or within one. */
function readAfter(after: string): { readonly folder: string; readonly stop: Stop | null } {
	const [folder = "", behind, reading = ""] = after.split("|");
	return { folder, stop: behind === undefined ? null : { behind, reading } };
}
