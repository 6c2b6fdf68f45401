import { expect, it } from "vitest";
import { readShown } from "../../src/videos/record.ts";
import { createFileUrl, viewShown } from "../../src/videos/view.ts";

const fileUrl = createFileUrl({ baseUrl: "https://video.test", locations: [] });

it("times have milliseconds, however many zeros PostgreSQL left out of them", () => {
	const written = ["12:00:00", "12:00:00.1", "12:00:00.12", "12:00:00.123", "12:00:00.123456"];
	const shown = written.map((time) => {
		const at = `2026-01-31T${time}`;
		const row = { state: "pending_upload", files: [], created_at: at, updated_at: at, expires_at: at };
		const { created_at, expires_at, uploaded_at } = viewShown(
			readShown({ shown: JSON.stringify({ ...row, uploaded_at: null, available_at: null, outputs: null }) }),
			fileUrl,
		);
		expect([expires_at, uploaded_at]).toEqual([created_at, null]);
		return created_at;
	});
	expect(shown).toEqual(["000", "100", "120", "123", "123"].map((part) => `2026-01-31T12:00:00.${part}Z`));
});
