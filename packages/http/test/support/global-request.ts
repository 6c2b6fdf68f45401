import { openService } from "./open-service.ts";

// Prints the name of the global Request once the listener stands, in a process in which nothing else replaces it.
const service = await openService();
console.log(Object.getOwnPropertyDescriptor(globalThis, "Request")?.value?.name);
await service.close();
// The databases for further tests that it would still make are nobody's.
process.exit();
