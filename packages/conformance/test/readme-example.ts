import { describe, it } from "node:test";
import { conforms, uploadStoreCases } from "@reelmill/conformance";
import { createMemoryUploadStore } from "./memory-upload-store.ts";

async function open() {
	// Where your adapter keeps its uploads: empty, and shared by the two stores below, as two servers share it.
	const place = new Map();
	const subject = { store: createMemoryUploadStore(place), elsewhere: createMemoryUploadStore(place) };
	return { subject, close: async () => place.clear() };
}

conforms("my upload store", uploadStoreCases, open, { describe, it });
