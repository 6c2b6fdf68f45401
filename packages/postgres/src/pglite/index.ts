export { createPgliteDatabase, type Pglite } from "./pglite-database.ts";
