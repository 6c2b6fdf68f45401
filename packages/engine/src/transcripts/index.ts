export { createTranscriptRequests } from "./requests.ts";
export { createTranscripts, type Transcripts } from "./transcripts.ts";
