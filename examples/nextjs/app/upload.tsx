"use client";

import { fromBackEnd } from "@reelmill/browser/back-end";
import { ReelmillUploader } from "@reelmill/react";
import { showUpload } from "./actions";

const backEnd = fromBackEnd("/video");

/** The uploader. The name of a file becomes the name of its lesson. */
export function Upload() {
	return (
		<ReelmillUploader
			multiple
			camera
			initiate={(file) => backEnd.initiate(file, { about: file.name })}
			onDone={() => void showUpload()}
		/>
	);
}
