export { createErasures, type Erasures } from "./erasures.ts";
