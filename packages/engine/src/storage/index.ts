export { createHealth } from "./health.ts";
export type { PlatformLocation } from "./locations.ts";
export { createProfiles } from "./profiles.ts";
export { type PublicPlace, publicAddress } from "./public-urls.ts";
export { latePutSeconds, putUrlSeconds } from "./put-urls.ts";
export { createStorage, type Storage } from "./storage.ts";
export { createStores, type OwnedStores, type Stores } from "./stores.ts";
export { createVerify } from "./verify.ts";
