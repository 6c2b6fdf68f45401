import { randomUUID } from "node:crypto";
import type { UploadStore } from "@reelmill/engine/ports";
import { checkId } from "@reelmill/engine/ports";
import { takeBatches } from "./batches.ts";
import { addChunk, type Content, checkRange, readChunks } from "./contents.ts";
import type { SqliteFile } from "./sqlite-file.ts";

export type SqliteUploadStoreOptions = {
	/** For a storage that only takes bytes: it has no `read`. */
	readonly writeOnly?: boolean;
};

const pageRows = 1000;

/**
 * Stores uploads as rows of a SQLite file. An upload's size and its bytes change in one transaction, so that neither is
 * ever ahead of the other.
 */
export function createSqliteUploadStore(
	file: SqliteFile,
	{ writeOnly = false }: SqliteUploadStoreOptions = {},
): UploadStore {
	const find = (id: string): Content | undefined => {
		checkId(id);
		return file.look((database) => database.prepare("select content, size from uploads where id = ?").get(id)) as
			| Content
			| undefined;
	};

	return {
		capabilities: { presign: false, download: !writeOnly },
		async create(id) {
			checkId(id);
			file.change((database) =>
				database.prepare("insert or ignore into uploads (id, content, size) values (?, ?, 0)").run(id, randomUUID()),
			);
		},
		async size(id) {
			return find(id)?.size ?? null;
		},
		async append(id, offset, bytes, { limit, signal }) {
			const upload = find(id);
			if (upload?.size !== offset)
				throw new RangeError(`The upload stands at ${upload?.size ?? "nothing"}: none can be appended at ${offset}`);
			let reached = offset;
			await takeBatches(bytes, signal, (batch) => {
				const kept = batch.subarray(0, limit - reached);
				if (kept.length > 0) {
					file.change((database) => {
						const grown = database.prepare(
							"update uploads set size = size + ? where id = ? and content = ? and size = ?",
						);
						if (grown.run(kept.length, id, upload.content, reached).changes === 0)
							throw new RangeError("The upload was discarded meanwhile");
						addChunk(database, upload.content, reached, kept);
					});
				}
				reached += kept.length;
				if (kept.length < batch.length) throw new RangeError(`The bytes pass the limit of ${limit}`);
			});
			if (find(id)?.content !== upload.content) throw new RangeError("The upload was discarded meanwhile");
			return reached;
		},
		async read(id, range) {
			const found = find(id);
			if (writeOnly) throw new TypeError("This storage gives no bytes");
			if (!found) return null;
			checkRange(found.size, range);
			return { size: found.size, bytes: readChunks(file, found, range) };
		},
		async presign(id) {
			checkId(id);
			throw new TypeError("A SQLite file has no URLs to sign");
		},
		async discard(id) {
			checkId(id);
			file.change((database) => {
				database.prepare("delete from chunks where content = (select content from uploads where id = ?)").run(id);
				database.prepare("delete from uploads where id = ?").run(id);
			});
		},
		async *list() {
			const page = (after: string) =>
				file.look((database) =>
					database.prepare("select id, size from uploads where id > ? order by id limit ?").all(after, pageRows),
				) as {
					id: string;
					size: number;
				}[];
			for (let rows = page(""); rows.length > 0; rows = page(rows.at(-1)?.id ?? ""))
				for (const { id, size } of rows) yield { id, size };
		},
	};
}
