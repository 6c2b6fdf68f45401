import { cleanTitle } from "./tags.ts";

/** A programme of a broadcast: one picture and its sounds. A file may have several (ISO/IEC 13818-1). */
export type Programme = {
	/** The name of the broadcaster's service, or else the programme's number. */
	readonly name: string;
	/** The indexes of its streams. */
	readonly streams: readonly number[];
};

/** What ffprobe prints of a programme. */
export type ProgrammeEntry = {
	readonly program_num?: unknown;
	readonly pmt_pid?: unknown;
	readonly tags?: Readonly<Record<string, unknown>>;
	readonly streams?: readonly { readonly index?: unknown }[];
};

/** Reads the programmes of a file that have streams. */
export const readProgrammes = (entries: readonly ProgrammeEntry[]): Programme[] =>
	entries
		.map(({ program_num, tags, streams = [] }) => ({
			name: cleanTitle(tags?.service_name) ?? `programme ${Number(program_num)}`,
			streams: streams.map(({ index }) => Number(index)),
		}))
		.filter(({ streams }) => streams.length > 0);

/** Returns the programme that a stream belongs to; `undefined` if it belongs to none, as in most containers. */
export const programmeOf = (programmes: readonly Programme[], stream: number): Programme | undefined =>
	programmes.find(({ streams }) => streams.includes(stream));
