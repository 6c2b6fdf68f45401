import type { Clip, CreateClip, Job, Video } from "@reelmill/contracts";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";
import { finishWith, wholeOutputs } from "../support/whole-outputs.ts";

export const words = (text: string) => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;
const pictures = {
	"storyboard.vtt": "WEBVTT\n",
	"storyboard/1.jpg": "s",
	"frames/00001.jpg": "f",
	"poster.jpg": "p",
};
export const files = { ...wholeOutputs, ...pictures, "transcript.vtt": words("made") };
export const stretch: CreateClip = { start_seconds: 1, end_seconds: 4.82 };

export type World = OpenedEngine & {
	readonly owner: Awaited<ReturnType<OpenedEngine["tenant"]>>;
	/** A video of 7.64 s that is available. */
	available(input?: Parameters<typeof uploadVideo>[2]): Promise<string>;
	cut(id: string, input?: Partial<CreateClip>, idempotencyKey?: string): Promise<Clip>;
	claim(takesClips?: boolean): Promise<Job | null>;
	video(id: string): Promise<Video>;
	rows(text: string): Promise<readonly { readonly [column: string]: unknown }[]>;
};

/** An engine with a tenant whose videos are cut. */
export async function openClips(): Promise<World> {
	const opened = await openEngine();
	const owner = await opened.tenant();
	const { engine, worker } = opened;
	return {
		...opened,
		owner,
		async available(input = {}) {
			const { video } = await uploadVideo(opened, owner.principal, { transcript: true, ...input });
			const job = await engine.jobs.claimById(worker, video.id, { worker: "w" });
			await finishWith(engine, job, files, { transcript_status: "available", language: "en" });
			return video.id;
		},
		cut: (id, input = {}, idempotencyKey = undefined) =>
			engine.clips.create(owner.principal, id, { ...stretch, ...input }, undefined, { idempotencyKey }),
		claim: (takes_clips = true) => engine.jobs.claim(worker, { worker: "w", wait_seconds: 0, takes_clips }),
		video: (id) => engine.videos.get(owner.principal, id),
		rows: (text) => opened.database.query({ text, values: [] }),
	};
}
