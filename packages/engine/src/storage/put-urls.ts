/** How long a URL is good by which a worker puts an output into a bucket. A worker that needs it longer asks anew. */
export const putUrlSeconds = 300;

/**
 * For how long after its lock was lost a worker may still put something: by a URL that it got at the last moment, in an
 * hour at most from its end on.
 */
export const latePutSeconds = putUrlSeconds + 3600;
