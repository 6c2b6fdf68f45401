import { describe, expect, it } from "vitest";
import { parseDeliveryPath } from "../../src/delivery/path.ts";

const id = "2b6f0c7e-1111-4222-8333-444455556666";

describe("parseDeliveryPath", () => {
	it("reads the video and the file, encoded or not, and the id in any case", () => {
		expect(parseDeliveryPath(`/videos/${id.toUpperCase()}/web.mp4`)).toEqual({ videoId: id, path: "web.mp4" });
		expect(parseDeliveryPath(`/videos/${id}/hls/master.m3u8`)).toEqual({ videoId: id, path: "hls/master.m3u8" });
		expect(parseDeliveryPath(`/videos/${id}/web%2Emp4`)).toEqual({ videoId: id, path: "web.mp4" });
	});

	it.each([
		"",
		`${id}`,
		`${id}/`,
		`${id}//web.mp4`,
		`${id}/hls/`,
		`${id}/../web.mp4`,
		`${id}/./web.mp4`,
		`${id}/%2e%2e/web.mp4`,
		`${id}/%2E./web.mp4`,
		`${id}/hls%2fmaster.m3u8`,
		`${id}/..%2f..%2fetc%2fpasswd`,
		`${id}/..%5cweb.mp4`,
		`${id}/..\\web.mp4`,
		`${id}/%252e%252e/web.mp4`,
		`${id}/web.mp4%00`,
		`${id}/%c0%ae%c0%ae/web.mp4`,
		`${id}/%zz`,
		`${id}/b%C3%BCro.mp4`,
		"not-a-uuid/web.mp4",
		"2b6f0c7e-1111-1222-8333-444455556666/web.mp4",
		`%2e%2e/${id}/web.mp4`,
	])("refuses /videos/%s", (path) => {
		expect(() => parseDeliveryPath(`/videos/${path}`)).toThrow(expect.objectContaining({ code: "invalid_path" }));
	});
});
