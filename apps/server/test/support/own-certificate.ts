import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Makes a certificate for video.example.com and 127.0.0.1 that signs itself, valid for two days. Returns the paths of
 * its file and of its key's.
 */
export async function makeOwnCertificate(directory: string): Promise<{ certificate: string; key: string }> {
	const [certificate, key] = [join(directory, "certificate.pem"), join(directory, "key.pem")];
	const kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
	const subject = ["-subj", "/CN=video.example.com", "-addext", "subjectAltName=DNS:video.example.com,IP:127.0.0.1"];
	await promisify(execFile)("openssl", ["req", ...kind, "-keyout", key, "-out", certificate, ...subject]);
	return { certificate, key };
}
