/** Is told how long things took, for an operator's histograms. A call returns at once and never throws. */
export interface Observer {
	/** A worker claimed a video or an outro that had waited for so many seconds since it was queued. */
	readonly claimed?: (job: { readonly kind: "video" | "outro"; readonly waitedSeconds: number }) => void;
	/** An attempt to send a webhook ended, after so many seconds. */
	readonly webhookAttempted?: (attempt: { readonly delivered: boolean; readonly seconds: number }) => void;
	/** An attempt to fetch an import ended, after so many bytes. `waiting` is tried again. */
	readonly importAttempted?: (attempt: {
		readonly outcome: "done" | "failed" | "cancelled" | "waiting";
		readonly bytes: number;
	}) => void;
}
