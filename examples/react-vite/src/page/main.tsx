import { ReelmillPlayer, ReelmillUploader } from "@reelmill/react";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import "../../../plain-html/page/page.css";

function Videos() {
	const [ids, setIds] = useState<readonly string[]>([]);
	return (
		<main>
			<h1>Videos</h1>
			<ReelmillUploader
				backEnd="/video"
				multiple
				camera
				onDone={({ upload }) => upload?.videoId && setIds((before) => [...before, upload.videoId as string])}
			/>
			{ids.map((id) => (
				<ReelmillPlayer key={id} backEnd="/video" videoId={id} preload="metadata" />
			))}
		</main>
	);
}

createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<Videos />
	</StrictMode>,
);
