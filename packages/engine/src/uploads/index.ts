export { createUploads, type UploadPrincipal, type UploadStatus, type Uploads } from "./uploads.ts";
