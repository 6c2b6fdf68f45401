export { type Admission, createAdmission } from "./admission.ts";
export { type Claims, createClaims } from "./claim.ts";
export { giveBack, maxAttempts } from "./give-back.ts";
export { createJobs, type HeartbeatInput, type JobSource, type Jobs } from "./jobs.ts";
