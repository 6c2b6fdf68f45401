export type { RemoteOutputs } from "./cut/cut-source.ts";
export { type CutVideoOptions, cutVideo } from "./cut/cut-video.ts";
export type { ChunkWorkers, KeptChunk, OfferedChunks } from "./encode/chunk-workers.ts";
export { type Chunk, chunkCount } from "./encode/chunks.ts";
export { encodeArguments, type TrackPaths } from "./encode/encode-arguments.ts";
export { type EncodeChunkOptions, type EncodedChunk, encodeChunk } from "./encode/encode-chunk.ts";
export type { EncodeProgress } from "./encode/encode-meter.ts";
export { MachineError, MediaError, type MediaFailure, ProgramError } from "./errors.ts";
export {
	type EncoderChoice,
	type FindHardwareOptions,
	type FoundHardware,
	findHardware,
	type RefusedEncoder,
} from "./hardware/find-hardware.ts";
export { hardwareKinds } from "./hardware/hardware.ts";
export { machineFaultOf } from "./machine-fault.ts";
export { type AppendOutroOptions, appendOutro } from "./outro/append-outro.ts";
export { type MezzanineOptions, makeMezzanine } from "./outro/make-mezzanine.ts";
export type { Decision } from "./plan/decision.ts";
export type { EncodePlan, PlannedRendition } from "./plan/encode-plan.ts";
export { type EncoderSetting, ladder, type Rung } from "./plan/ladder.ts";
export { planEncode } from "./plan/plan-encode.ts";
export { makePoster, type PosterOptions, type PosterSource } from "./poster/make-poster.ts";
export { processVideo } from "./process.ts";
export type { MadeRendition, OpeningLength, Playable, Processed, ProcessOptions } from "./process-options.ts";
export { checkConfinement, confinementPartNames } from "./run/check-confinement.ts";
export { checkTools } from "./run/check-tools.ts";
export type { ConfinementPart } from "./run/confinement.ts";
export { type MeasuredSteps, measureSteps, type Step } from "./run/measure-steps.ts";
export { type TryToolsOptions, tryTools } from "./run/try-tools.ts";
export { probe } from "./source/probe.ts";
export { type CommandTranscriberOptions, createCommandTranscriber } from "./transcript/command-transcriber.ts";
export type { MadeTranscript } from "./transcript/make-transcript.ts";
export { openTranscriber, type TranscriberSettings } from "./transcript/open-transcriber.ts";
export { type LateTranscriptOptions, transcribeFinished } from "./transcript/transcribe-finished.ts";
export type { Cue, TranscribeOptions, Transcriber, Transcription } from "./transcript/transcriber.ts";
export type { TranscriptStatus } from "./transcript/transcript-status.ts";
export { createWhisperTranscriber, type WhisperTranscriberOptions } from "./transcript/whisper-transcriber.ts";
export type {
	ChannelRun,
	Codec,
	ConfinementChoice,
	Container,
	Content,
	ContentKind,
	Hardware,
	HardwareKind,
	Logger,
	MediaJob,
	OutputSelection,
	PictureShape,
	Rational,
	Size,
	SoundKind,
	SourceAudio,
	SourceLength,
	SourceProbe,
	SourceProgramme,
	SourceVideo,
	Speed,
	Tools,
	TracedSpan,
	Tracer,
} from "./types.ts";
