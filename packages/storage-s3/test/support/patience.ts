/** Options for what must succeed: a busy machine may take longer to answer than a caller would wait. */
export const patience = {
	connectTimeoutMilliseconds: 60_000,
	idleTimeoutMilliseconds: 60_000,
	answerTimeoutMilliseconds: 60_000,
	progressTimeoutMilliseconds: 60_000,
};
