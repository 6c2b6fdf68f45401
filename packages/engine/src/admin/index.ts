export { type Admin, createAdmin } from "./admin.ts";
