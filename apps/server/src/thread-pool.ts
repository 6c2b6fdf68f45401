/**
 * Gives Node's pool 64 threads unless the operator has set another number. By default it has four, and four calls to a
 * disk that hangs would block them all. The stores use 32 at most (`disk-lanes.ts` of storage-local), so that some are
 * left for names, compression and other files. The pool begins with the first call that needs it, so this file must be
 * imported before all others.
 */
process.env.UV_THREADPOOL_SIZE ??= "64";
