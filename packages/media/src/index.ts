export { encodeArguments, type TrackPaths } from "./arguments.ts";
export { MediaError, type MediaFailure, ProgramError } from "./errors.ts";
export { ladder, type Rung } from "./ladder.ts";
export { type MezzanineOptions, makeMezzanine } from "./outro-mezzanine.ts";
export { type Decision, type EncodePlan, type PlannedRendition, planEncode } from "./plan.ts";
export { probe } from "./probe.ts";
export { type MadeRendition, type Processed, type ProcessOptions, process } from "./process.ts";
export { checkTools } from "./tools.ts";
export type { Codec, Container, Logger, MediaJob, OutputSelection, Rational, Size, SourceAudio, SourceProbe, SourceVideo, Tools } from "./types.ts";
