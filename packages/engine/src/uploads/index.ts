export type { UploadLease } from "./leases.ts";
export { uploadsRunning } from "./leases.ts";
export { readHead } from "./refuse-other-files.ts";
export { createUploads, type UploadPrincipal, type UploadStatus, type Uploads } from "./uploads.ts";
