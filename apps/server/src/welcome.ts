import type { StartedServer } from "./start/start-answering.ts";

function consoleLine({ url, signInLink, secretFile, hasProvider }: NonNullable<StartedServer["console"]>): string {
	if (url === null) return "not built: npm run build";
	const later = secretFile === null ? "" : `; later with the secret in ${secretFile}`;
	if (signInLink !== null) return `${signInLink}   (signs in once, within 15 minutes${later})`;
	return hasProvider ? url : `${url}   (set REELMILL_CONSOLE_SECRET to sign in)`;
}

/** Returns what the command says once the server is ready. */
export function welcome({ baseUrl, tenant: { keyFile, newKey }, console, operationsPort }: StartedServer): string {
	const kept =
		keyFile === null
			? `with the server that made the domain "default", in its data directory`
			: `in ${keyFile}   (domain "default")`;
	const key = newKey === null ? kept : `${newKey}   (domain "default"; shown this once, and kept in ${keyFile})`;
	const operations = operationsPort === null ? "" : `\n  Operations     port ${operationsPort}: /ready, /metrics`;
	return `
Reelmill is ready.

  API            ${baseUrl}/v1/health${console === null ? "" : `\n  Console        ${consoleLine(console)}`}
  Reference      ${baseUrl}/docs
  Tenant key     ${key}${operations}

Next: initiate an upload.

  curl -X POST ${baseUrl}/v1/videos \\
    -H "Authorization: Bearer $(cat '${keyFile ?? "tenant.key"}')" \\
    -H "Content-Type: application/json" \\
    -d '{"content_type":"video/mp4","file_size":1048576}'

Or send a video from here:

  npx reelmill upload FILE --url ${baseUrl} --key "$(cat '${keyFile ?? "tenant.key"}')" --wait
`;
}
