/** What became of a transcript, in the words of the contract's `transcript_status`. `disabled`: the job wants none. */
export type TranscriptStatus = "disabled" | "available" | "no_speech" | "unavailable" | "failed";
