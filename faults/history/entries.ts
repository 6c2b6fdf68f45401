import type { Fault, FaultKind } from "../plan/catalogue.ts";

/** Bytes that were acknowledged and that the copy of the disk does not have as they were sent. */
export type Lost = { readonly key: string; readonly acknowledged: number; readonly found: string };

/** A connection of a server: with clients, with workers, or with the database. */
export type Way = "clients" | "workers" | "database";

/** What an uploader reports about its upload. */
export type UploadEntry =
	| {
			readonly kind: "initiated";
			readonly video: string;
			readonly domain: string;
			readonly size: number;
			readonly sha256: string;
			readonly seed: number;
			readonly intent: string;
	  }
	/**
	 * The service said that it has these bytes, in an answer to PATCH, POST or HEAD. `askedAt` is when the request began.
	 */
	| {
			readonly kind: "acknowledged";
			readonly video: string;
			readonly offset: number;
			readonly by: "write" | "head";
			readonly askedAt: number;
	  }
	/** The service said that the upload is complete. */
	| { readonly kind: "finished"; readonly video: string }
	/** The service said that the video is cancelled or deleted. */
	| { readonly kind: "ended"; readonly video: string; readonly by: "cancel" | "terminate" | "delete" }
	| { readonly kind: "given-up"; readonly video: string; readonly code: string };

/** What a worker reports about its job. */
export type JobEntry =
	| {
			readonly kind: "claimed";
			readonly video: string;
			readonly lock: string;
			readonly attempt: number;
			readonly worker: string;
	  }
	| { readonly kind: "fetched"; readonly video: string; readonly lock: string; readonly sha256: string }
	/** The service said that the attempt's outputs are now the video's outputs. */
	| { readonly kind: "completed"; readonly video: string; readonly lock: string }
	| { readonly kind: "failed"; readonly video: string; readonly lock: string; readonly retryable: boolean }
	| { readonly kind: "dropped"; readonly video: string; readonly lock: string; readonly code: string };

/** What tenants edit of a finished video. */
export type EditOf = "captions" | "chapters" | "metadata" | "poster";

/**
 * What a tenant reports about edits: one was sent, it was answered, and at the end which one is there. `failed` means
 * that a poster could not be made.
 */
export type EditEntry =
	| { readonly kind: "edits"; readonly video: string; readonly of: EditOf; readonly number: number }
	| { readonly kind: "edited"; readonly video: string; readonly of: EditOf; readonly number: number }
	| {
			readonly kind: "read-edit";
			readonly video: string;
			readonly of: EditOf;
			readonly number: number | null;
			readonly failed?: boolean;
	  };

/** A stretch of a video, in pictures. */
export type Stretch = { readonly first: number; readonly pictures: number };

/** What a tenant reports about a clip: it was asked for under a key, it was answered, and at the end what is in it. */
export type ClipEntry =
	| ({ readonly kind: "cuts"; readonly source: string; readonly key: string } & Stretch)
	| ({ readonly kind: "cut"; readonly source: string; readonly key: string; readonly video: string } & Stretch)
	| ({ readonly kind: "read-clip"; readonly video: string } & Stretch);

/**
 * What a tenant and the origin report about an import, by the number of its file: it was asked for, it was answered,
 * its cancel was sent, and what the origin did with a request for the file.
 */
export type ImportEntry =
	| { readonly kind: "imports"; readonly number: number }
	| { readonly kind: "importing"; readonly number: number; readonly id: string }
	| { readonly kind: "cancels-import"; readonly number: number; readonly id: string }
	| { readonly kind: "origin"; readonly number: number; readonly manner: string };

/** One request to a server. `outcome` is the answer's status, or the reason why there was no answer. */
export type RequestEntry = {
	readonly kind: "request";
	readonly who: string;
	readonly what: string;
	readonly server: number;
	readonly way: Way;
	readonly startedAt: number;
	readonly milliseconds: number;
	readonly outcome: number | string;
};

/** Something that the driver itself has broken, for a time. Without `server`, it concerns all servers. */
export type Disturbance = {
	readonly what:
		| "down"
		| "frozen"
		| "unreachable"
		| "slow"
		| "disk-full"
		| "storage"
		| "syncs"
		| "descriptors"
		| "clock"
		| "names"
		| "receivers";
	readonly server?: number;
	readonly way?: Way;
};

export type DriverEntry =
	| { readonly kind: "fault"; readonly fault: Fault; readonly done: boolean }
	| {
			readonly kind: "killed";
			readonly what: "server" | "worker" | "client" | "postgres" | "backend" | "gateway";
			readonly name: string;
	  }
	| { readonly kind: "begins"; readonly id: number; readonly disturbance: Disturbance }
	| { readonly kind: "ends"; readonly id: number }
	/** A process that had been ready ended, although nobody killed it. */
	| { readonly kind: "fell"; readonly name: string; readonly how: string }
	| { readonly kind: "froze"; readonly name: string; readonly milliseconds: number }
	| { readonly kind: "postgres"; readonly is: "down" | "up" }
	/** A server answers from the database again. */
	| { readonly kind: "serving-again"; readonly server: number; readonly since: number; readonly milliseconds: number }
	/**
	 * The fault was over at `since`. `milliseconds` later this server had done once everything that the service does, the
	 * bucket and webhooks included if they were asked for.
	 */
	| {
			readonly kind: "recovered";
			readonly fault: FaultKind;
			readonly server: number;
			readonly since: number;
			readonly milliseconds: number;
			readonly inBucket: boolean;
			readonly withWebhook: boolean;
	  }
	/**
	 * A server was started with another master key. `said` is its output, `accepted` whether it reported that it is
	 * ready.
	 */
	| { readonly kind: "wrong-key"; readonly server: number; readonly accepted: boolean; readonly said: string }
	/** A worker lied about its outputs and got this answer. */
	| {
			readonly kind: "lied";
			readonly video: string;
			readonly lock: string;
			readonly how: string;
			readonly told: string;
	  }
	/**
	 * The disk was copied as a power cut would have left it: how much was looked for in the copy, and what of it is
	 * missing.
	 */
	| {
			readonly kind: "cut-power";
			readonly uploads: number;
			readonly bytes: number;
			readonly outputs: number;
			readonly lost: readonly Lost[];
	  }
	/** The number of connections that all servers have to the database. */
	| { readonly kind: "sessions"; readonly count: number }
	| {
			readonly kind: "received";
			readonly delivery: string;
			readonly type: string;
			readonly video: string;
			/** How long the video is, as the event tells it. */
			readonly seconds?: number | null;
			readonly genuine: boolean;
			readonly answer: string;
	  }
	| {
			readonly kind: "served";
			readonly video: string;
			readonly path: string;
			readonly etag: string;
			readonly sha256: string;
			readonly madeBy: string | null;
	  }
	| { readonly kind: "noted"; readonly text: string };

/** What happened, as the process that saw it reports it. */
export type Told = UploadEntry | JobEntry | EditEntry | ClipEntry | ImportEntry | RequestEntry | DriverEntry;
/** `at` is when the entry was recorded, in milliseconds since 1970. */
export type Entry = Told & { readonly at: number };
