import { LinkButton } from "../components/button.tsx";
import { useDomain } from "../frame/domain-frame.tsx";
import { isOver, type Upload, useUploadState, useUploads } from "./uploads.ts";

/** A line on other views while uploads run: how many, and the way to them. Nothing if there are none. */
export function UploadTray() {
	const { uploads } = useUploads();
	return uploads.map((upload) => <Running key={upload.key} upload={upload} />);
}

function Running({ upload }: { upload: Upload }) {
	const { slug } = useDomain();
	const state = useUploadState(upload);
	if (isOver(state)) return null;
	const percent = state.bytesTotal === 0 ? 0 : Math.floor((state.bytesSent / state.bytesTotal) * 100);
	return (
		<div className="row">
			<span className="small">
				{upload.name}: {state.status} {percent} %
			</span>
			<LinkButton size="small" to="/d/$domain/upload" params={{ domain: slug }}>
				See uploads
			</LinkButton>
		</div>
	);
}
