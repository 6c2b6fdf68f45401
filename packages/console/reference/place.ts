const link = document.querySelector<HTMLLinkElement>("link[rel='service-desc']");
if (link === null) throw new Error("The page doesn't say where the OpenAPI documents are.");
const { href, dataset } = link;

/** Where this page lies: on a server, or among documents that no server of the service serves. */
export const place = {
	/** The address of the tenants' document. */
	document: href,
	/** Whether the reader has to say which server they speak to: the page lies elsewhere. */
	isElsewhere: dataset["server"] !== undefined,
	/** The server's address, without a slash at its end; if the page lies elsewhere, the first to offer. */
	server: dataset["server"] ?? new URL("..", href).href.replace(/\/$/, ""),
} as const;
