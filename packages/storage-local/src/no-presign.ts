/** Rejects: a local disk has no URLs to sign. */
export const noPresign = async (): Promise<never> => {
	throw new TypeError("The local disk makes no presigned URLs");
};
