// These files have no types of their own: what is not declared here is that of the package's types.
declare module "tus-js-client/lib/upload.js" {
	import { Upload, type UploadOptions } from "tus-js-client";
	export default class extends Upload {
		static defaultOptions: UploadOptions;
	}
}
declare module "tus-js-client/lib/browser/httpStack.js" {
	import type { HttpStack } from "tus-js-client";

	const XHRHttpStack: new () => HttpStack;
	export default XHRHttpStack;
}
