import { hash } from "node:crypto";

/** Returns what names a domain or a video to an edge: the first 12 bytes of the SHA-256 of its id, in base64url. */
export const edgeDigest = (id: string): string => hash("sha256", id, "base64url").slice(0, 16);
