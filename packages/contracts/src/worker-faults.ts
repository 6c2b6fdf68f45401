/**
 * What can be wrong with a worker itself, so that no job is to blame, each with its sentence. Workers tell the codes;
 * operators are shown them. Imports nothing, so that workers and pages can have it.
 */
export const workerFaults = {
	program_unusable: "ffmpeg, ffprobe or what confines them is missing, or does not work.",
	program_killed: "A program was killed, as happens if the memory runs out, or crashed.",
	program_hung: "A program stood still.",
	disk_full: "The disk of the work directory is full.",
	disk_failed: "The work directory can't be read or written.",
	no_resources: "There is no memory left, or no process or file can be opened any more.",
	model_missing: "What makes transcripts is missing.",
	storage_unreachable: "The bucket of the videos can't be reached from there.",
} as const;

/** What is wrong with a worker. */
export type WorkerFault = keyof typeof workerFaults;
