import type { StorageWarning } from "@reelmill/contracts";
import type { ByteStores, Clock } from "../../ports/index.ts";
import { within } from "../../system/index.ts";
import { publicFolder } from "../profiles/public-urls.ts";

/** Sends a request without credentials; rejects for any answer but 200. */
export type Follow = (url: string) => Promise<Uint8Array>;

/** Where anyone is meant to read: the bucket's root, and its key prefix. */
export type PublicAddresses = { readonly root: string; readonly prefix: string };

export type Probe = { readonly key: string; readonly uploadId: string; readonly bytes: Uint8Array };

/** By which an edge is known: it serves public videos, and no probes. */
const edgeMark = { name: "edge.txt", bytes: Buffer.from("reelmill-edge\n") };

/** What doesn't answer in this time counts as not served. */
const lookMilliseconds = 3000;

/** Finds out how a bucket treats those who have no key to it, with probe objects that exist. It never rejects. */
export async function findWarnings(
	{ uploads, outputs }: ByteStores,
	{ key, uploadId, bytes }: Probe,
	{ follow, at, clock }: { readonly follow: Follow; readonly at: PublicAddresses | null; readonly clock: Clock },
): Promise<StorageWarning[]> {
	const serves = async (url: string | null, isIt: (answer: Buffer) => boolean): Promise<boolean> => {
		if (url === null) return false;
		try {
			return isIt(Buffer.from(await follow(url)));
		} catch {
			return false;
		}
	};
	const isProbe = (answer: Buffer): boolean => answer.equals(bytes);
	const signed = { method: "GET", seconds: 60 } as const;
	const output = outputs.capabilities.presign ? bare(await outputs.presign(key, signed).catch(() => null)) : null;
	const upload = uploads.capabilities.presign ? bare(await uploads.presign(uploadId, signed).catch(() => null)) : null;
	const list = upload && `${upload.slice(0, -uploadId.length)}?list-type=2&max-keys=1`;

	const isPublicServed = async (): Promise<boolean> => {
		if (at === null) return true;
		const published = `${publicFolder}${key}`;
		const once = async function* () {
			yield bytes;
		};
		try {
			await outputs.put(published, once());
		} catch {
			return false;
		}
		const served = await Promise.all([
			serves(`${at.prefix}/${published}`, isProbe),
			serves(`${at.prefix}/${publicFolder}${edgeMark.name}`, (answer) => answer.equals(edgeMark.bytes)),
		]);
		return served.includes(true);
	};
	const looks: readonly (readonly [StorageWarning, Promise<boolean>])[] = [
		["outputs_readable", serves(output, isProbe)],
		["outputs_readable", serves(at && `${at.prefix}/${key}`, isProbe)],
		["uploads_readable", serves(upload, isProbe)],
		["uploads_readable", serves(at && `${at.root}/${uploadId}`, isProbe)],
		["keys_listable", serves(list, (answer) => answer.includes("<ListBucketResult"))],
		["public_unreadable", isPublicServed().then((isServed) => !isServed)],
	];
	const found = await Promise.all(
		looks.map(async ([warning, look]) =>
			(await within(clock, lookMilliseconds, look, () => warning === "public_unreadable")) ? [warning] : [],
		),
	);
	return [...new Set(found.flat())];
}

/** A presigned URL without its signature is the object's own address. */
const bare = (url: string | null): string | null => url?.split("?", 1)[0] ?? null;
