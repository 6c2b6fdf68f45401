import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const pieceBytes = 1024 * 1024;

/** Returns a file's SHA-256 in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
	const hash = createHash("sha256");
	const piece = Buffer.allocUnsafeSlow(pieceBytes);
	const file = await open(path);
	try {
		for (;;) {
			const { bytesRead } = await file.read(piece, 0, pieceBytes);
			if (bytesRead === 0) return hash.digest("hex");
			hash.update(piece.subarray(0, bytesRead));
		}
	} finally {
		await file.close();
	}
}
