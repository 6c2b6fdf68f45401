import { type EventType, type FailureReason, isTerminal, type VideoState, type Visibility } from "@reelmill/contracts";
import { type Command, decide } from "@reelmill/engine";

/** Short windows in seconds, so that a few waits reach each of them. */
export const windows = { pendingUpload: 100, lock: 40, processing: 130, queue: 120 };
/** Small limits, so that a few videos reach each of them. The second tenant has one slot, the first two. */
export const limits = {
	slots: [2, 1],
	dailyBytes: 70,
	storageBytes: 45,
	pendingPerUploader: 2,
	expiredPerDay: 3,
	hourly: 5,
	attempts: 3,
	/** So many workers in a row a job may lose, of which `loseWorkers` takes all but two at once. */
	fruitless: 10,
	lostBefore: 8,
};
export const duration = 8;
const outputBytes = 4;

export type VideoModel = {
	readonly id: string;
	readonly tenant: number;
	readonly uploader: string | null;
	readonly size: number;
	readonly createdAt: number;
	state: VideoState;
	deleted: boolean;
	visibility: Visibility;
	failure: FailureReason | null;
	events: EventType[];
	/** The moves it made, as the table names them. */
	moves: string[];
	/** Bytes in the upload store, or null where there is no upload. */
	offset: number | null;
	/** The last byte was written, the state not changed yet. */
	finishing: boolean;
	uploadedAt: number | null;
	expiredAt: number | null;
	availableAt: number | null;
	/** The job, while there is one. */
	attempt: number;
	/** How many attempts ended because their worker was stopped or lost. */
	losses: number;
	/** How many workers it lost in a row. */
	fruitless: number;
	lock: string | null;
	lockExpiresAt: number;
	queuedAt: number;
	/** As PostgreSQL has it: which turns are right is shown elsewhere, here that they are kept. */
	turn: number;
	waitingSince: number;
	notBefore: number;
	claimedAt: number;
	startedAt: number | null;
	/** Locks of the attempts whose outputs are stored. */
	outputs: string[];
};
export type Model = { now: number; videos: VideoModel[] };

export const newVideo = (
	id: string,
	tenant: number,
	uploader: string | null,
	size: number,
	now: number,
): VideoModel => ({
	id,
	tenant,
	uploader,
	size,
	createdAt: now,
	state: "pending_upload",
	deleted: false,
	visibility: "private",
	failure: null,
	events: [],
	moves: [],
	offset: null,
	finishing: false,
	uploadedAt: null,
	expiredAt: null,
	availableAt: null,
	attempt: 0,
	losses: 0,
	fruitless: 0,
	lock: null,
	lockExpiresAt: 0,
	queuedAt: 0,
	turn: 0,
	waitingSince: 0,
	notBefore: 0,
	claimedAt: 0,
	startedAt: null,
	outputs: [],
});

export const isProcessing = ({ state }: VideoModel): boolean => ["queued", "locked", "encoding"].includes(state);
export const isWorked = ({ state }: VideoModel): boolean => ["locked", "encoding"].includes(state);
const isPending = ({ state }: VideoModel): boolean => state === "pending_upload";
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
const day = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/**
 * Takes the move from the machine's table, with all that an end of life means for bytes and job. Throws where the table
 * has no such move.
 */
export function move(model: Model, video: VideoModel, command: Command): void {
	const { state, failureReason, event } = decide(video.state, command);
	video.moves.push(`${video.state} ${command.type}`);
	video.state = state;
	video.failure = failureReason;
	if (event !== null) video.events.push(event);
	if (state === "uploaded") video.uploadedAt = model.now;
	if (state === "expired") video.expiredAt = video.createdAt + windows.pendingUpload * 1000;
	if (state === "available") video.availableAt = model.now;
	if (!isTerminal(state)) return;
	video.offset = null;
	video.lock = null;
	video.outputs = state === "available" ? video.outputs : [];
}

export const gauges = ({ videos, now }: Model, tenant: number) => {
	const own = videos.filter((video) => video.tenant === tenant);
	const stored = (video: VideoModel): number => {
		if (video.deleted) return 0;
		return video.state === "available"
			? outputBytes
			: video.state === "uploaded" || isProcessing(video)
				? video.size
				: 0;
	};
	const today = own.filter(({ createdAt }) => day(createdAt) === day(now));
	const reserved = (some: VideoModel[]): number => sum(some.filter(isPending).map(({ size }) => size));
	const uploaded = (some: VideoModel[]): number =>
		sum(some.filter(({ uploadedAt }) => uploadedAt !== null).map(({ size }) => size));
	return {
		processing: own.filter(isProcessing).length,
		reserved: reserved(own),
		stored: sum(own.map(stored)),
		uploaded: uploaded(own),
		usedToday: reserved(today) + uploaded(today),
		encodedSeconds: own.filter(({ availableAt }) => availableAt !== null).length * duration,
	};
};

const jobOf = ({ attempt, losses, fruitless, lock, startedAt }: VideoModel) => ({
	attempt,
	losses,
	fruitless,
	lock,
	startedAt,
});

/** What can be seen of the model from outside, in the shape of {@link import("./observed.ts").Observed}. */
export const view = (model: Model) => ({
	tenants: limits.slots.map((_, tenant) => {
		const { usedToday: _today, ...all } = gauges(model, tenant);
		return all;
	}),
	videos: model.videos
		.map((video) => ({
			id: video.id,
			state: video.state,
			deleted: video.deleted,
			visibility: video.visibility,
			failure: video.failure,
			events: [...video.events].sort(),
			uploadBytes: video.offset,
			job: isProcessing(video) ? jobOf(video) : null,
			outputs: [...video.outputs].sort(),
		}))
		.sort((a, b) => (a.id < b.id ? -1 : 1)),
	notedDeletions: 0,
});
