export { encodeArguments, type TrackPaths } from "./arguments.ts";
export { checkConfinement, confinementPartNames } from "./check-confinement.ts";
export type { ChunkWorkers, OfferedChunks } from "./chunk-workers.ts";
export { type Chunk, chunkCount } from "./chunks.ts";
export type { ConfinementChoice, ConfinementPart } from "./confinement.ts";
export { type EncodeChunkOptions, type EncodedChunk, encodeChunk } from "./encode-chunk.ts";
export { MediaError, type MediaFailure, ProgramError } from "./errors.ts";
export { ladder, type Rung } from "./ladder.ts";
export { type LateTranscriptOptions, transcribeFinished } from "./late-transcript.ts";
export { openTranscriber, type TranscriberSettings } from "./open-transcriber.ts";
export { type AppendOutroOptions, appendOutro } from "./outro-append.ts";
export { type MezzanineOptions, makeMezzanine } from "./outro-mezzanine.ts";
export { type Decision, type EncodePlan, type PlannedRendition, planEncode } from "./plan.ts";
export { probe } from "./probe.ts";
export { type MadeRendition, type Playable, type Processed, type ProcessOptions, process } from "./process.ts";
export { checkTools } from "./tools.ts";
export type { Cue, TranscribeOptions, Transcriber, Transcription } from "./transcriber.ts";
export { type CommandTranscriberOptions, createCommandTranscriber } from "./transcriber-command.ts";
export { createWhisperTranscriber, type WhisperTranscriberOptions } from "./transcriber-whisper.ts";
export type { MadeTranscript, TranscriptStatus } from "./transcript.ts";
export type {
	Codec,
	Container,
	Logger,
	MediaJob,
	OutputSelection,
	Rational,
	Size,
	SourceAudio,
	SourceLength,
	SourceProbe,
	SourceVideo,
	Speed,
	Tools,
} from "./types.ts";
