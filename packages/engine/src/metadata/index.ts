export { createMetadata, type Metadata } from "./metadata.ts";
