// Built in for two packages that tus-js-client imports, `url-parse` and `js-base64`: every platform has what it needs
// of them. The sources are bundled with this file in their place (`scripts/packages/platform-aliases.ts`).

/** Resolves an upload's address against that of the endpoint. */
export default URL;

/** Encodes the values of an upload's metadata. */
export const Base64 = {
	encode: (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text))),
};
