/** How long a URL is good that a worker puts an output with. A worker that needs it longer asks anew. */
export const putUrlSeconds = 300;

/**
 * How long after its lock was lost a worker may still put something: with a URL that it got at the last moment, and for
 * an hour at most after that URL's end.
 */
export const latePutSeconds = putUrlSeconds + 3600;
