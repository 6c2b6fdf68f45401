export { createTranscripts, type Transcripts } from "./transcripts.ts";
