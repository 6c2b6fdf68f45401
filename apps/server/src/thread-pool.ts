/**
 * Node's pool has four threads, all of which wait when four calls to a disk do. The stores hold 32 at most
 * (`disk-lanes.ts` of storage-local), so that of these some are left for names, compression and other files. It can't
 * be set later: the pool begins with the first call that needs it, so nothing is imported before this. What the
 * operator has set stays.
 */
process.env.UV_THREADPOOL_SIZE ??= "64";
