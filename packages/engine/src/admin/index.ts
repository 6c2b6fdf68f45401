export { type Admin, createAdmin } from "./admin.ts";
export { createDomainPurge } from "./purge.ts";
