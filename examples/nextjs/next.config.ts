import type { NextConfig } from "next";

const config: NextConfig = {
	// Lists of videos are kept until a webhook or an upload says that they changed.
	cacheComponents: true,
	partialPrefetching: true,
	turbopack: { root: import.meta.dirname },
};
export default config;
